import { describe, expect, test } from 'vitest'
import { planDownload, unsatisfiableRangeHeaders, type Representation } from './plan-download.ts'
import type { RequestHeaders } from './preconditions.ts'

const file: Representation = {
  filename: 'holiday.png',
  sizeBytes: 1000,
  etag: '"abc"',
  lastModifiedAt: new Date('2026-11-20T12:00:00.700Z'),
  sha256: null,
}
const modified = 'Fri, 20 Nov 2026 12:00:00 GMT'
const earlier = 'Fri, 20 Nov 2026 11:59:59 GMT'
const later = 'Fri, 20 Nov 2026 12:00:01 GMT'

function plan(
  headers: RequestHeaders = {},
  {
    method = 'GET',
    preview = false,
    ...changes
  }: Partial<Representation> & {
    method?: string
    preview?: boolean
  } = {},
) {
  return planDownload({ method, headers }, { ...file, ...changes }, { preview })
}

describe('planDownload', () => {
  test('sends the whole file and everything needed to resume it', () => {
    expect(plan()).toEqual({
      status: 200,
      span: { start: 0, end: 1000 },
      headers: {
        'Accept-Ranges': 'bytes',
        'Cache-Control': 'private, no-cache',
        'Content-Disposition': 'attachment; filename="holiday.png"',
        'Content-Length': '1000',
        'Content-Security-Policy': expect.stringMatching(/^sandbox; default-src 'none'/),
        'Content-Type': 'image/png',
        ETag: '"abc"',
        'Last-Modified': modified,
        'Referrer-Policy': 'no-referrer',
        'X-Content-Type-Options': 'nosniff',
      },
    })
  })

  test('sends the part that a range asks for', () => {
    const { status, headers, span } = plan({ range: 'bytes=100-199' })
    expect(status).toBe(206)
    expect(span).toEqual({ start: 100, end: 200 })
    expect(headers).toMatchObject({
      'Content-Length': '100',
      'Content-Range': 'bytes 100-199/1000',
    })
  })

  test('sends for HEAD the headers of the whole and no body', () => {
    const { status, headers, span } = plan({ range: 'bytes=100-199' }, { method: 'HEAD' })
    expect(status).toBe(200)
    expect(span).toBeNull()
    expect(headers).toEqual(plan().headers)
  })

  test('fails on a range past the end and can say how long the file is', () => {
    expect(() => plan({ range: 'bytes=1000-' })).toThrow(
      expect.objectContaining({ code: 'range_not_satisfiable' }),
    )
    expect(unsatisfiableRangeHeaders(1000)).toMatchObject({ 'Content-Range': 'bytes */1000' })
  })

  test('tells the SHA-256 of the whole once it is known, for a part too', () => {
    const { headers } = plan({ range: 'bytes=0-1' }, { sha256: '00'.repeat(32) })
    expect(headers['Repr-Digest']).toBe('sha-256=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:')
  })

  test.each([
    [{ 'if-none-match': '"abc"' }, 304],
    [{ 'if-none-match': 'W/"abc"' }, 304],
    [{ 'if-none-match': '"x,y", "abc"' }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"other"' }, 200],
    [{ 'if-none-match': 'abc' }, 200],
    [{ 'if-modified-since': modified }, 304],
    [{ 'if-modified-since': later }, 304],
    [{ 'if-modified-since': earlier }, 200],
    [{ 'if-modified-since': 'nonsense' }, 200],
    [{ 'if-none-match': '"other"', 'if-modified-since': later }, 200],
    [{ 'if-match': '"abc"' }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': 'W/"abc"' }, 412],
    [{ 'if-match': '"other"' }, 412],
    [{ 'if-unmodified-since': modified }, 200],
    [{ 'if-unmodified-since': earlier }, 412],
    [{ 'if-match': '"abc"', 'if-unmodified-since': earlier }, 200],
  ])('responds to %j with %i', (headers, status) => {
    expect(plan(headers)).toMatchObject({ status, span: status === 200 ? {} : null })
    expect(plan(headers, { method: 'HEAD' }).status).toBe(status)
  })

  test('repeats the validators when nothing was modified', () => {
    const { headers } = plan({ 'if-none-match': '"abc"', range: 'bytes=9999-' })
    expect(headers).toEqual({
      'Cache-Control': 'private, no-cache',
      ETag: '"abc"',
      'Last-Modified': modified,
    })
  })

  test.each([
    ['"abc"', 206],
    ['W/"abc"', 200],
    ['"other"', 200],
    [modified, 206],
    [later, 200],
    [earlier, 200],
    ['nonsense', 200],
  ])('continues a part of %s with %i', (condition, status) => {
    expect(plan({ range: 'bytes=5-', 'if-range': condition }).status).toBe(status)
  })

  test('sends the whole when a range past the end was meant for another version', () => {
    expect(plan({ range: 'bytes=5000-', 'if-range': '"older"' }).status).toBe(200)
  })
})

describe('what a browser may do with the content', () => {
  const shown = (filename: string) => plan({}, { filename, preview: true }).headers

  test.each([
    ['x.png', 'image/png'],
    ['x.JPG', 'image/jpeg'],
    ['x.mp4', 'video/mp4'],
    ['x.mp3', 'audio/mpeg'],
    ['x.pdf', 'application/pdf'],
  ])('shows %s as %s', (filename, type) => {
    expect(shown(filename)).toMatchObject({
      'Content-Type': type,
      'Content-Disposition': `inline; filename="${filename}"`,
    })
  })

  test.each(['x.txt', 'x.md', 'x.json', 'x.csv', 'x.html', 'x.svg', 'x.xml', 'x.js', 'x.py'])(
    'shows %s as nothing but plain text',
    (filename) => {
      expect(shown(filename)['Content-Type']).toBe('text/plain; charset=utf-8')
    },
  )

  test.each(['x.svgz', 'x.swf', 'x.zip', 'x.docx', 'x.exe', 'x', '.htaccess', 'x.html\u200b'])(
    'never shows %s',
    (filename) => {
      expect(shown(filename)['Content-Disposition']).toMatch(/^attachment/)
    },
  )

  test.each(['x.svg', 'x.html', 'x.svg', 'x.xml', 'x.js', 'x.exe', 'x'])(
    'names no type for %s when it is saved',
    (filename) => {
      expect(plan({}, { filename }).headers['Content-Type']).toBe('application/octet-stream')
    },
  )

  test('forbids scripts and any origin of ours in every response', () => {
    for (const filename of ['x.png', 'x.html', 'x.mp4', 'x.pdf', 'x.svg', 'x']) {
      for (const preview of [true, false]) {
        const { headers } = plan({}, { filename, preview })
        expect(headers['Content-Security-Policy']).toContain("default-src 'none'")
        expect(headers['Content-Security-Policy']).not.toContain('script')
        expect(headers['X-Content-Type-Options']).toBe('nosniff')
        const isViewer = preview && /mp4|pdf/.test(filename)
        expect(headers['Content-Security-Policy']?.startsWith('sandbox')).toBe(!isViewer)
      }
    }
  })
})

// @vitest-environment jsdom
import { FloeError, type OpenedFile } from '@floe/encryption'
import { describe, expect, it, vi } from 'vitest'
import { respondWithArchive } from './archive-response.ts'
import { respondWithFile } from './decrypted-response.ts'
import { readPatiently } from './patient-read.ts'
import { Refusal } from './read-stored.ts'

type Bytes = Uint8Array<ArrayBuffer>

const text = Uint8Array.from({ length: 1000 }, (_, index) => index % 251)

/** In pieces of 300 bytes, as segments come. */
function fileOf(content: Bytes, name = 'a.html'): OpenedFile {
  return {
    ...{ name, size: content.length, crc32: '00000000', sha256: 'ab'.repeat(32) },
    storedId: name,
    async *read({ start, end }) {
      for (let at = start; at < end; at += 300) yield content.slice(at, Math.min(at + 300, end))
      return undefined
    },
  }
}

const ask = (headers: Record<string, string> = {}) =>
  new Request('https://files.example/share/x/files/1', { headers })

const respond = (headers: Record<string, string> = {}, isShown = false) =>
  respondWithFile(ask(headers), { shareId: 'x', file: fileOf(text), isShown })

async function bytesOf(response: Response): Promise<Bytes> {
  return new Uint8Array(await response.arrayBuffer())
}

describe('the response with a decrypted file', () => {
  it('has its length and name, and is saved', async () => {
    const response = respond()
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Length')).toBe('1000')
    expect(response.headers.get('Content-Disposition')).toBe('attachment; filename="a.html"')
    expect(await bytesOf(response)).toEqual(text)
  })

  it('never runs as the site, also where it is shown', () => {
    const { headers } = respond({}, true)
    expect(headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(headers.get('Content-Security-Policy')).toContain("sandbox; default-src 'none'")
  })

  it('goes on where a download was cut, unless it is of another file', async () => {
    const etag = respond().headers.get('ETag') ?? ''
    const rest = respond({ Range: 'bytes=700-', 'If-Range': etag })
    expect(rest.status).toBe(206)
    expect(rest.headers.get('Content-Range')).toBe('bytes 700-999/1000')
    expect(await bytesOf(rest)).toEqual(text.slice(700))
    expect(respond({ Range: 'bytes=700-', 'If-Range': '"other"' }).status).toBe(200)
  })

  it('says how long the file is to who asks behind its end', () => {
    const response = respond({ Range: 'bytes=1000-' })
    expect(response.status).toBe(416)
    expect(response.headers.get('Content-Range')).toBe('bytes */1000')
  })
})

describe('the response with an archive', () => {
  const files = [fileOf(text, 'f/a'), fileOf(new Uint8Array(0), 'f/empty'), fileOf(text, 'g/b')]
  const archive = (headers = {}, part = {}) =>
    respondWithArchive(ask(headers), {
      ...{ shareId: 'x', name: 'Trip', files },
      part: { folder: null, fileIds: null, ...part },
    })

  it('is as long as it says, and any part of it is the same', async () => {
    const response = await archive()
    const whole = await bytesOf(response)
    expect(response.headers.get('Content-Length')).toBe(String(whole.length))
    expect(response.headers.get('Content-Disposition')).toBe('attachment; filename="Trip.zip"')
    for (const start of [1, 40, 500, 1100, whole.length - 30]) {
      const part = await bytesOf(await archive({ Range: `bytes=${start}-` }))
      expect(part).toEqual(whole.slice(start))
    }
  })

  it('of a folder is called like it, and holds nothing else', async () => {
    const response = await archive({}, { folder: { fileId: 'f/empty', depth: 1 } })
    expect(response.headers.get('Content-Disposition')).toBe('attachment; filename="f.zip"')
    const chosen = await archive({}, { fileIds: new Set(['f/a', 'f/empty']) })
    expect(await bytesOf(response)).toEqual(await bytesOf(chosen))
  })

  it('is another one where another file is chosen, and none where there is no such file', async () => {
    const around = (fileId: string) => ({ folder: { fileId, depth: 1 } })
    const etags = await Promise.all(
      [{}, around('f/empty'), { fileIds: new Set(['f/a']) }].map(async (part) =>
        (await archive({}, part)).headers.get('ETag'),
      ),
    )
    expect(new Set(etags).size).toBe(3)
    expect((await archive({}, around('f/nowhere'))).status).toBe(404)
  })
})

describe('a read', () => {
  const { signal } = new AbortController()

  async function collect(pieces: AsyncIterable<Bytes>): Promise<Bytes> {
    const all: Bytes[] = []
    for await (const piece of pieces) all.push(piece)
    return new Uint8Array(await new Blob(all).arrayBuffer())
  }

  it('goes on behind what it has where the connection is lost, or fails', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 1000 })
    const starts: number[] = []
    const read = async function* ({ start }: { start: number }) {
      starts.push(start)
      yield text.slice(start, start + 400)
      if (start > 0) throw new TypeError('network error')
    }
    expect(await collect(readPatiently(read, { start: 0, end: 1000 }, signal))).toEqual(text)
    vi.useRealTimers()
    expect(starts).toEqual([0, 400, 800])
  })

  it.each([new FloeError('authentication'), new Refusal(404)])(
    'is not tried again behind %s',
    async (error) => {
      const read = vi.fn(async function* (): AsyncGenerator<Bytes> {
        yield text.slice(0, 10)
        throw error
      })
      await expect(collect(readPatiently(read, { start: 0, end: 1000 }, signal))).rejects.toBe(
        error,
      )
      expect(read).toHaveBeenCalledOnce()
    },
  )
})

import { describe, expect, test } from 'vitest'
import { createHeadReader, MalformedResponseError, parseResponseHead } from './response-head.ts'

const plain = [
  'HTTP/1.1 206 Partial Content',
  'Content-Length: 10',
  'Content-Range: bytes 0-9/100',
  'Set-Cookie: a=1',
  'Set-Cookie: b=2',
  'X-Name: caf\xe9',
  'Keep-Alive: timeout=5, max=100',
].join('\r\n')

function head(...lines: string[]) {
  return parseResponseHead(['HTTP/1.1 200 OK', ...lines].join('\r\n'), 'GET')
}

describe('a head split at any byte', () => {
  const bytes = Buffer.from(`${plain}\r\n\r\n0123456789`, 'latin1')
  const whole = createHeadReader().read(bytes, 'GET')

  test('reads the same as in one piece', () => {
    const headBytes = bytes.length - 10
    for (let at = 1; at < bytes.length; at++) {
      const reader = createHeadReader()
      const first = reader.read(Buffer.from(bytes.subarray(0, at)), 'GET')
      if (at >= headBytes) {
        expect(first).toEqual(whole)
        continue
      }
      expect(first).toBeNull()
      expect(reader.read(Buffer.from(bytes.subarray(at)), 'GET')).toEqual({
        head: whole?.head,
        consumedBytes: headBytes - at,
      })
    }
  })

  test('reads the same byte by byte, from memory that is read into again', () => {
    const reader = createHeadReader()
    const one = Buffer.alloc(1)
    let result: ReturnType<typeof reader.read> = null
    for (let at = 0; result === null; at++) {
      one[0] = bytes[at] as number
      result = reader.read(one, 'GET')
    }
    expect(result).toEqual({ head: whole?.head, consumedBytes: 1 })
  })

  test('is ready for the next head after the first', () => {
    const reader = createHeadReader()
    reader.read(Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), 'GET')
    expect(reader.read(bytes, 'GET')).toEqual(whole)
  })
})

test('keeps order, repeated fields and latin1 values', () => {
  const parsed = parseResponseHead(plain, 'GET')
  expect(parsed).toMatchObject({
    status: 206,
    reason: 'Partial Content',
    framing: { kind: 'length', bytes: 10 },
    persistent: true,
  })
  expect(parsed.headers.filter(([name]) => name === 'Set-Cookie')).toEqual([
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
  ])
  expect(parsed.headers.find(([name]) => name === 'X-Name')?.[1]).toBe('caf\xe9')
})

describe('the end of the body', () => {
  test.each([
    ['HEAD', 200, ['Content-Length: 5'], { kind: 'none' }],
    ['GET', 204, [], { kind: 'none' }],
    ['GET', 304, ['Content-Length: 5'], { kind: 'none' }],
    ['GET', 100, [], { kind: 'none' }],
    ['GET', 200, ['Content-Length: 5'], { kind: 'length', bytes: 5 }],
    ['GET', 200, ['content-length:0'], { kind: 'none' }],
    ['GET', 200, ['Transfer-Encoding: Chunked'], { kind: 'chunked' }],
    ['HEAD', 200, ['Transfer-Encoding: chunked'], { kind: 'none' }],
    ['GET', 200, [], { kind: 'until-close' }],
  ])('of %s with status %i and %j is %j', (method, status, lines, framing) => {
    const text = [`HTTP/1.1 ${status} X`, ...lines].join('\r\n')
    expect(parseResponseHead(text, method).framing).toEqual(framing)
  })
})

test('a connection is kept unless the response says or implies its end', () => {
  expect(head('Content-Length: 1').persistent).toBe(true)
  expect(head('Content-Length: 1', 'Connection: Close').persistent).toBe(false)
  expect(head().persistent).toBe(false)
  expect(parseResponseHead('HTTP/1.0 200 OK\r\nContent-Length: 1', 'GET').persistent).toBe(false)
})

test.each([
  ['both lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6'],
  ['a list of lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 5, 5'],
  ['a negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -5'],
  ['a signed length', 'HTTP/1.1 200 OK\r\nContent-Length: +5'],
  ['a hexadecimal length', 'HTTP/1.1 200 OK\r\nContent-Length: 0x5'],
  ['an unsafe length', 'HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999'],
  ['another coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked'],
  [
    'a repeated coding',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
  ],
  ['chunked in HTTP/1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked'],
  ['a folded field', 'HTTP/1.1 200 OK\r\nX: a\r\n b'],
  ['a space before the colon', 'HTTP/1.1 200 OK\r\nX : a'],
  ['a field without a colon', 'HTTP/1.1 200 OK\r\nX'],
  ['a bare LF', 'HTTP/1.1 200 OK\r\nX: a\nContent-Length: 5'],
  ['a NUL', 'HTTP/1.1 200 OK\r\nX: a\0b'],
  ['another version', 'HTTP/2.0 200 OK'],
  ['a short status', 'HTTP/1.1 20 OK'],
  ['a status out of range', 'HTTP/1.1 600 OK'],
  ['another protocol', 'ICY 200 OK'],
  ['nothing', ''],
])('refuses %s', (_what, text) => {
  expect(() => parseResponseHead(text, 'GET')).toThrow(MalformedResponseError)
})

test('refuses a head without an end once it is too long', () => {
  const reader = createHeadReader(100)
  expect(reader.read(Buffer.from(`HTTP/1.1 200 OK\r\nX: ${'a'.repeat(60)}`), 'GET')).toBeNull()
  expect(() => reader.read(Buffer.from('a'.repeat(60)), 'GET')).toThrow(MalformedResponseError)
})

test('random bytes are refused or waited for, and fail in no other way', () => {
  let seed = 7
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  const pieces = [
    'HTTP/1.1 200 OK',
    '\r\n',
    '\r',
    '\n',
    ':',
    ' ',
    'Content-Length',
    'chunked',
    '\0',
    '7',
  ]
  for (let run = 0; run < 5000; run++) {
    const text = Array.from(
      { length: 12 },
      () => pieces[Math.floor(random() * pieces.length)],
    ).join('')
    try {
      createHeadReader().read(Buffer.from(`${text}\r\n\r\n`, 'latin1'), 'GET')
    } catch (error) {
      expect(error).toBeInstanceOf(MalformedResponseError)
    }
  }
})

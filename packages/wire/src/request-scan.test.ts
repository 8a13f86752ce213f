import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createHeadScan, longBodyIn } from './request-scan.ts'

const LEAST_BYTES = 1_000

function head(...lines: string[]): Buffer {
  return Buffer.from([...lines, '', ''].join('\r\n'))
}

describe('a long body', () => {
  test('is told by its length, whatever the case and the spaces', () => {
    const bytes = head('PATCH /a HTTP/1.1', 'Host: x', 'cOntent-length: \t1000 ')
    const long = longBodyIn(Buffer.concat([bytes, Buffer.from('body')]), LEAST_BYTES)
    expect(long?.lengthText).toBe('1000')
    expect(long?.headBytes).toBe(bytes.length)
  })

  test('is hidden without moving a byte of the head', () => {
    const bytes = head('PATCH /1000 HTTP/1.1', 'X-A: 1000', 'Content-Length: 1000', 'X-B: 1000')
    const hidden = longBodyIn(bytes, LEAST_BYTES)?.hideLength(Buffer.from(bytes))
    expect(hidden?.toString()).toBe(
      head('PATCH /1000 HTTP/1.1', 'X-A: 1000', 'Content-Length: 0000', 'X-B: 1000').toString(),
    )
  })

  test.each([
    ['shorter than asked for', ['Content-Length: 999']],
    ['without a length', ['Host: x']],
    ['of two lengths', ['Content-Length: 1000', 'Content-Length: 1000']],
    ['of a list of lengths', ['Content-Length: 1000, 1000']],
    ['of one length that is none', ['Content-Length: 1000', 'Content-Length : 5']],
    ['of a length with a sign', ['Content-Length: +1000']],
    ['of more digits than a number holds', ['Content-Length: 1000000000000000']],
    ['in chunks', ['Content-Length: 1000', 'Transfer-Encoding: chunked']],
    ['of an upgrade', ['Content-Length: 1000', 'Upgrade: websocket']],
    ['whose length goes on in the next line', ['Content-Length: 1000', ' 1']],
    ['with a lone line feed', ['X: a\nb: c', 'Content-Length: 1000']],
    ['with a lone carriage return', ['X: a\rb', 'Content-Length: 1000']],
  ])('is not one %s', (_what, lines) => {
    expect(longBodyIn(head('PATCH /a HTTP/1.1', ...lines), LEAST_BYTES)).toBeNull()
  })

  test.each(['PATCH /a HTTP/1.0', 'PATCH /a', 'PATCH  /a HTTP/1.1', '\r\nPATCH /a HTTP/1.1'])(
    'is not one behind %j',
    (line) => {
      expect(longBodyIn(head(line, 'Content-Length: 1000'), LEAST_BYTES)).toBeNull()
    },
  )

  test('is not one while its head is not whole', () => {
    const whole = head('PATCH /a HTTP/1.1', 'Content-Length: 1000')
    expect(longBodyIn(whole.subarray(0, -1), LEAST_BYTES)).toBeNull()
  })
})

describe('where a request begins', () => {
  const get = Buffer.from('GET /a HTTP/1.1\r\nHost: x\r\n\r\n')
  const request = (headers: Record<string, string> = {}) => ({ headers }) as IncomingMessage

  test('is behind the head of one without a body', () => {
    const scan = createHeadScan()
    expect(scan.isAtStart).toBe(true)
    expect(scan.follow(get, 1, request())).toBe(true)
    expect(scan.isAtStart).toBe(true)
  })

  test('is behind the last byte of a body', () => {
    const scan = createHeadScan()
    const begun = Buffer.concat([get, Buffer.from('ab')])
    expect(scan.follow(begun, 1, request({ 'content-length': '5' }))).toBe(true)
    expect(scan.isAtStart).toBe(false)
    expect(scan.follow(Buffer.from('cd'), 0, null)).toBe(true)
    expect(scan.isAtStart).toBe(false)
    expect(scan.follow(Buffer.from('e'), 0, null)).toBe(true)
    expect(scan.isAtStart).toBe(true)
  })

  test('is found wherever a head was divided', () => {
    for (let at = 1; at < get.length; at += 1) {
      const scan = createHeadScan()
      expect(scan.follow(get.subarray(0, at), 0, null)).toBe(true)
      expect(scan.isAtStart).toBe(false)
      expect(scan.follow(get.subarray(at), 1, request())).toBe(true)
      expect(scan.isAtStart).toBe(true)
    }
  })

  test.each([
    ['the bytes hold more than the request', Buffer.concat([get, get]), 1, {}],
    ['the parser has begun two', Buffer.concat([get, get]), 2, {}],
    ['the parser has not begun one', get, 0, {}],
    ['the parser has begun one before its head ended', get.subarray(0, -1), 1, {}],
    ['a body comes in chunks', get, 1, { 'transfer-encoding': 'chunked' }],
    ['the connection changes its protocol', get, 1, { upgrade: 'websocket' }],
  ])('is not known when %s', (_when, bytes, requests, headers) => {
    expect(createHeadScan().follow(bytes, requests, request(headers))).toBe(false)
  })

  test('is not known when a request begins within the body of another', () => {
    const scan = createHeadScan()
    scan.follow(get, 1, request({ 'content-length': '5' }))
    expect(scan.follow(Buffer.from('abc'), 1, request())).toBe(false)
  })
})

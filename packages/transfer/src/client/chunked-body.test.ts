import { expect, test } from 'vitest'
import { createChunkedBody } from './chunked-body.ts'
import { MalformedResponseError } from './response-head.ts'

function decode(...pieces: string[]) {
  const body = createChunkedBody()
  const data: string[] = []
  let consumedBytes = 0
  for (const piece of pieces) {
    consumedBytes += body.read(Buffer.from(piece, 'latin1'), (run) =>
      data.push(run.toString('latin1')),
    )
  }
  return { text: data.join(''), consumedBytes, isDone: body.isDone }
}

const message = '5\r\nhello\r\nA;ext="x"\r\n0123456789\r\n1\r\n!\r\n0\r\nX-Trailer: 1\r\n\r\n'

test('decodes the same wherever the bytes are split', () => {
  const whole = decode(message)
  expect(whole).toEqual({ text: 'hello0123456789!', consumedBytes: message.length, isDone: true })
  for (let at = 1; at < message.length; at++) {
    expect(decode(message.slice(0, at), message.slice(at))).toEqual(whole)
  }
  expect(decode(...Array.from(message))).toEqual(whole)
})

test('hands body bytes on as views of what was read', () => {
  const bytes = Buffer.from('3\r\nabc\r\n')
  createChunkedBody().read(bytes, (run) => expect(run.buffer).toBe(bytes.buffer))
})

test('stops at the end of the message', () => {
  expect(decode('0\r\n\r\nHTTP/1.1')).toEqual({ text: '', consumedBytes: 5, isDone: true })
})

test.each([
  ['a size that is no number', 'x\r\n'],
  ['an empty size', '\r\n'],
  ['a negative size', '-1\r\n'],
  ['a size with a prefix', '0x5\r\n'],
  ['an unsafe size', 'ffffffffffffffff\r\n'],
  ['a bare LF after the size', '5\nhello'],
  ['a bare CR in the size line', '5\r5\r\n'],
  ['more bytes than the size', '3\r\nabcd\r\n'],
  ['a chunk closed by LF alone', '3\r\nabc\n'],
  ['an endless size line', `5;${'x'.repeat(5000)}`],
])('refuses %s', (_what, text) => {
  expect(() => decode(text)).toThrow(MalformedResponseError)
})

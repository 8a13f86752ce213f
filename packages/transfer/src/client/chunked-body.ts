import type { BodyReader } from './body-reader.ts'
import { MalformedResponseError } from './response-head.ts'

const LINE_LIMIT_BYTES = 4096
const TRAILER_LIMIT_BYTES = 16 * 1024
const CR = 0x0d
const LF = 0x0a

type State = 'size' | 'data' | 'data-end' | 'trailer' | 'done'

/** Decodes the chunked transfer coding (RFC 9112 §7.1); extensions and trailers are dropped. */
export function createChunkedBody(): BodyReader {
  let state: State = 'size'
  let line = ''
  let remainingBytes = 0
  let trailerBytes = 0

  function readByteOfLine(byte: number): string | null {
    if (byte === LF) {
      if (!line.endsWith('\r')) throw new MalformedResponseError('bare LF in a chunked body')
      const whole = line.slice(0, -1)
      line = ''
      return whole
    }
    if (line.endsWith('\r')) throw new MalformedResponseError('bare CR in a chunked body')
    line += String.fromCharCode(byte)
    if (line.length > LINE_LIMIT_BYTES) throw new MalformedResponseError('chunk line is too long')
    return null
  }

  function readSizeByte(byte: number): void {
    const whole = readByteOfLine(byte)
    if (whole === null) return
    remainingBytes = parseChunkSize(whole)
    state = remainingBytes === 0 ? 'trailer' : 'data'
  }

  function readDataEndByte(byte: number): void {
    const expected = line === '' ? CR : LF
    if (byte !== expected) throw new MalformedResponseError('chunk is longer than its size')
    line = byte === CR ? '\r' : ''
    if (byte === LF) state = 'size'
  }

  function readTrailerByte(byte: number): void {
    if (++trailerBytes > TRAILER_LIMIT_BYTES)
      throw new MalformedResponseError('trailer is too long')
    if (readByteOfLine(byte) === '') state = 'done'
  }

  const readByte = { size: readSizeByte, 'data-end': readDataEndByte, trailer: readTrailerByte }

  return {
    get isDone() {
      return state === 'done'
    },
    endsWithConnection: false,
    read(bytes, onData) {
      let at = 0
      while (at < bytes.length && state !== 'done') {
        if (state === 'data') {
          const data = bytes.subarray(at, at + remainingBytes)
          at += data.length
          remainingBytes -= data.length
          if (remainingBytes === 0) state = 'data-end'
          onData(data)
        } else {
          readByte[state](bytes[at++] as number)
        }
      }
      return at
    },
  }
}

function parseChunkSize(line: string): number {
  const match = /^([\dA-Fa-f]{1,13})[\t ]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/.exec(line)
  if (!match) throw new MalformedResponseError('bad chunk size')
  const size = Number.parseInt(match[1] ?? '', 16)
  if (!Number.isSafeInteger(size)) throw new MalformedResponseError('bad chunk size')
  return size
}

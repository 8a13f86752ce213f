import { createChunkedBody } from './chunked-body.ts'
import type { BodyFraming } from './response-head.ts'

/** Finds the bytes of one body among those that come on its connection. */
export interface BodyReader {
  /**
   * Takes the next bytes and hands each run of body bytes on as a view of them, without copying.
   * Returns how many bytes belonged to the message. Throws `MalformedResponseError`.
   */
  read(bytes: Buffer, onData: (data: Buffer) => void): number
  readonly isDone: boolean
  /** Only the end of the connection ends it. */
  readonly endsWithConnection: boolean
}

export function createBodyReader(framing: BodyFraming): BodyReader {
  switch (framing.kind) {
    case 'none':
      return createSizedBody(0)
    case 'length':
      return createSizedBody(framing.bytes)
    case 'chunked':
      return createChunkedBody()
    case 'until-close':
      return { read: takeAll, isDone: false, endsWithConnection: true }
  }
}

function createSizedBody(sizeBytes: number): BodyReader {
  let remainingBytes = sizeBytes
  return {
    get isDone() {
      return remainingBytes === 0
    },
    endsWithConnection: false,
    read(bytes, onData) {
      const usedBytes = Math.min(bytes.length, remainingBytes)
      remainingBytes -= usedBytes
      if (usedBytes > 0) onData(usedBytes === bytes.length ? bytes : bytes.subarray(0, usedBytes))
      return usedBytes
    },
  }
}

function takeAll(bytes: Buffer, onData: (data: Buffer) => void): number {
  if (bytes.length > 0) onData(bytes)
  return bytes.length
}

import { Readable } from 'node:stream'
import { s3Tries } from './s3-client.ts'
import { isNamed, httpStatusOf } from './s3-errors.ts'

/** A part, or an object, to send: bytes in memory, or a stream that can be begun again. */
export type Payload = Uint8Array | { sizeBytes: number; open(): AsyncIterable<Uint8Array> }

export interface RequestBody {
  Body: Uint8Array | Readable
  ContentLength: number
}

/** Streams are begun again here: the client only repeats what is in memory. */
export async function sendPayload<Result>(
  payload: Payload,
  attempt: (body: RequestBody) => Promise<Result>,
): Promise<Result> {
  if (payload instanceof Uint8Array) {
    return attempt({ Body: payload, ContentLength: payload.byteLength })
  }
  for (let tried = 1; ; tried += 1) {
    const body = Readable.from(payload.open(), { objectMode: false })
    try {
      return await attempt({ Body: body, ContentLength: payload.sizeBytes })
    } catch (error) {
      if (tried >= s3Tries || !isWorthAnotherTry(error)) throw error
    } finally {
      body.destroy()
    }
  }
}

/** Not what the server refuses, nor what the caller has given up. */
function isWorthAnotherTry(error: unknown): boolean {
  const status = httpStatusOf(error)
  if (status !== undefined) return status >= 500
  return !isNamed(error, 'AbortError')
}

/** As S3 wants a checksum in a header. */
export function base64Crc32(crc32: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32 >>> 0)
  return bytes.toString('base64')
}

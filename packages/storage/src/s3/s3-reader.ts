import { AppError } from '@floe/errors'
import type { ObjectReader, ReadSpan } from '@floe/storage'
import type { ByteStream } from './byte-stream.ts'
import { convertS3Error } from './s3-errors.ts'

/** Asked for at once when no span was announced. */
const windowBytes = 4 * 1024 * 1024

/** What a reader calls; the keys are those that it is given. */
export interface ReadCalls {
  sizeOf(key: string): Promise<number | null>
  /** Null where the object ends before the span begins. */
  read(key: string, span: ReadSpan): Promise<ByteStream | null>
}

interface Stream {
  source: ByteStream
  /** Where the next byte it yields lies in the object. */
  position: number
  /** First byte it does not yield. */
  end: number
  hasBegun: boolean
}

/**
 * Reads in order from one response to a ranged GET, which stands still while it is not read; any
 * other position begins another. The first response is awaited, so an absent object is found here.
 */
export async function openS3Reader(
  calls: ReadCalls,
  key: string,
  span?: ReadSpan,
): Promise<ObjectReader> {
  let isClosed = false
  let stream = span && span.end > span.start ? await begin(span.start) : null
  if (stream === null && (await calls.sizeOf(key)) === null) {
    throw new AppError('file_not_found', { detail: 'object is absent' })
  }

  async function begin(position: number): Promise<Stream | null> {
    const isWithin = span && position >= span.start && position < span.end
    const end = isWithin ? span.end : position + windowBytes
    const source = await calls.read(key, { start: position, end })
    return source && { source, position, end, hasBegun: false }
  }

  function drop(): void {
    stream?.source.destroy()
    stream = null
  }

  async function read(buffer: Uint8Array, position: number): Promise<number> {
    if (isClosed) throw new AppError('internal', { detail: 'reader is closed' })
    let placed = 0
    while (placed < buffer.byteLength) {
      const at = position + placed
      if (stream?.position !== at) {
        drop()
        stream = await begin(at)
        if (stream === null) break
      }
      const { end } = stream
      const count = await fill(stream, buffer.subarray(placed)).catch((error: unknown) => {
        if (stream === null || !stream.hasBegun) throw error
        // After a pause in reading the server or a timer ended it: the rest is asked for anew.
        return null
      })
      if (count === null) {
        drop()
        continue
      }
      placed += count
      if (count > 0) continue
      drop()
      // Before the end of what was asked for lies the end of the object.
      if (at < end) break
    }
    return placed
  }

  return {
    async read(buffer, position) {
      try {
        return await read(buffer, position)
      } catch (error) {
        drop()
        throw convertS3Error(error, 'read')
      }
    },
    async close() {
      isClosed = true
      drop()
    },
  }
}

async function fill(stream: Stream, target: Uint8Array): Promise<number> {
  const count = await stream.source.read(target)
  stream.position += count
  if (count > 0) stream.hasBegun = true
  return count
}

import { getByteReader } from '../byte-reader.ts'

type Bytes = Uint8Array<ArrayBuffer>

export interface BlobReader {
  /**
   * The bytes from `start` up to and without `end`, in memory that the next call uses again.
   *
   * @throws RangeError Where the file ends before; what the browser throws where it cannot be read.
   */
  read(start: number, end: number): Promise<Bytes>
}

interface Stream {
  reader: ReadableStreamBYOBReader
  /** Where in the file it goes on. */
  at: number
}

/**
 * Reads a file piece by piece into the same memory. Pieces with memory of their own become garbage
 * faster than browsers collect it, 200 MB of it in Chromium.
 */
export function createBlobReader(file: Blob): BlobReader {
  let memory = new ArrayBuffer(0)
  let stream: Stream | null = null
  let fillsMemory = true

  async function streamFrom(start: number): Promise<Stream | null> {
    if (stream?.at === start || !fillsMemory) return stream
    await stream?.reader.cancel()
    const bytes = file.slice(start).stream()
    const reader = getByteReader(bytes)
    fillsMemory = reader !== null
    if (reader === null) await bytes.cancel()
    stream = reader && { reader, at: start }
    return stream
  }

  async function readInto(from: Stream, start: number, end: number): Promise<Bytes> {
    if (memory.byteLength < end - start) memory = new ArrayBuffer(end - start)
    while (from.at < end) {
      const free = new Uint8Array(memory, from.at - start, end - from.at)
      const { value, done } = await from.reader.read(free)
      if (done) throw endsAt(from.at)
      memory = value.buffer
      from.at += value.length
    }
    return new Uint8Array(memory, 0, end - start)
  }

  return {
    async read(start, end) {
      // One that is read in one go is not worth a stream.
      const isWhole = start === 0 && end === file.size
      const from = isWhole ? null : await streamFrom(start)
      if (from) return readInto(from, start, end)
      const bytes = new Uint8Array(await (isWhole ? file : file.slice(start, end)).arrayBuffer())
      if (bytes.length < end - start) throw endsAt(start + bytes.length)
      return bytes
    },
  }
}

function endsAt(bytes: number): RangeError {
  return new RangeError(`The file ends at ${bytes} bytes`)
}

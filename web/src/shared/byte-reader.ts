type Bytes = Uint8Array<ArrayBuffer>

const CHUNK_BYTES = 256 * 1024

/** `null` where such a stream gives out memory of its own only. */
export function getByteReader(stream: ReadableStream<Bytes>): ReadableStreamBYOBReader | null {
  try {
    return stream.getReader({ mode: 'byob' })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return null
  }
}

/**
 * Chunks as they come, each in the memory of the one before, where the browser can. Chunks with
 * memory of their own cost Chromium a quarter of the speed of a download.
 */
export function getChunkReader(
  stream: ReadableStream<Bytes>,
): Pick<ReadableStreamDefaultReader<Bytes>, 'read' | 'cancel'> {
  const reader = getByteReader(stream)
  if (reader === null) return stream.getReader()
  let memory = new ArrayBuffer(CHUNK_BYTES)
  return {
    async read() {
      const { done, value } = await reader.read(new Uint8Array(memory))
      if (done) return { done, value: undefined }
      memory = value.buffer
      return { done, value }
    },
    cancel: (reason) => reader.cancel(reason),
  }
}

import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { getChunkReader } from './byte-reader.ts'

const content = new Uint8Array(randomBytes(1_000_000))

function streamOf(type?: 'bytes'): ReadableStream<Uint8Array<ArrayBuffer>> {
  const source = {
    start(controller: Pick<ReadableStreamDefaultController, 'enqueue' | 'close'>) {
      for (let at = 0; at < content.length; at += 100_000)
        controller.enqueue(content.slice(at, at + 100_000))
      controller.close()
    },
  }
  return type ? new ReadableStream({ ...source, type }) : new ReadableStream(source)
}

describe('a reader of chunks', () => {
  it.each([
    ['into the same memory', streamOf('bytes')],
    ['into memory of its own', streamOf()],
  ])('reads all of a stream %s', async (_, stream) => {
    const reader = getChunkReader(stream)
    const read: Buffer[] = []
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      read.push(Buffer.from(value))
    }
    expect(Buffer.concat(read).equals(content)).toBe(true)
  })

  it('gives the memory of a chunk to the next one', async () => {
    const reader = getChunkReader(streamOf('bytes'))
    const { value } = await reader.read()
    await reader.read()
    expect(value?.buffer.byteLength).toBe(0)
  })

  it('reads no further once it is cancelled', async () => {
    const reader = getChunkReader(streamOf('bytes'))
    await reader.cancel()
    expect(await reader.read()).toEqual({ done: true, value: undefined })
  })
})

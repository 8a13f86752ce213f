import { randomBytes, randomInt } from 'node:crypto'
import { crc32, inflateRawSync } from 'node:zlib'
import { type ByteSource, createTransferMemory } from '@floe/transfer'
import { afterEach, describe, expect, test } from 'vitest'
import { deflateSpan, type DeflateProgress } from './deflate-span.ts'
import { createDeflater, DEFLATE_BLOCK_BYTES } from './deflater.ts'

const memory = createTransferMemory({ totalBytes: 8 * DEFLATE_BLOCK_BYTES })
const start: DeflateProgress = { sourceBytes: 0, targetBytes: 0, sourceCrc32: 0 }
afterEach(() => {
  expect(memory.streams).toBe(0)
})

/** Half of it repeats, half does not. */
function makeContent(sizeBytes: number): Buffer {
  const content = Buffer.alloc(sizeBytes)
  for (let at = 0; at < sizeBytes; at += 1_000) {
    if (randomInt(2) === 0) randomBytes(1_000).copy(content, at)
  }
  return content
}

/** Reads come in short pieces, as a network would give them. */
function sourceOf(content: Buffer): ByteSource {
  return {
    read: async (buffer, position) =>
      content.copy(buffer, 0, position, position + Math.min(buffer.length, 1 + randomInt(300_000))),
  }
}

/** Appends what it is given, later and as a copy, for the buffers are used again. */
function createTarget() {
  const written: Buffer[] = []
  return {
    bytes: () => Buffer.concat(written),
    write: async (chunks: readonly Uint8Array[]) => {
      await new Promise((resolve) => setImmediate(resolve))
      written.push(...chunks.map((chunk) => Buffer.from(chunk)))
    },
  }
}

type Part = Partial<Parameters<typeof deflateSpan>[0]>

function deflatePart(content: Buffer, part: Part & { target: Part['target'] & object }) {
  return deflateSpan({
    deflater: createDeflater({ concurrency: 3 }),
    memory,
    source: sourceOf(content),
    level: 6,
    from: start,
    end: content.length,
    sizeBytes: content.length,
    signal: new AbortController().signal,
    ...part,
  })
}

describe('deflating a file', () => {
  test('gives one stream of its content, with the right sums', async () => {
    for (const sizeBytes of [1, DEFLATE_BLOCK_BYTES, 5 * DEFLATE_BLOCK_BYTES + 77]) {
      const content = makeContent(sizeBytes)
      const target = createTarget()
      const progress = await deflatePart(content, { target })
      expect(inflateRawSync(target.bytes()).equals(content)).toBe(true)
      expect(progress).toEqual({
        sourceBytes: sizeBytes,
        targetBytes: target.bytes().length,
        sourceCrc32: crc32(content),
      })
    }
  })

  test('gives the same bytes in parts as at once, wherever the parts begin', async () => {
    const content = makeContent(6 * DEFLATE_BLOCK_BYTES + 5)
    const whole = createTarget()
    const wholeProgress = await deflatePart(content, { target: whole })
    const parts = createTarget()
    let from = start
    for (const blocks of [1, 2, 5, 7]) {
      const end = Math.min(content.length, blocks * DEFLATE_BLOCK_BYTES)
      from = await deflatePart(content, { target: parts, from, end })
    }
    expect(from).toEqual(wholeProgress)
    expect(parts.bytes().equals(whole.bytes())).toBe(true)
  })

  test('stops when told, after whole blocks that are all written', async () => {
    const content = makeContent(20 * DEFLATE_BLOCK_BYTES)
    const abort = new AbortController()
    const target = createTarget()
    let writes = 0
    const counting = {
      write: async (chunks: readonly Uint8Array[]) => {
        writes += 1
        if (writes === 3) abort.abort()
        await target.write(chunks)
      },
    }
    const progress = await deflatePart(content, { target: counting, signal: abort.signal })
    expect(progress.sourceBytes).toBeLessThan(content.length)
    expect(progress.sourceBytes % DEFLATE_BLOCK_BYTES).toBe(0)
    expect(progress.targetBytes).toBe(target.bytes().length)
    await deflatePart(content, { target, from: progress })
    expect(inflateRawSync(target.bytes()).equals(content)).toBe(true)
  })

  test('fails with what the target fails with, and keeps no memory', async () => {
    const full = { write: () => Promise.reject(new Error('no space')) }
    const content = makeContent(6 * DEFLATE_BLOCK_BYTES)
    await expect(deflatePart(content, { target: full })).rejects.toThrow('no space')
  })

  test('fails when the file is shorter than it should be', async () => {
    const content = makeContent(3 * DEFLATE_BLOCK_BYTES)
    const sizeBytes = content.length + 1
    const work = deflatePart(content, { target: createTarget(), end: sizeBytes, sizeBytes })
    await expect(work).rejects.toMatchObject({ code: 'internal' })
  })

  test('holds no more of the file than a block for each turn and one to read', async () => {
    const content = makeContent(12 * DEFLATE_BLOCK_BYTES)
    let readEnd = 0
    const source: ByteSource = {
      read: async (buffer, position) => {
        readEnd = Math.max(readEnd, position + buffer.length)
        return content.copy(buffer, 0, position, position + buffer.length)
      },
    }
    const ahead: number[] = []
    const target = {
      write: async () => {
        ahead.push(readEnd - ahead.length * DEFLATE_BLOCK_BYTES)
      },
    }
    await deflatePart(content, { source, target })
    expect(ahead).toHaveLength(12)
    expect(Math.max(...ahead)).toBeLessThanOrEqual(4 * DEFLATE_BLOCK_BYTES)
  })
})

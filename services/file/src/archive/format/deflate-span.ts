import { crc32 as updateCrc32 } from 'node:zlib'
import { readFully } from '@floe/archive'
import type { ObjectWriter } from '@floe/storage'
import type { TransferMemory, ByteSource } from '@floe/transfer'
import { DEFLATE_BLOCK_BYTES, type Deflater, DICTIONARY_BYTES } from './deflater.ts'

/** How far the deflating of a file has come. */
export interface DeflateProgress {
  /** Content deflated; whole blocks, until it is all of it. */
  sourceBytes: number
  /** What has become of them. */
  targetBytes: number
  /** CRC-32 of that content. */
  sourceCrc32: number
}

export interface DeflateSpanOptions {
  deflater: Deflater
  memory: TransferMemory
  source: ByteSource
  /** Positioned at `from.targetBytes`. */
  target: Pick<ObjectWriter, 'write'>
  level: number
  from: DeflateProgress
  /** First byte to leave for later; a multiple of the block, or the size of the file. */
  end: number
  sizeBytes: number
  /** Ends the work early: what is under way is still written. */
  signal: AbortSignal
}

/**
 * Deflates one span of a file, a few blocks at a time, and writes them in their order. Reading
 * goes one block ahead of the deflater, so that no core waits. Tells how far it came, which is
 * short of `end` only if it was told to stop.
 */
export async function deflateSpan(options: DeflateSpanOptions): Promise<DeflateProgress> {
  const { deflater, memory, source, target, level, from, end, sizeBytes, signal } = options
  // The blocks are larger than the buffers of the pool, but transfers are to leave memory for them.
  const share = memory.join()
  const free = Array.from({ length: deflater.concurrency + 1 }, () =>
    Buffer.allocUnsafeSlow(DEFLATE_BLOCK_BYTES),
  )
  const running: RunningBlock[] = []
  const progress = { ...from }

  async function writeOldest() {
    const oldest = running[0]
    if (oldest === undefined) return
    const chunks = await oldest.deflated
    await target.write(chunks)
    running.shift()
    free.push(oldest.buffer)
    progress.sourceBytes += oldest.block.length
    progress.targetBytes += chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    progress.sourceCrc32 = updateCrc32(oldest.block, progress.sourceCrc32)
  }

  try {
    let dictionary = await readDictionary(source, from.sourceBytes)
    let position = from.sourceBytes
    while (position < end && !signal.aborted) {
      const buffer = free.pop()
      if (buffer === undefined) {
        await writeOldest()
        continue
      }
      const block = buffer.subarray(0, Math.min(DEFLATE_BLOCK_BYTES, end - position))
      await readFully(source, block, position)
      position += block.length
      const isLast = position === sizeBytes
      const deflated = deflater.deflate(block, { level, dictionary, isLast })
      // It is awaited later; a failure before that must not count as unhandled.
      deflated.catch(() => undefined)
      running.push({ buffer, block, deflated })
      dictionary = Buffer.from(block.subarray(Math.max(0, block.length - DICTIONARY_BYTES)))
    }
    while (running.length > 0) await writeOldest()
    return progress
  } finally {
    // They still hold memory and places in the queue.
    await Promise.allSettled(running.map(({ deflated }) => deflated))
    share.leave()
  }
}

interface RunningBlock {
  buffer: Buffer<ArrayBuffer>
  /** As much of the buffer as was read. */
  block: Buffer
  deflated: Promise<readonly Uint8Array[]>
}

async function readDictionary(source: ByteSource, position: number): Promise<Buffer> {
  const dictionary = Buffer.alloc(Math.min(position, DICTIONARY_BYTES))
  await readFully(source, dictionary, position - dictionary.length)
  return dictionary
}

import { createBufferPool, slabBytes } from './buffer-pool.ts'
import { createChunkMemory } from './chunk-memory.ts'

/**
 * One bound for the memory of all transfers in the process: uploads, downloads, what is proxied,
 * and parts on their way to S3. Every stream joins, uses at most its share, and the shares shrink as
 * streams come or parts are held: large batches while alone, small ones in a crowd. No stream ever
 * waits for memory, so a client that stops reading cannot starve the others.
 */

const kibibyte = 1024
const largestBatchBytes = 4096 * kibibyte
const leastBatchBytes = 256 * kibibyte
/** Below this a batch costs more calls than it saves memory; only thousands of streams get here. */
const crowdedBatchBytes = 16 * kibibyte

const defaultBytes = 48 * 1024 * kibibyte

export interface MemoryShare {
  /** Bytes this stream may hold at this moment; read it again for every batch. */
  readonly batchBytes: number
  /** Size of each of two alternating read buffers that fit in `batchBytes`, at most 1 MiB. */
  readonly bufferBytes: number
  /** Frees chunks that came from a request at once; the caller must be sure nobody needs them. */
  release(chunks: readonly Buffer[]): void
  /** Gives up the share. Repeating it is harmless. */
  leave(): void
}

export interface TransferMemory {
  join(): MemoryShare
  /** A buffer of exactly `sizeBytes`, with old contents. */
  takeBuffer(sizeBytes: number): Buffer
  /** Hands a buffer back; the caller must be sure nothing reads or writes it any more. */
  returnBuffer(buffer: Buffer): void
  /** How much may be set aside for parts; a sixth is always left to streams. */
  readonly mostAsideBytes: number
  /** Takes memory that a caller manages itself out of the streams' shares; negative gives it back. */
  setAside(bytes: number): void
  readonly streams: number
  /** Bytes taken and not returned yet. */
  readonly inUseBytes: number
  /** Bytes resting in the pool. */
  readonly pooledBytes: number
}

/** @param options.totalBytes bound for all transfers together. */
export function createTransferMemory({ totalBytes = defaultBytes } = {}): TransferMemory {
  const streamBytes = totalBytes / 2
  const pool = createBufferPool({ restingBytes: streamBytes / 2 })
  const { release } = createChunkMemory()
  let streams = 0
  let asideBytes = 0

  // Streams share half: they cannot be made to give back what they hold when parts need it.
  const batchBytes = () => shareOf(Math.min(streamBytes, totalBytes - asideBytes), streams)

  function join(): MemoryShare {
    let joined = true
    streams += 1
    return {
      get batchBytes() {
        return batchBytes()
      },
      get bufferBytes() {
        return Math.min(slabBytes, batchBytes() / 2)
      },
      release,
      leave() {
        if (joined) streams -= 1
        joined = false
      },
    }
  }

  return {
    join,
    takeBuffer: pool.take,
    returnBuffer: pool.give,
    mostAsideBytes: totalBytes - totalBytes / 6,
    setAside(bytes) {
      asideBytes += bytes
    },
    get streams() {
      return streams
    },
    get inUseBytes() {
      return pool.slabBytes - pool.freeBytes
    },
    get pooledBytes() {
      return pool.freeBytes
    },
  }
}

/** Powers of two, so that few sizes exist and pooled buffers fit the next stream. */
function shareOf(bytes: number, streams: number): number {
  const fair = bytes / Math.max(1, streams)
  if (fair >= largestBatchBytes) return largestBatchBytes
  const power = 2 ** Math.floor(Math.log2(Math.max(1, fair)))
  return fair >= leastBatchBytes ? power : Math.max(crowdedBatchBytes, power)
}

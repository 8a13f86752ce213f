import { createBufferPool, slabBytes } from './buffer-pool.ts'

/**
 * One bound for the memory of all transfers in the process. Every stream joins, uses at most
 * its share, and the shares shrink as streams come: large batches while alone, small ones in a
 * crowd. Nobody ever waits for memory, so a client that stops reading cannot starve the others.
 */

const kibibyte = 1024
const largestBatchBytes = 4096 * kibibyte
const leastBatchBytes = 256 * kibibyte
/** Below this a batch costs more calls than it saves memory; only thousands of streams get here. */
const crowdedBatchBytes = 16 * kibibyte

export const defaultBudgetBytes = 24 * 1024 * kibibyte

export interface BudgetParticipant {
  /** Bytes this stream may hold at this moment; read it again for every batch. */
  readonly batchBytes: number
  /** Size of each of two alternating read buffers that fit in `batchBytes`, at most 1 MiB. */
  readonly bufferBytes: number
  /** Gives up the share. Repeating it is harmless. */
  leave(): void
}

export interface ByteBudget {
  join(): BudgetParticipant
  /** A buffer of exactly `sizeBytes`, with old contents. */
  takeBuffer(sizeBytes: number): Buffer
  /** Hands a buffer back; the caller must be sure nothing reads or writes it any more. */
  returnBuffer(buffer: Buffer): void
  readonly participants: number
  /** Bytes taken and not returned yet. */
  readonly inUseBytes: number
  /** Bytes resting in the pool. */
  readonly pooledBytes: number
}

/** @param options.totalBytes bound for all transfers together. */
export function createByteBudget({ totalBytes }: { totalBytes: number }): ByteBudget {
  const pool = createBufferPool({ restingBytes: totalBytes / 2 })
  let participants = 0
  let batchBytes = largestBatchBytes

  function recompute() {
    batchBytes = shareOf(totalBytes, participants)
  }

  function join(): BudgetParticipant {
    let joined = true
    participants += 1
    recompute()
    return {
      get batchBytes() {
        return batchBytes
      },
      get bufferBytes() {
        return Math.min(slabBytes, batchBytes / 2)
      },
      leave() {
        if (!joined) return
        joined = false
        participants -= 1
        recompute()
      },
    }
  }

  return {
    join,
    takeBuffer: pool.take,
    returnBuffer: pool.give,
    get participants() {
      return participants
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
function shareOf(totalBytes: number, participants: number): number {
  const fair = totalBytes / Math.max(1, participants)
  if (fair >= largestBatchBytes) return largestBatchBytes
  const power = 2 ** Math.floor(Math.log2(Math.max(1, fair)))
  return fair >= leastBatchBytes ? power : Math.max(crowdedBatchBytes, power)
}

import { leastPartBytes } from './part-plan.ts'

/**
 * The memory of all parts in this process, in buffers of 8 MiB. Whoever gathers a part gets a
 * buffer while there are enough, and otherwise keeps its bytes in the database at once; a buffer
 * to send from comes to everybody in turn, as sending always ends.
 */
export interface PartMemory {
  /** For gathering; null while memory is short. */
  tryTake(): Buffer | null
  /** Nobody else would get a buffer to gather in. */
  isShort(): boolean
  /** For sending: waits for its turn. */
  take(): Promise<Buffer>
  /** The caller must be sure that nothing reads or writes it any more. */
  give(buffer: Buffer): void
}

/** @param options.totalBytes at least two buffers are made whatever it says. */
export function createPartMemory({ totalBytes }: { totalBytes: number }): PartMemory {
  const most = Math.max(2, Math.floor(totalBytes / leastPartBytes))
  /** Kept back from those who gather, so that a crowd of slow ones stops nobody. */
  const reserved = Math.max(1, Math.floor(most / 3))
  const resting: Buffer[] = []
  const waiting: ((buffer: Buffer) => void)[] = []
  let taken = 0

  function hand(): Buffer {
    taken += 1
    return resting.pop() ?? Buffer.allocUnsafeSlow(leastPartBytes)
  }

  const isShort = () => most - taken <= reserved

  return {
    tryTake: () => (isShort() ? null : hand()),
    isShort,
    take() {
      if (taken < most) return Promise.resolve(hand())
      return new Promise((resolve) => waiting.push(resolve))
    },
    give(buffer) {
      const next = waiting.shift()
      if (next) return next(buffer)
      taken -= 1
      resting.push(buffer)
    },
  }
}

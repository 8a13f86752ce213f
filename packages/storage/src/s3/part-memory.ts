import { leastPartBytes } from './part-plan.ts'

/**
 * The memory of all parts in this process, in buffers of 8 MiB. Whoever gathers a part gets a
 * buffer while there are enough; otherwise it waits for one as long as buffers change hands, and
 * keeps its bytes in the database where they do not, as those who hold them are slow. A buffer to
 * send from comes to everybody in turn, as sending always ends.
 */
export interface PartMemory {
  /** For gathering; null while memory is short. */
  tryTake(): Buffer | null
  /** For gathering: null when memory is short, and the turn of this one does not come soon. */
  awaitTurn(turn: Turn): Promise<Buffer | null>
  /** Nobody else would get a buffer to gather in. */
  isShort(): boolean
  /** For sending: waits for its turn. */
  take(): Promise<Buffer>
  /** The caller must be sure that nothing reads or writes it any more. */
  give(buffer: Buffer): void
}

export interface Turn {
  /** Before all that gather later parts: small objects do not wait behind large ones. */
  isFirstPart: boolean
  /** From when it aborts on, nothing is waited for. */
  hurry: AbortSignal | undefined
}

export interface PartMemoryOptions {
  /** At least two buffers are made whatever it says. */
  totalBytes: number
  /** When no buffer has changed hands for so long, all are with slow ones. */
  stuckAfterMs?: number
  /** How long one waits to gather, at most: its sender is not read from in the meantime. */
  patienceMs?: number
}

export function createPartMemory({
  totalBytes,
  stuckAfterMs = 1_000,
  patienceMs = 10_000,
}: PartMemoryOptions): PartMemory {
  const most = Math.max(2, Math.floor(totalBytes / leastPartBytes))
  /** Kept back from those who gather, so that a crowd of slow ones stops nobody. */
  const reserved = Math.max(1, Math.floor(most / 3))
  const resting: Buffer[] = []
  const senders: ((buffer: Buffer) => void)[] = []
  /** Each in the order they came. */
  const gatherers = { first: new Set<Gatherer>(), later: new Set<Gatherer>() }
  let taken = 0
  let movedAt = -Infinity

  function hand(): Buffer {
    taken += 1
    movedAt = performance.now()
    return resting.pop() ?? Buffer.allocUnsafeSlow(leastPartBytes)
  }

  const isShort = () => most - taken <= reserved
  const tryTake = () => (isShort() ? null : hand())

  function nextTurn({ isFirstPart, hurry }: Turn): Promise<Buffer | null> {
    const queue = isFirstPart ? gatherers.first : gatherers.later
    return new Promise((resolve) => {
      const deadline = performance.now() + patienceMs
      let timer: NodeJS.Timeout | undefined
      const settle = (buffer: Buffer | null) => {
        clearTimeout(timer)
        queue.delete(settle)
        hurry?.removeEventListener('abort', giveUp)
        resolve(buffer)
      }
      const giveUp = () => settle(null)
      const look = () => {
        const leftMs = Math.min(deadline, movedAt + stuckAfterMs) - performance.now()
        if (leftMs <= 0 || hurry?.aborted) return giveUp()
        timer = setTimeout(look, leftMs)
      }
      queue.add(settle)
      hurry?.addEventListener('abort', giveUp)
      look()
    })
  }

  return {
    tryTake,
    awaitTurn: (turn) => {
      const buffer = tryTake()
      return buffer === null ? nextTurn(turn) : Promise.resolve(buffer)
    },
    isShort,
    take() {
      if (taken < most) return Promise.resolve(hand())
      return new Promise((resolve) => senders.push(resolve))
    },
    give(buffer) {
      movedAt = performance.now()
      const sender = senders.shift()
      if (sender) return sender(buffer)
      taken -= 1
      resting.push(buffer)
      const [gatherer] = gatherers.first.size > 0 ? gatherers.first : gatherers.later
      if (gatherer && !isShort()) gatherer(hand())
    },
  }
}

type Gatherer = (buffer: Buffer) => void

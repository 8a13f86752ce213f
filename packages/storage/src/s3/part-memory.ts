import type { TransferMemory } from '@floe/transfer'
import { leastPartBytes } from './part-plan.ts'

/**
 * The memory of all parts in this process, in buffers of 8 MiB, taken out of that of all transfers. A writer gets a buffer to gather a
 * part in while there are enough; otherwise it waits for one as long as buffers change hands, and
 * keeps its bytes in the database where they do not, as the writers that hold them are slow. A
 * buffer to send from comes to every writer in turn, as sending always ends.
 */
export interface PartMemory {
  /** For gathering: null when memory is short and stays short. */
  waitForBuffer(request: BufferRequest): Promise<Buffer | null>
  /** No other writer would get a buffer to gather in. */
  isShort(): boolean
  /** For sending: waits until a buffer is free. */
  take(): Promise<Buffer>
  /** The caller must be sure that nothing reads or writes it any more. */
  give(buffer: Buffer): void
}

export interface BufferRequest {
  /** Served before all that gather later parts: small objects do not wait behind large ones. */
  isFirstPart: boolean
  /** Once it aborts, nothing is waited for. */
  signal: AbortSignal | undefined
}

export interface PartMemoryOptions {
  /** At least two buffers are made, however small it is. */
  memory: Pick<TransferMemory, 'mostAsideBytes' | 'setAside'>
  /** When no buffer has changed hands for so long, slow writers hold all of them. */
  stuckAfterMs?: number
  /** How long a writer waits to gather, at most: its sender is not read from in the meantime. */
  patienceMs?: number
}

type Resolve = (buffer: Buffer) => void

export function createPartMemory({
  memory,
  stuckAfterMs = 1_000,
  patienceMs = 10_000,
}: PartMemoryOptions): PartMemory {
  const most = Math.max(2, Math.floor(memory.mostAsideBytes / leastPartBytes))
  /** Kept back from those who gather, so that many slow writers stop no other. */
  const reserved = Math.max(1, Math.floor(most / 3))
  const free: Buffer[] = []
  const senders: Resolve[] = []
  /** Each in the order they came. */
  const gatherers = { first: new Set<Resolve>(), later: new Set<Resolve>() }
  let taken = 0
  let movedAt = -Infinity

  function allocate(): Buffer {
    taken += 1
    memory.setAside(leastPartBytes)
    movedAt = performance.now()
    return free.pop() ?? Buffer.allocUnsafeSlow(leastPartBytes)
  }

  const isShort = () => most - taken <= reserved

  function waitInLine({ isFirstPart, signal }: BufferRequest): Promise<Buffer | null> {
    const queue = isFirstPart ? gatherers.first : gatherers.later
    return new Promise((resolve) => {
      const deadline = performance.now() + patienceMs
      let timer: NodeJS.Timeout | undefined
      const settle = (buffer: Buffer | null) => {
        clearTimeout(timer)
        queue.delete(settle)
        signal?.removeEventListener('abort', giveUp)
        resolve(buffer)
      }
      const giveUp = () => settle(null)
      const look = () => {
        const leftMs = Math.min(deadline, movedAt + stuckAfterMs) - performance.now()
        if (leftMs <= 0 || signal?.aborted) return giveUp()
        timer = setTimeout(look, leftMs)
      }
      queue.add(settle)
      signal?.addEventListener('abort', giveUp)
      look()
    })
  }

  return {
    waitForBuffer: (request) => (isShort() ? waitInLine(request) : Promise.resolve(allocate())),
    isShort,
    take() {
      if (taken < most) return Promise.resolve(allocate())
      return new Promise((resolve) => senders.push(resolve))
    },
    give(buffer) {
      movedAt = performance.now()
      const sender = senders.shift()
      if (sender) return sender(buffer)
      taken -= 1
      memory.setAside(-leastPartBytes)
      free.push(buffer)
      const [gatherer] = gatherers.first.size > 0 ? gatherers.first : gatherers.later
      if (gatherer && !isShort()) gatherer(allocate())
    },
  }
}

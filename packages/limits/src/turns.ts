/** `hasWaited` says whether others were at it meanwhile. */
export type InTurn = <T>(party: string, run: (hasWaited: boolean) => Promise<T>) => Promise<T>

/**
 * Lets `concurrent` of them run at once. The parties that wait take turns, so whoever asks a
 * thousand times at once waits for that alone, and everybody else for one run of each party.
 */
export function createTurns(concurrent: number): InTurn {
  let running = 0
  /** The party whose turn is next comes first. */
  const waiting = new Map<string, (() => void)[]>()

  function takePlace(party: string): Promise<void> {
    return new Promise((resolve) => {
      const queue = waiting.get(party)
      if (queue) queue.push(resolve)
      else waiting.set(party, [resolve])
    })
  }

  function passOn(): void {
    const [party, queue = []] = waiting.entries().next().value ?? []
    const next = queue.shift()
    if (party === undefined || !next) {
      running -= 1
      return
    }
    waiting.delete(party)
    if (queue.length > 0) waiting.set(party, queue)
    next()
  }

  return async (party, run) => {
    const hasWaited = running >= concurrent
    if (hasWaited) await takePlace(party)
    else running += 1
    try {
      return await run(hasWaited)
    } finally {
      passOn()
    }
  }
}

/** `hasWaited` says whether others were running meanwhile. */
export type FairQueue = <T>(party: string, run: (hasWaited: boolean) => Promise<T>) => Promise<T>

/**
 * Lets `concurrent` calls run at once. Parties that wait are served in turn: a party that asks a
 * thousand times at once delays only itself, and another waits for one run of each party at most.
 */
export function createFairQueue(concurrent: number): FairQueue {
  let running = 0
  /** The party that is served next comes first. */
  const waiting = new Map<string, (() => void)[]>()

  function waitFor(party: string): Promise<void> {
    return new Promise((resolve) => {
      const queue = waiting.get(party)
      if (queue) queue.push(resolve)
      else waiting.set(party, [resolve])
    })
  }

  function startNext(): void {
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
    if (hasWaited) await waitFor(party)
    else running += 1
    try {
      return await run(hasWaited)
    } finally {
      startNext()
    }
  }
}

/** `hasWaited` says whether others were at it meanwhile. */
export type InTurn = <T>(run: (hasWaited: boolean) => Promise<T>) => Promise<T>

/** Lets `concurrent` of them run at once; the others wait in the order they came. */
export function createTurns(concurrent: number): InTurn {
  let running = 0
  const waiting: (() => void)[] = []

  return async (run) => {
    const hasWaited = running >= concurrent
    if (hasWaited) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await run(hasWaited)
    } finally {
      const next = waiting.shift()
      // Whoever waited longest takes over this place.
      if (next) next()
      else running -= 1
    }
  }
}

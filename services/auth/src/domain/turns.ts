export type InTurn = <T>(run: () => Promise<T>) => Promise<T>

/** Lets `concurrent` of them run at once; the others wait in the order they came. */
export function createTurns(concurrent: number): InTurn {
  let running = 0
  const waiting: (() => void)[] = []

  return async (run) => {
    if (running < concurrent) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      // Whoever waited longest takes over this place.
      if (next) next()
      else running -= 1
    }
  }
}

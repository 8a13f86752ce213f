export type Limiter = <T>(task: () => Promise<T>) => Promise<T>

/** Runs at most `concurrency` tasks at a time, the others in order of arrival. */
export function createLimiter(concurrency: number): Limiter {
  let running = 0
  const waiting: (() => void)[] = []

  return async (task) => {
    if (running >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await task()
    } finally {
      // The place is handed over rather than freed, so that nobody can slip in between.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

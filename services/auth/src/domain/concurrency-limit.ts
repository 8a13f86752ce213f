/** Runs at most `limit` pieces of work at once; the others wait in order of arrival. */
export function createConcurrencyLimit(limit: number) {
  const waiting: (() => void)[] = []
  let free = limit

  function release(): void {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }

  return async function run<T>(work: () => Promise<T>): Promise<T> {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      release()
    }
  }
}

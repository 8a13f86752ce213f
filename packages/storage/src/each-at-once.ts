/**
 * Runs for each item, `most` of them at a time. When one fails no further is begun, and the error
 * comes once none is running any more.
 */
export async function eachAtOnce<T>(
  items: readonly T[],
  most: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  const work = async () => {
    try {
      for (const item of rest) await run(item)
    } catch (error) {
      // An iterator of an array goes on after `return`, so it is emptied.
      while (!rest.next().done);
      throw error
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: most }, work))
  for (const end of ended) if (end.status === 'rejected') throw end.reason
}

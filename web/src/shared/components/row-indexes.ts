/** Every index of a list. */
export function everyIndex({ count }: { count: number }): number[] {
  return Array.from({ length: count }, (_, index) => index)
}

/** Ascending indexes with one more and its neighbours among them; −1 is none. */
export function withNeighbours(
  indexes: readonly number[],
  added: number,
  { count }: { count: number },
): number[] {
  if (added === -1) return [...indexes]
  const all = new Set([...indexes, added - 1, added, added + 1])
  return [...all].filter((index) => index >= 0 && index < count).sort((a, b) => a - b)
}

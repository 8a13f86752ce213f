/** Reproducible chance: the same seed gives the same run. */
export interface Random {
  /** Whole number from `low` up to and including `high`. */
  between(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(values: readonly T[]): T
}

/** mulberry32: small, and good enough to shuffle tests. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    between,
    chance: (probability) => next() < probability,
    pick: (values) => {
      const value = values[between(0, values.length - 1)]
      if (value === undefined) throw new Error('nothing to pick from')
      return value
    },
  }
}

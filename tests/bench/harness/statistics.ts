export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Linear interpolation between the two nearest values. */
export function quantile(values: readonly number[], q: number): number {
  if (values.length === 0) throw new Error('no values')
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * q
  const low = sorted[Math.floor(at)] ?? Number.NaN
  const high = sorted[Math.ceil(at)] ?? Number.NaN
  return low + (high - low) * (at - Math.floor(at))
}

/** Median of the ratios of runs that followed one another. */
export function pairedRatio(ours: readonly number[], theirs: readonly number[]): number {
  return median(ratios(ours, theirs))
}

export function ratios(ours: readonly number[], theirs: readonly number[]): number[] {
  if (ours.length !== theirs.length) throw new Error('runs are not paired')
  return ours.map((value, index) => value / (theirs[index] ?? Number.NaN))
}

export interface Contender {
  name: string
  run: () => Promise<void>
}

/** A comparison that takes longer than this goes without the rounds that are left. */
const ENOUGH_MS = 150_000
const LEAST_ROUNDS = 3

/**
 * Runs the contenders in turn, `count` rounds; every other round backwards, so that none always
 * follows the same neighbour. On a machine too slow or busy for all of them it stops earlier.
 */
export async function runRounds(count: number, contenders: readonly Contender[]): Promise<void> {
  const startedAt = performance.now()
  for (let round = 0; round < count; round++) {
    if (round >= LEAST_ROUNDS && performance.now() - startedAt > ENOUGH_MS) return
    const order = round % 2 === 0 ? contenders : contenders.toReversed()
    for (const contender of order) await contender.run()
  }
}

/**
 * Standard error of the median, from the spread of the middle half: 1.2533 σ/√n for a normal
 * distribution, with σ = IQR / 1.349, so that a few stragglers do not count as noise.
 */
export function medianError(values: readonly number[]): number {
  const sigma = (quantile(values, 0.75) - quantile(values, 0.25)) / 1.349
  return (1.2533 * sigma) / Math.sqrt(values.length)
}

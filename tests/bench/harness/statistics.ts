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

/**
 * Runs the contenders in turn, `count` rounds after a warm-up; every other round backwards, so
 * that none always follows the same neighbour.
 */
export async function runRounds(
  count: number,
  contenders: readonly Contender[],
  warmUp?: (contender: Contender) => Promise<void>,
): Promise<void> {
  if (warmUp) for (const contender of contenders) await warmUp(contender)
  for (let round = 0; round < count; round++) {
    const order = round % 2 === 0 ? contenders : contenders.toReversed()
    for (const contender of order) await contender.run()
  }
}

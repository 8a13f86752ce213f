/** How fast bytes move, over the last few seconds. */
export interface Speedometer {
  /** The position of a counter that only this speedometer watches. */
  record(position: number): void
  /** Bytes that moved just now. */
  add(bytes: number): void
  /** False until a second position is known: the first one says where, not how fast. */
  isMoving(): boolean
  /** `null` until there is something to tell. */
  bytesPerSecond(): number | null
  reset(): void
}

const WINDOW_MS = 6000
const SAMPLE_MS = 250

export function createSpeedometer({ now }: { now: () => number }): Speedometer {
  let samples: { atMs: number; position: number }[] = []
  let sum = 0

  function record(position: number) {
    const atMs = now()
    const last = samples.at(-1)
    const isReplacement = samples.length > 1 && last && atMs - last.atMs < SAMPLE_MS
    if (isReplacement) last.position = position
    else samples.push({ atMs, position })
    samples = samples.filter((sample) => atMs - sample.atMs <= WINDOW_MS)
  }

  return {
    record,
    add(bytes) {
      sum += bytes
      record(sum)
    },
    isMoving: () => samples.length > 1,
    bytesPerSecond() {
      const first = samples[0]
      const last = samples.at(-1)
      if (!first || !last || first === last) return null
      const seconds = Math.max(now() - first.atMs, 1) / 1000
      return Math.max(0, last.position - first.position) / seconds
    },
    reset() {
      samples = []
    },
  }
}

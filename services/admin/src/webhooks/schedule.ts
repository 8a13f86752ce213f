const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** After each failed attempt: about three days in all. */
const pausesMs = [
  ...[5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS],
  ...[14 * HOUR_MS, 20 * HOUR_MS, 24 * HOUR_MS],
]

/** When the next attempt is due, after so many; `null` once there is none. */
export function nextAttempt(attempts: number, now: Date): Date | null {
  const pauseMs = pausesMs[attempts - 1]
  return pauseMs === undefined ? null : new Date(now.getTime() + pauseMs)
}

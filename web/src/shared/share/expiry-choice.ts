import { addDuration, type DurationUnit, END_OF_TIME_MS, type SharingRules } from '@floe/contracts'

/** What the expiry fields hold. */
export interface ExpiryChoice {
  /** `''` while the field is empty. */
  amount: number | ''
  unit: DurationUnit
  never: boolean
}

const HOUR_MS = 3_600_000
/** An expiration has no more digits. */
export const MOST_UNITS = 99_999

function fromHours(hours: number): ExpiryChoice {
  const isDays = hours % 24 === 0
  return { amount: isDays ? hours / 24 : hours, unit: isDays ? 'day' : 'hour', never: false }
}

/** The proposal of a new share. `maxHours` 0 means unlimited. */
export function defaultExpiry({
  defaultHours,
  maxHours,
}: {
  defaultHours: number
  maxHours: number
}): ExpiryChoice {
  return fromHours(maxHours > 0 ? Math.min(defaultHours, maxHours) : defaultHours)
}

/** `null` for never, and for a number that makes no date. */
export function expiryDate({ amount, unit, never }: ExpiryChoice, start: Date): Date | null {
  if (never || amount === '' || !Number.isInteger(amount) || amount < 1) return null
  const date = addDuration(start, { amount, unit })
  return Number.isNaN(date.getTime()) ? null : date
}

/** The last moment a share may live to. `maxHours` 0 means unlimited. */
export function latestExpiry(maxHours: number, start: Date): Date {
  const last = END_OF_TIME_MS - 1
  return new Date(maxHours > 0 ? Math.min(start.getTime() + maxHours * HOUR_MS, last) : last)
}

/** The last that the server takes, for the wire. */
export function longestExpiration({
  maxExpiration,
  allowNeverExpires,
}: Pick<SharingRules, 'maxExpiration' | 'allowNeverExpires'>): string {
  if (maxExpiration === 0 && allowNeverExpires) return 'never'
  return `${Math.min(maxExpiration || MOST_UNITS, MOST_UNITS)}-hours`
}

export function toExpiration({ amount, unit, never }: ExpiryChoice): string {
  if (never) return 'never'
  return `${amount}-${unit}${amount === 1 ? '' : 's'}`
}

import { z } from 'zod'

export const durationUnits = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const
export type DurationUnit = (typeof durationUnits)[number]

/** ISO dates with four digits of year end here, and so does what clients can parse. */
export const END_OF_TIME_MS = Date.UTC(10_000, 0, 1)

export interface Duration {
  amount: number
  unit: DurationUnit
}

/** `never`, or `<number>-<unit>` with the unit in singular or plural: `3-days`. */
const expirationPattern = /^(?:never|([1-9]\d{0,4})-(minute|hour|day|week|month|year)s?)$/

export const expirationSchema = z
  .string()
  .regex(expirationPattern, 'expiration must be "never" or a number and a unit, such as "7-days"')

/** `null` means never. Throws a `RangeError` for text that `expirationSchema` refuses. */
export function parseExpiration(text: string): Duration | null {
  const match = expirationPattern.exec(text)
  if (!match) throw new RangeError(`not an expiration: ${text}`)
  if (text === 'never') return null
  return { amount: Number(match[1]), unit: match[2] as DurationUnit }
}

/** Calendar-aware: one month after 31 January is the last day of February. */
export function addDuration(start: Date, { amount, unit }: Duration): Date {
  const end = new Date(start)
  switch (unit) {
    case 'minute':
      end.setTime(end.getTime() + amount * 60_000)
      return end
    case 'hour':
      end.setTime(end.getTime() + amount * 3_600_000)
      return end
    case 'day':
      end.setUTCDate(end.getUTCDate() + amount)
      return end
    case 'week':
      end.setUTCDate(end.getUTCDate() + amount * 7)
      return end
    case 'month':
      return addMonths(end, amount)
    case 'year':
      return addMonths(end, amount * 12)
  }
}

function addMonths(date: Date, months: number): Date {
  const day = date.getUTCDate()
  const end = new Date(date)
  end.setUTCDate(1)
  end.setUTCMonth(end.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
  end.setUTCDate(Math.min(day, lastDay))
  return end
}

/** How "never" is written on the wire: clients compare with the epoch. */
export const NEVER_ON_WIRE = new Date(0).toISOString()

export function expirationToWire(expiresAt: Date | null): string {
  return expiresAt === null ? NEVER_ON_WIRE : expiresAt.toISOString()
}

import type { HourCount } from '@floe/contracts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Younger shares are shown by hours. */
const HOURS_BELOW_MS = 2 * DAY_MS
/** Older ones by weeks: so many days are as narrow as bars may become on a phone. */
const MOST_DAYS = 62
const MOST_WEEKS = 53
const FEWEST = { hour: 24, day: 7, week: 1 }

export type SlotUnit = keyof typeof FEWEST

/** A bar or two: what was counted from `startsAt` until the next one begins. */
export interface Slot {
  startsAt: Date
  /** The last day of it, where it has more than one. */
  endsOn: Date
  views: number
  downloads: number
}

export interface TimeSlots {
  unit: SlotUnit
  /** Oldest first, without gaps; the last one holds `now`. */
  slots: Slot[]
}

interface Counted {
  createdAt: Date
  now: Date
  views: readonly HourCount[]
  downloads: readonly HourCount[]
}

/**
 * Hours, days or weeks of the viewer's time zone since the share was made. An hour that was counted
 * belongs to the day in which it begins.
 */
export function createSlots({ createdAt, now, views, downloads }: Counted): TimeSlots {
  const days = countDays(createdAt, now)
  const unit =
    now.getTime() - createdAt.getTime() < HOURS_BELOW_MS
      ? 'hour'
      : days <= MOST_DAYS
        ? 'day'
        : 'week'
  const slots = emptySlots(unit, { createdAt, now, days })
  addTo(slots, views, 'views')
  addTo(slots, downloads, 'downloads')
  return { unit, slots }
}

function emptySlots(
  unit: SlotUnit,
  { createdAt, now, days }: { createdAt: Date; now: Date; days: number },
): Slot[] {
  const wanted = {
    hour: hourOf(now) - hourOf(createdAt) + 1,
    day: days,
    week: Math.min(MOST_WEEKS, Math.ceil(days / 7)),
  }
  const count = Math.max(FEWEST[unit], wanted[unit])
  return Array.from({ length: count }, (_, index) => {
    const back = count - 1 - index
    if (unit === 'hour') {
      const startsAt = new Date((hourOf(now) - back) * HOUR_MS)
      return { startsAt, endsOn: startsAt, views: 0, downloads: 0 }
    }
    const endsOn = dayBefore(now, unit === 'day' ? back : back * 7)
    const startsAt = unit === 'day' ? endsOn : dayBefore(endsOn, 6)
    return { startsAt, endsOn, views: 0, downloads: 0 }
  })
}

function addTo(
  slots: readonly Slot[],
  hours: readonly HourCount[],
  key: 'views' | 'downloads',
): void {
  let index = 0
  for (const { hour, count } of hours) {
    const startsAtMs = Date.parse(hour)
    let next = slots[index + 1]
    while (next && next.startsAt.getTime() <= startsAtMs) {
      index += 1
      next = slots[index + 1]
    }
    const slot = slots[index]
    if (slot && slot.startsAt.getTime() <= startsAtMs) slot[key] += count
  }
}

// Hours are counted by UTC: where clocks are half an hour off, they begin at half past.
const hourOf = (date: Date) => Math.floor(date.getTime() / HOUR_MS)

/** Counts by the calendar: a day on which the clocks change is not 24 hours long. */
function dayBefore(date: Date, days: number): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - days)
}

/** From the one day to the other, both included. */
function countDays(from: Date, to: Date): number {
  return Math.round((dayBefore(to, 0).getTime() - dayBefore(from, 0).getTime()) / DAY_MS) + 1
}

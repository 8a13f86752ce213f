import { OVERVIEW_DAYS, type Overview } from '@floe/contracts'

const dayMs = 24 * 60 * 60 * 1000

export type Metric = 'storageBytes' | 'shares' | 'users'

export interface TrendDay {
  /** `2026-05-01`, in UTC. */
  day: string
  /** `null` where nobody looked. */
  value: number | null
}

/** Every day of the overview up to today, which is what there is now. */
export function trendDays({ days, now }: Overview, metric: Metric, today: Date): TrendDay[] {
  const known = new Map(days.map((counts) => [counts.day, counts[metric]]))
  return Array.from({ length: OVERVIEW_DAYS }, (_, index) => {
    const isToday = index === OVERVIEW_DAYS - 1
    const moment = new Date(today.getTime() - (OVERVIEW_DAYS - 1 - index) * dayMs)
    const day = moment.toISOString().slice(0, 10)
    return { day, value: (isToday ? now[metric] : null) ?? known.get(day) ?? null }
  })
}

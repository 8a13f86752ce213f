import type { SourceSetting } from '../source.ts'
import type { Tables } from './tables.ts'
import { text, textOrNull } from './values.ts'

/** Of the fork, by their name in 0.24. */
const MOVED: Record<string, string> = {
  'security.allowRegistration': 'share.allowRegistration',
  'security.allowUnauthenticatedShares': 'share.allowUnauthenticatedShares',
  'share.enableShareEmailRecipients': 'email.enableShareEmailRecipients',
  'share.shareDownloadNotificationSubject': 'email.shareDownloadNotificationSubject',
  'share.shareDownloadNotificationMessage': 'email.shareDownloadNotificationMessage',
}

/** In hours here; plain hours until 1.7, `7 days` since. */
const TIMESPANS = new Set(['share.maxExpiration', 'share.defaultExpiration'])
const HOURS_OF: Record<string, number> = {
  minute: 1 / 60,
  hour: 1,
  day: 24,
  week: 7 * 24,
  month: 30 * 24,
  year: 365 * 24,
}

/** Signs their tokens, which nobody here reads. */
const INTERNAL = 'internal.'

/** What was set; a row without a value has its default. */
export function readSettings(tables: Tables): SourceSetting[] {
  return tables.all('Config', 'order by "category", "order"').flatMap((row) => {
    const value = textOrNull(row, 'value')
    const name = `${text(row, 'category')}.${text(row, 'name')}`
    if (value === null || name.startsWith(INTERNAL)) return []
    const key = MOVED[name] ?? name
    return [{ key, value: TIMESPANS.has(key) ? toHours(value) : value }]
  })
}

/** `3 months` → `2160`; what it cannot read stays as it is. */
export function toHours(timespan: string): string {
  const [, count, unit = ''] = /^(\d+) ([a-z]+?)s?$/.exec(timespan.trim()) ?? []
  const hours = HOURS_OF[unit]
  if (count === undefined || hours === undefined) return timespan
  return String(Math.ceil(Number(count) * hours))
}

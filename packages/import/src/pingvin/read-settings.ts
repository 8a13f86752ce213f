import type { SourceSetting } from '../source.ts'
import type { FileSettings } from './read-config-file.ts'
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

/** What was set, in the configuration file if there is one; what has no value has its default. */
export function readSettings(tables: Tables, file: FileSettings): SourceSetting[] {
  const rows = tables.all('Config', 'order by "category", "order"').flatMap((row) => {
    const category = text(row, 'category')
    if (file.has(category)) return []
    return { name: `${category}.${text(row, 'name')}`, value: textOrNull(row, 'value') }
  })
  const inFile = [...file].flatMap(([category, names]) =>
    [...names].map(([name, value]) => ({ name: `${category}.${name}`, value })),
  )
  return [...rows, ...inFile].flatMap(({ name, value }) => {
    if (value === null || name.startsWith(INTERNAL)) return []
    const key = MOVED[name] ?? name
    return { key, value: TIMESPANS.has(key) ? toHours(value) : value }
  })
}

/** `3 months` → `2160`; what it cannot read stays as it is. */
export function toHours(timespan: string): string {
  const [, count, unit = ''] = /^(\d+) ([a-z]+?)s?$/.exec(timespan.trim()) ?? []
  const hours = HOURS_OF[unit]
  if (count === undefined || hours === undefined) return timespan
  return String(Math.ceil(Number(count) * hours))
}

import { languages, LONGEST_PERIOD_HOURS } from '@floe/contracts'
import type { SourceSetting } from '../source.ts'
import type { Tables } from '../sqlite/tables.ts'
import { text, textOrNull } from '../sqlite/values.ts'
import type { FileSettings } from './read-config-file.ts'

const ACCENT = 'appearance.accentColor'

/** By the name of the fork's palette; its own, `victoria`, is left for ours. */
const NAMED_COLOR = 'appearance.themePrimaryColor'
const COLORS: Record<string, string> = {
  dark: '#2e2e2e',
  gray: '#868e96',
  red: '#fa5252',
  pink: '#e64980',
  grape: '#be4bdb',
  violet: '#7950f2',
  indigo: '#4c6ef5',
  blue: '#228be6',
  cyan: '#15aabf',
  teal: '#12b886',
  green: '#40c057',
  lime: '#82c91e',
  yellow: '#fab005',
  orange: '#fd7e14',
}

const LANGUAGE = 'general.defaultLanguage'

/** `de-DE` → `de`; one that there is not stays as it is. */
function findLanguage(code: string): string {
  const [spoken] = code.split('-')
  return (
    languages.find((language) => language === code) ??
    languages.find((language) => language.split('-')[0] === spoken) ??
    code
  )
}

/** Of the fork, by their name in 0.24. */
const MOVED: Record<string, string> = {
  'appearance.themeColorScheme': 'appearance.colorScheme',
  'appearance.themePrimaryColorOverride': ACCENT,
  'security.sessionDuration': 'general.sessionDuration',
  'security.allowRegistration': 'share.allowRegistration',
  'security.allowUnauthenticatedShares': 'share.allowUnauthenticatedShares',
  'security.allowAdminAccessAllShares': 'share.allowAdminAccessAllShares',
  'share.enableShareEmailRecipients': 'email.enableShareEmailRecipients',
  'share.shareDownloadNotificationSubject': 'email.shareDownloadNotificationSubject',
  'share.shareDownloadNotificationMessage': 'email.shareDownloadNotificationMessage',
}

/** A switch of the fork that is one choice of several here. */
const CHOICES: Record<string, { key: string; on: string; off: string }> = {
  'share.reverseShareSimpleOnly': { key: 'share.reverseShares', on: 'simple', off: 'on' },
}

/** Less than nothing is for good there. */
const RETENTION = 'share.fileRetentionPeriod'

/** In hours here; plain hours until 1.7, `7 days` since. */
const TIMESPANS = new Set([
  RETENTION,
  'general.sessionDuration',
  'share.maxExpiration',
  'share.defaultExpiration',
])
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
  return translateSettings([...rows, ...inFile])
}

/** By the names and in the units that they have here. */
export function translateSettings(
  settings: readonly { name: string; value: string | null }[],
): SourceSetting[] {
  // A color that is written out comes before the one of the palette.
  const isNamed = ({ name }: { name: string }) => Number(name === NAMED_COLOR)
  const ordered = [...settings].sort((a, b) => isNamed(b) - isNamed(a))
  const translated = ordered.flatMap(({ name, value }) => {
    if (value === null || name.startsWith(INTERNAL)) return []
    if (name === NAMED_COLOR) {
      const color = COLORS[value]
      return color === undefined ? [] : [{ key: ACCENT, value: color }]
    }
    const choice = CHOICES[name]
    if (choice) return [{ key: choice.key, value: value === 'true' ? choice.on : choice.off }]
    if (name === LANGUAGE) return [{ key: name, value: findLanguage(value) }]
    const key = MOVED[name] ?? name
    if (key === RETENTION && value.startsWith('-')) {
      return [{ key, value: String(LONGEST_PERIOD_HOURS) }]
    }
    return { key, value: TIMESPANS.has(key) ? toHours(value) : value }
  })
  // The last one of a name counts.
  return [...new Map(translated.map((setting) => [setting.key, setting])).values()]
}

/** `3 months` → `2160`; what it cannot read stays as it is. */
export function toHours(timespan: string): string {
  const [, count, unit = ''] = /^(\d+) ([a-z]+?)s?$/.exec(timespan.trim()) ?? []
  const hours = HOURS_OF[unit]
  if (count === undefined || hours === undefined) return timespan
  return String(Math.ceil(Number(count) * hours))
}

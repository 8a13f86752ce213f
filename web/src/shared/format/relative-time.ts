const units = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['week', 7 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const

/** `2 hours ago`, `yesterday`, `now`; what lies ahead by a wrong clock counts as now. */
export function formatAgo(date: Date, nowMs: number, locale: string): string {
  const seconds = Math.max(0, (nowMs - date.getTime()) / 1000)
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const unit = units.find(([, length]) => seconds >= length)
  return unit ? format.format(-Math.floor(seconds / unit[1]), unit[0]) : format.format(0, 'second')
}

const sizeUnits = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** Decimal units, at most one decimal: `1.5 MB`. */
export function formatSize(bytes: number, locale: string): string {
  let amount = bytes
  let unit = 0
  // 999.95 would round up to "1,000".
  while (amount >= 999.95 && unit < sizeUnits.length - 1) {
    amount /= 1000
    unit += 1
  }
  const digits = unit === 0 ? 0 : 1
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(amount)
  return `${number}\u00a0${sizeUnits[unit]}`
}

export function formatDate(date: Date, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' }).format(date)
}

export function formatShortDate(date: Date, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(date)
}

/** `45 sec`, `3 min`, `2 hr` or spelt out: the largest unit that fits, rounded up. */
export function formatSeconds(
  seconds: number,
  locale: string,
  unitDisplay: 'short' | 'long' = 'short',
): string {
  const [amount, unit] =
    seconds < 60
      ? ([seconds, 'second'] as const)
      : seconds < 3600
        ? ([seconds / 60, 'minute'] as const)
        : ([seconds / 3600, 'hour'] as const)
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay }).format(
    Math.ceil(amount),
  )
}

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

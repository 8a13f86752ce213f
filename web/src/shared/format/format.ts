export function formatDate(date: Date, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' }).format(date)
}

export function formatShortDate(date: Date, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(date)
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** `in 6 days`: to the nearest of the largest unit of which there are at least two. */
export function formatTimeLeft(date: Date, nowMs: number, locale: string): string {
  const leftMs = date.getTime() - nowMs
  const [unit, lengthMs] =
    leftMs < 2 * hourMs
      ? (['minute', minuteMs] as const)
      : leftMs < 2 * dayMs
        ? (['hour', hourMs] as const)
        : leftMs < 60 * dayMs
          ? (['day', dayMs] as const)
          : leftMs < 730 * dayMs
            ? (['month', 30.44 * dayMs] as const)
            : (['year', 365.25 * dayMs] as const)
  const amount = Math.max(1, Math.round(leftMs / lengthMs))
  return new Intl.RelativeTimeFormat(locale).format(amount, unit)
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

/** `7 days`, `36 hours`. */
export function formatPeriod(hours: number, locale: string): string {
  const [amount, unit] =
    hours % 24 === 0 ? ([hours / 24, 'day'] as const) : ([hours, 'hour'] as const)
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(amount)
}

/** Decimal units, each a thousand of the one before. */
export const sizeUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
export type SizeUnit = (typeof sizeUnits)[number]

/** `GB`, and in other languages `Go` or `ГБ`. */
export function formatSizeUnit(unit: SizeUnit, locale: string): string {
  const style = { style: 'unit', unit, unitDisplay: 'narrow' } as const
  const parts = new Intl.NumberFormat(locale, style).formatToParts(1)
  return parts.find(({ type }) => type === 'unit')?.value ?? unit
}

/** At most one decimal: `1.5 MB`. */
export function formatSize(bytes: number, locale: string): string {
  let amount = bytes
  let unit: SizeUnit = 'byte'
  for (const larger of sizeUnits.slice(1)) {
    // 999.95 would round up to "1,000".
    if (amount < 999.95) break
    amount /= 1000
    unit = larger
  }
  const digits = unit === 'byte' ? 0 : 1
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(amount)
  return `${number}\u00a0${formatSizeUnit(unit, locale)}`
}

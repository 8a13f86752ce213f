/** Decimal units, each a thousand of the one before. */
export const sizeUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
export type SizeUnit = (typeof sizeUnits)[number]

interface Formats {
  whole: Intl.NumberFormat
  tenths: Intl.NumberFormat
  units: Map<SizeUnit, string>
}

// Making a format takes longer than drawing the row of a list that it is for.
const formatsOf = new Map<string, Formats>()

function formatsFor(locale: string): Formats {
  const known = formatsOf.get(locale)
  if (known) return known
  const formats = {
    whole: new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }),
    tenths: new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }),
    units: new Map<SizeUnit, string>(),
  }
  formatsOf.set(locale, formats)
  return formats
}

/** `GB`, and in other languages `Go` or `ГБ`. */
export function formatSizeUnit(unit: SizeUnit, locale: string): string {
  const { units } = formatsFor(locale)
  const name = units.get(unit) ?? readUnit(unit, locale)
  units.set(unit, name)
  return name
}

function readUnit(unit: SizeUnit, locale: string): string {
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
  const { whole, tenths } = formatsFor(locale)
  const number = (unit === 'byte' ? whole : tenths).format(amount)
  return `${number}\u00a0${formatSizeUnit(unit, locale)}`
}

import { type SizeUnit, sizeUnits } from '@floe/contracts'

/** What the size fields hold: decimal units, as everywhere on the page. */
export interface SizeChoice {
  /** `''` while the field is empty. */
  amount: number | ''
  unit: SizeUnit
}

const MAX_AMOUNT = 99_999

/** `null` for a number that makes no size. */
export function toBytes({ amount, unit }: SizeChoice): number | null {
  if (amount === '') return null
  const bytes = Math.round(amount * 1000 ** sizeUnits.indexOf(unit))
  const isSize = amount > 0 && amount <= MAX_AMOUNT && bytes >= 1 && Number.isSafeInteger(bytes)
  return isSize ? bytes : null
}

/** In the largest unit that fits, with at most two decimals: it may be a little off. */
export function fromBytes(bytes: number): SizeChoice {
  const step = Math.min(
    Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)),
    sizeUnits.length - 1,
  )
  const amount = Math.round((bytes / 1000 ** step) * 100) / 100
  return { amount, unit: sizeUnits[step] ?? 'byte' }
}

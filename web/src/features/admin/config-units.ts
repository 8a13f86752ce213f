import { type ConfigUnit, type SizeUnit, sizeUnits } from '@floe/contracts'

const timeUnits = ['hour', 'day', 'week'] as const
type TimeUnit = (typeof timeUnits)[number]
export type ShownUnit = SizeUnit | TimeUnit

interface Scale {
  unit: ShownUnit
  /** How many of the setting's own unit one of these is. */
  factor: number
}

/** From small to large; decimal sizes, as everywhere on the page. */
const scales: Readonly<Record<ConfigUnit, readonly Scale[]>> = {
  byte: sizeUnits.map((unit, step) => ({ unit, factor: 1000 ** step })),
  hour: [
    { unit: 'hour', factor: 1 },
    { unit: 'day', factor: 24 },
    { unit: 'week', factor: 168 },
  ],
  day: [
    { unit: 'day', factor: 1 },
    { unit: 'week', factor: 7 },
  ],
}

/** What is proposed where there is nothing to read it from. */
const customary: Readonly<Record<ConfigUnit, ShownUnit>> = {
  byte: 'gigabyte',
  hour: 'day',
  day: 'day',
}

/** Has the unit a name, or a sign? */
export function isTimeUnit(unit: ShownUnit): unit is TimeUnit {
  return timeUnits.some((name) => name === unit)
}

export function unitsOf(kind: ConfigUnit): ShownUnit[] {
  return scales[kind].map(({ unit }) => unit)
}

/** The largest unit that says the value exactly with two decimals at most. */
export function unitFor(kind: ConfigUnit, value: number): ShownUnit {
  if (value === 0) return customary[kind]
  const decimals = kind === 'byte' ? 100 : 1
  const fitting = scales[kind].filter(
    ({ factor }) => value >= factor && (value * decimals) % factor === 0,
  )
  return fitting.at(-1)?.unit ?? scales[kind][0]?.unit ?? customary[kind]
}

export function toAmount(kind: ConfigUnit, value: number, unit: ShownUnit): number {
  return value / factorOf(kind, unit)
}

/** The nearest whole number of the setting's own unit. */
export function fromAmount(kind: ConfigUnit, amount: number, unit: ShownUnit): number {
  return Math.round(amount * factorOf(kind, unit))
}

function factorOf(kind: ConfigUnit, unit: ShownUnit): number {
  return scales[kind].find((scale) => scale.unit === unit)?.factor ?? 1
}

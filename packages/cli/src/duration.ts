import { UsageError } from './failures.ts'

const units: Record<string, string> = {
  m: 'minutes',
  min: 'minutes',
  h: 'hours',
  d: 'days',
  w: 'weeks',
  mo: 'months',
  y: 'years',
}

/** `7d` as the API writes it, `7-days`. What the API writes itself stays, and dates. */
export function readExpiration(text: string): string {
  if (text === 'never' || /^\d+-[a-z]+$/.test(text) || /^\d{4}-\d{2}-\d{2}/.test(text)) return text
  const match = /^([1-9]\d{0,4})(m|min|h|d|w|mo|y)$/.exec(text)
  if (!match) {
    throw new UsageError(`${text} is not a duration. Use 30m, 12h, 7d, 2w, 3mo or 1y, or never.`)
  }
  return `${match[1]}-${units[match[2] ?? '']}`
}

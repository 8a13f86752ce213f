import { AppError } from '@floe/errors'

/** Bytes from `start` up to, not including, `end`. */
export interface ByteSpan {
  start: number
  end: number
}

const singleRange = /^(\d*)-(\d*)$/

/**
 * The span a `Range` header asks for; null means the whole representation: no header, another
 * unit, a malformed value (RFC 9110 §14.2 lets both be ignored) or several ranges, which no
 * client needs to resume and which invite overlapping-range attacks. Express's range-parser refuses
 * a suffix longer than the file, which §14.1.3 wants as the whole, so it is not used here.
 * Fails with `range_not_satisfiable` if it starts past the end.
 */
export function parseRange(header: string | undefined, sizeBytes: number): ByteSpan | null {
  const equals = header?.indexOf('=') ?? -1
  if (header === undefined || equals === -1) return null
  if (header.slice(0, equals).trim().toLowerCase() !== 'bytes') return null
  const match = singleRange.exec(header.slice(equals + 1).trim())
  if (match === null) return null
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return null
  return first === '' ? lastBytes(Number(last), sizeBytes) : between(first, last, sizeBytes)
}

function lastBytes(count: number, sizeBytes: number): ByteSpan | null {
  if (count === 0) throw notSatisfiable(sizeBytes)
  // §14.1.3: a suffix longer than the representation means all of it; nothing of nothing is whole.
  if (sizeBytes === 0) return null
  return { start: Math.max(0, sizeBytes - count), end: sizeBytes }
}

function between(first: string, last: string, sizeBytes: number): ByteSpan | null {
  const start = Number(first)
  const final = last === '' ? Infinity : Number(last)
  if (final < start) return null
  if (start >= sizeBytes) throw notSatisfiable(sizeBytes)
  return { start, end: Math.min(final + 1, sizeBytes) }
}

function notSatisfiable(sizeBytes: number): AppError {
  return new AppError('range_not_satisfiable', { detail: `representation has ${sizeBytes} bytes` })
}

import { UsageError } from './failures.ts'

const factors: Record<string, number> = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 }

/** Bytes of `500MB`, `1.5 GB` or `1024`. Throws a `UsageError`. */
export function readSize(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([kmgt]?)b?$/i.exec(text.trim())
  if (!match) throw new UsageError(`${text} is no size. Use 500MB or 10GB.`)
  return Math.round(Number(match[1]) * (factors[(match[2] ?? '').toLowerCase()] ?? 1))
}

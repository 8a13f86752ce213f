import Negotiator from 'negotiator'

/** `preferred` decides at equal weight; the library's published types lack it. */
interface EncodingNegotiator {
  encodings(available: readonly string[], options: { preferred: readonly string[] }): string[]
}

const codings = ['br', 'gzip'] as const
export type Coding = (typeof codings)[number]

/**
 * The best of the stored codings the client takes (RFC 9110 §12.5.3); `null` for the plain file.
 * Brotli wins at equal weight, since browsers weigh all alike and it is smaller.
 */
export function chooseCoding(
  acceptEncoding: string | undefined,
  stored: readonly Coding[],
): Coding | null {
  const headers = { 'accept-encoding': acceptEncoding }
  const negotiator: EncodingNegotiator = new Negotiator({ headers })
  const [best] = negotiator.encodings(stored, { preferred: codings })
  return codings.find((coding) => coding === best) ?? null
}

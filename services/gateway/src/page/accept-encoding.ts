export type Coding = 'br' | 'gzip'

/**
 * The best of the stored codings the client takes (RFC 9110 §12.5.3); `null` for the plain file.
 * Brotli wins at equal weight, since browsers weigh all alike and it is smaller.
 */
export function chooseCoding(
  acceptEncoding: string | undefined,
  stored: readonly Coding[],
): Coding | null {
  const weights = parseWeights(acceptEncoding ?? '')
  const candidates = (['br', 'gzip'] as const)
    .filter((coding) => stored.includes(coding))
    .map((coding) => ({ coding, weight: weights.get(coding) ?? weights.get('*') ?? 0 }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
  return candidates[0]?.coding ?? null
}

function parseWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const item of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = item.split(';').map((part) => part.trim())
    if (coding === '') continue
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    const weight = quality === undefined ? 1 : Number(quality.slice(2))
    weights.set(coding, Number.isFinite(weight) ? weight : 0)
  }
  return weights
}

/** Finds the pattern of the route that a path (without query) leads to; null if there is none. */
export type FindPattern = (path: string) => string | null

/**
 * Names requests by the pattern of their route: what stands in a path may open something or belong
 * to somebody, and there is no end to what can stand there. Literal segments go before parameters.
 */
export function createPatternFinder(routes: readonly { path: string }[]): FindPattern {
  const bySegments = new Map<number, { path: string; segments: string[] }[]>()
  for (const path of new Set(routes.map((route) => route.path))) {
    const segments = path.split('/')
    const known = bySegments.get(segments.length) ?? []
    bySegments.set(segments.length, [...known, { path, segments }])
  }
  for (const patterns of bySegments.values()) patterns.sort(literalFirst)

  return (path) => {
    // Express lets one slash follow.
    const segments = (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path).split('/')
    const fits = (pattern: readonly string[]) =>
      pattern.every((part, i) => (part.startsWith(':') ? segments[i] !== '' : part === segments[i]))
    const found = bySegments.get(segments.length)?.find((known) => fits(known.segments))
    return found?.path ?? null
  }
}

function literalFirst(a: { segments: string[] }, b: { segments: string[] }): number {
  for (const [i, segment] of a.segments.entries()) {
    const difference = Number(segment.startsWith(':')) - Number(b.segments[i]?.startsWith(':'))
    if (difference !== 0) return difference
  }
  return 0
}

/**
 * Which service returns a path. Patterns are Express paths without wildcards (`/api/shares`,
 * `/api/shares/:shareId/files`); each owns the path and everything below it. Segments are compared
 * as they were sent, case and percent-encoding included, so both arrangements decide alike.
 */
export interface RouteTable<T> {
  /** The owner of this path (without query), the most specific pattern first. */
  find(path: string): T | undefined
}

interface Entry<T> {
  segments: readonly string[]
  value: T
}

export function createRouteTable<T>(
  entries: readonly { paths: readonly string[]; value: T }[],
): RouteTable<T> {
  const table = entries
    .flatMap(({ paths, value }) =>
      paths.map((path): Entry<T> => ({ segments: split(path), value })),
    )
    .sort((a, b) => bySpecificity(a.segments, b.segments))
  return {
    find(path) {
      const segments = split(path)
      return table.find((entry) => owns(entry.segments, segments))?.value
    },
  }
}

function split(path: string): string[] {
  return path.split('/').slice(1)
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':')
}

function owns(pattern: readonly string[], path: readonly string[]): boolean {
  return (
    path.length >= pattern.length &&
    pattern.every((segment, i) => (isParameter(segment) ? path[i] !== '' : segment === path[i]))
  )
}

// Longer before shorter, then literal before parameter from the left.
function bySpecificity(a: readonly string[], b: readonly string[]): number {
  if (a.length !== b.length) return b.length - a.length
  for (const [i, segment] of a.entries()) {
    const difference = Number(isParameter(segment)) - Number(isParameter(b[i] ?? ''))
    if (difference !== 0) return difference
  }
  return 0
}

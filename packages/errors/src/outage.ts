/** Codes of what could not be reached or was lost, and of a database that starts or stops. */
const outageCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // What the system makes of a file system whose disk fails, until it was repaired.
  'EROFS',
  // PostgreSQL, "Appendix A: error codes": shutdowns, starting up.
  '57P01',
  '57P02',
  '57P03',
])

/** Errors of libraries that have no code. */
const outageNames: ReadonlySet<string> = new Set([
  'TimeoutError',
  'KnexTimeoutError',
  'ServiceUnavailable',
  'SlowDown',
])

/** Those of `pg`; knex puts the statement and a dash before them. */
const lostConnection =
  /(?:^| - )(?:Connection (?:terminated|ended)|timeout exceeded when trying to connect|Client (?:has encountered a connection error|was closed) and is not queryable)/

/** Whether what an error tells is that a server was away, so that the same may work later. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return (
    outageCodes.has(code) ||
    // Connection exceptions; no disk, memory or connections left.
    (typeof code === 'string' && /^(?:08|53)\w{3}$/.test(code)) ||
    outageNames.has(error.name) ||
    lostConnection.test(error.message) ||
    // Each address of a host that has several.
    (error instanceof AggregateError && error.errors.some(isOutage))
  )
}

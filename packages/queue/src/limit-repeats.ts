const quietMs = 10_000

/** A server that is down fails several times a second; its message is passed on every ten seconds. */
export function limitRepeats(report: (error: Error) => void): (error: Error) => void {
  const lastAt = new Map<string, number>()
  return (error) => {
    const now = Date.now()
    if (now - (lastAt.get(error.message) ?? 0) < quietMs) return
    if (lastAt.size >= 100) lastAt.clear()
    lastAt.set(error.message, now)
    report(error)
  }
}

/** Ten thousand small files must not ask ten thousand times. */
const KNOWN_FOR_MS = 1_000
const MOST_KNOWN = 10_000

export interface AccountLimitsDeps<Limits> {
  /** Asks the service that has the accounts. */
  ask(account: { userId: string }): Promise<Limits>
  clock: () => Date
}

/** Asks for an account's limits, at most once a second; what fails is asked for again. */
export function rememberLimits<Limits>({
  ask,
  clock,
}: AccountLimitsDeps<Limits>): (userId: string) => Promise<Limits> {
  const known = new Map<string, { limits: Promise<Limits>; askedAt: number }>()

  return (userId) => {
    const now = clock().getTime()
    const last = known.get(userId)
    if (last && now - last.askedAt < KNOWN_FOR_MS && now >= last.askedAt) return last.limits
    if (known.size >= MOST_KNOWN) known.clear()
    const limits = ask({ userId })
    known.set(userId, { limits, askedAt: now })
    limits.catch(() => known.delete(userId))
    return limits
  }
}

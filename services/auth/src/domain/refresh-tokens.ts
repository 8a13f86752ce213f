/** Two tabs may renew with the same cookie at once; later than this it is a stolen copy. */
export const REUSE_GRACE_MS = 5_000

export interface RefreshTokenState {
  replacedAt: Date | null
  /** A token that this one was replaced by has been replaced itself: somebody went on with it. */
  hasReplacedSuccessor: boolean
  sessionRevokedAt: Date | null
  sessionExpiresAt: Date
}

export type RefreshVerdict = 'rotate' | 'refuse' | 'revoke-session'

/** OAuth 2.0 Security BCP (RFC 9700 §4.14): a replaced token that comes back ends its session. */
export function judgeRefreshToken(state: RefreshTokenState, now: Date): RefreshVerdict {
  if (state.sessionRevokedAt !== null || state.sessionExpiresAt <= now) return 'refuse'
  if (state.replacedAt === null) return 'rotate'
  const ageMs = now.getTime() - state.replacedAt.getTime()
  return ageMs <= REUSE_GRACE_MS && !state.hasReplacedSuccessor ? 'rotate' : 'revoke-session'
}

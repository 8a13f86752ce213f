import { createHash, randomBytes } from 'node:crypto'

/** Two tabs may renew with the same cookie at once; later than this it is a stolen copy. */
export const REUSE_GRACE_MS = 30_000

export interface RefreshToken {
  token: string
  hash: Buffer
}

/** 256 random bits; only their SHA-256 is kept. */
export function createRefreshToken(): RefreshToken {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashRefreshToken(token) }
}

export function hashRefreshToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export interface RefreshTokenState {
  replacedAt: Date | null
  sessionRevokedAt: Date | null
  sessionExpiresAt: Date
}

export type RefreshVerdict = 'rotate' | 'refuse' | 'revoke-session'

/** OAuth 2.0 Security BCP (RFC 9700 §4.14): a replaced token that comes back ends its session. */
export function judgeRefreshToken(state: RefreshTokenState, now: Date): RefreshVerdict {
  if (state.sessionRevokedAt !== null || state.sessionExpiresAt <= now) return 'refuse'
  if (state.replacedAt === null) return 'rotate'
  const ageMs = now.getTime() - state.replacedAt.getTime()
  return ageMs <= REUSE_GRACE_MS ? 'rotate' : 'revoke-session'
}

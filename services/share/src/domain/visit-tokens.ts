import { createHmac, type KeyObject } from 'node:crypto'
import { decodeJwt, errors, jwtVerify, SignJWT } from 'jose'
import type { Share } from './share.ts'
import type { ShareKey } from './share-key.ts'

/** What tokens are about, and the audiences that keep those of one kind from passing as another's. */
export type TokenKind = 'share-visit' | 'reverse-share-access'
type TokenSubject = Pick<Share, 'uid' | 'createdAt' | 'expiresAt' | 'passwordHash'>

export interface VisitTokens {
  /** `recipient`: as whom its holder was let in. */
  issue(share: TokenSubject, recipient?: string | null): Promise<string>
  /** Is this a token of this very share, made under its present password? */
  verify(token: string, share: TokenSubject): Promise<boolean>
  /** What `verify` knows of it; `null` where it is none. */
  read(token: string, share: TokenSubject): Promise<{ recipient: string | null } | null>
}

const longestVisitMs = 90 * 24 * 3_600_000

/**
 * What the cookie of a granted visit holds. Bound to the share's uid, birth and password, so that
 * neither a new share under an old id nor a changed password honours it.
 */
export function createVisitTokens(deps: {
  key: ShareKey
  clock: () => Date
  kind?: TokenKind
}): VisitTokens {
  const { key, clock, kind = 'share-visit' } = deps
  const audience = `floe:${kind}`
  async function read(token: string, share: TokenSubject) {
    const secret = await key()
    const payload = await readToken(token, secret, { share, audience, now: clock() })
    if (payload === null) return null
    const { shareCreatedAt, password } = binding(share, secret)
    const isBound = payload['shareCreatedAt'] === shareCreatedAt && payload['password'] === password
    if (!isBound) return null
    const { recipient } = payload
    return { recipient: typeof recipient === 'string' ? recipient : null }
  }

  return {
    read,
    issue: async (share, recipient = null) => {
      const secret = await key()
      const now = clock()
      const longest = new Date(now.getTime() + longestVisitMs)
      const expiresAt =
        share.expiresAt !== null && share.expiresAt < longest ? share.expiresAt : longest
      const claims = { ...binding(share, secret), ...(recipient !== null && { recipient }) }
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(share.uid)
        .setAudience(audience)
        .setIssuedAt(now)
        .setExpirationTime(expiresAt)
        .sign(secret)
    },

    verify: async (token, share) => (await read(token, share)) !== null,
  }
}

/** When the token says it was made, in seconds; 0 for anything else. Unverified: for ordering. */
export function readIssuedAt(token: string): number {
  try {
    return decodeJwt(token).iat ?? 0
  } catch {
    return 0
  }
}

async function readToken(
  token: string,
  key: KeyObject,
  subject: { share: TokenSubject; audience: string; now: Date },
) {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      audience: subject.audience,
      subject: subject.share.uid,
      currentDate: subject.now,
      requiredClaims: ['exp'],
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

function binding({ createdAt, passwordHash }: TokenSubject, key: KeyObject) {
  return {
    shareCreatedAt: createdAt.getTime(),
    // Keyed: the token is readable by its holder and must not help to guess the password.
    password: createHmac('sha256', key)
      .update(`share-password\0${passwordHash ?? ''}`)
      .digest('base64url'),
  }
}

import { createSecretKey, randomUUID } from 'node:crypto'
import { ACCESS_TOKEN_TTL_SECONDS } from '@floe/contracts'
import { compactVerify, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { User } from './user.ts'

const algorithms = ['HS256']
const REMEMBERED_TOKENS = 1_000

/** The rest of the claims is for clients; the server reads the rows these two name. */
const claimsSchema = z.object({ sub: z.guid(), sid: z.guid() })

export interface AccessTokenSubject {
  userId: string
  sessionId: string
}

export interface AccessTokens {
  sign(user: User, sessionId: string): Promise<string>
  /** `null` unless the signature is ours and the token has not expired. */
  verify(token: string): Promise<AccessTokenSubject | null>
  /** As `verify`, but an expired token still names its session: to end it. */
  verifySignature(token: string): Promise<AccessTokenSubject | null>
}

export function createAccessTokens({
  secret,
  clock,
}: {
  secret: Buffer
  clock: () => Date
}): AccessTokens {
  const key = createSecretKey(secret)
  // A signature stays what it is; whether its session still lives is asked of the row every time.
  const verified = new Map<string, { subject: AccessTokenSubject; expiresAt: number }>()

  function remember(token: string, entry: { subject: AccessTokenSubject; expiresAt: number }) {
    if (verified.size >= REMEMBERED_TOKENS) verified.clear()
    verified.set(token, entry)
  }

  return {
    sign(user, sessionId) {
      const issuedAt = Math.floor(clock().getTime() / 1000)
      return new SignJWT({ email: user.email, isAdmin: user.isAdmin, sid: sessionId })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(user.id)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ACCESS_TOKEN_TTL_SECONDS)
        .setJti(randomUUID())
        .sign(key)
    },
    verify: async (token) => {
      const now = clock()
      const known = verified.get(token)
      if (known) return known.expiresAt > now.getTime() ? known.subject : null
      let expiresAt = 0
      const subject = await readSubject(async () => {
        const options = { algorithms, currentDate: now, requiredClaims: ['exp'] }
        const { payload } = await jwtVerify(token, key, options)
        expiresAt = (payload.exp ?? 0) * 1000
        return payload
      })
      if (subject) remember(token, { subject, expiresAt })
      return subject
    },
    verifySignature: (token) =>
      readSubject(async () => {
        const { payload } = await compactVerify(token, key, { algorithms })
        return JSON.parse(Buffer.from(payload).toString('utf8'))
      }),
  }
}

// Whatever is wrong with a token, its bearer is nobody.
async function readSubject(read: () => Promise<unknown>): Promise<AccessTokenSubject | null> {
  try {
    const { sub, sid } = claimsSchema.parse(await read())
    return { userId: sub, sessionId: sid }
  } catch {
    return null
  }
}

import { createHash, randomBytes } from 'node:crypto'
import { redirectPathSchema, type SocialProvider } from '@floe/contracts'
import type { Secrets } from '@floe/secrets'
import { z } from 'zod'

export const SOCIAL_ATTEMPT_TTL_MS = 10 * 60 * 1000

const PURPOSE = 'oauth-state'
const MAX_SEALED_LENGTH = 4_000

const attemptSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  /** The path of this site to redirect to. */
  redirect: redirectPathSchema,
  /** Whose account it is to be linked to, and the session that asked for it. */
  link: z.object({ userId: z.guid(), sessionId: z.guid() }).nullable(),
  expiresAt: z.number(),
})

/** One way to the provider and back. It lives in the browser that began it, sealed. */
export type SocialAttempt = z.infer<typeof attemptSchema>

export interface SocialAttempts {
  begin(options: Pick<SocialAttempt, 'redirect' | 'link'>): SocialAttempt
  seal(provider: SocialProvider, attempt: SocialAttempt): string
  /** `null` unless it is ours, of this provider, and has not expired. */
  open(provider: SocialProvider, sealed: string | null): SocialAttempt | null
}

export function createSocialAttempts({
  secrets,
  clock,
}: {
  secrets: Secrets
  clock: () => Date
}): SocialAttempts {
  return {
    begin: (options) => ({
      ...options,
      state: randomToken(),
      nonce: randomToken(),
      codeVerifier: randomToken(),
      expiresAt: clock().getTime() + SOCIAL_ATTEMPT_TTL_MS,
    }),
    seal: (provider, attempt) =>
      secrets.seal(PURPOSE, provider, JSON.stringify(attempt)).toString('base64url'),
    open(provider, sealed) {
      if (sealed === null || sealed.length > MAX_SEALED_LENGTH) return null
      const opened = secrets.open(PURPOSE, provider, Buffer.from(sealed, 'base64url'))
      if (opened === null) return null
      const attempt = attemptSchema.parse(JSON.parse(opened))
      return attempt.expiresAt > clock().getTime() ? attempt : null
    },
  }
}

/** RFC 7636 §4.2, S256. */
export function codeChallengeOf({ codeVerifier }: SocialAttempt): string {
  return createHash('sha256').update(codeVerifier).digest('base64url')
}

/** 256 bits in 43 characters, which is also the least a code verifier may have. */
function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

import { createHash } from 'node:crypto'
import type { Secrets } from '@floe/secrets'
import { z } from 'zod'
import type { UsedChallenge } from './passkey-ports.ts'

export const CHALLENGE_TTL_MS = 5 * 60 * 1000

const PURPOSE = 'passkey-challenge'
const MOST_BYTES = 500

const contentSchema = z.object({ expiresAt: z.number() })
const clientDataSchema = z.looseObject({ challenge: z.string() })

/**
 * What a challenge is for, and whose: it is answered for nothing else. `null` is anybody who signs in
 * by a passkey alone.
 */
export interface ChallengeUse {
  for: 'adding' | 'signing-in' | 'second-step'
  userId: string | null
}

/**
 * Challenges that carry what is to be known of them, sealed: nothing is stored for those that nobody
 * answers. An answered one is used up in the transaction that it entitles to.
 */
export interface PasskeyChallenges {
  issue(use: ChallengeUse): Uint8Array<ArrayBuffer>
  /** Of base64url; `null` unless it is ours, for this, and has not expired. */
  open(challenge: string, use: ChallengeUse): UsedChallenge | null
}

export function createPasskeyChallenges({
  secrets,
  clock,
}: {
  secrets: Secrets
  clock: () => Date
}): PasskeyChallenges {
  const contextOf = ({ for: what, userId }: ChallengeUse) => `${what} ${userId ?? ''}`
  return {
    issue(use) {
      const expiresAt = clock().getTime() + CHALLENGE_TTL_MS
      // Sealing is with random bytes: no two are alike.
      return new Uint8Array(secrets.seal(PURPOSE, contextOf(use), JSON.stringify({ expiresAt })))
    },
    open(challenge, use) {
      const sealed = Buffer.from(challenge, 'base64url')
      if (sealed.length > MOST_BYTES) return null
      const opened = secrets.open(PURPOSE, contextOf(use), sealed)
      if (opened === null) return null
      const now = clock()
      const expiresAt = new Date(contentSchema.parse(JSON.parse(opened)).expiresAt)
      if (expiresAt <= now) return null
      return { hash: createHash('sha256').update(sealed).digest(), now, expiresAt }
    },
  }
}

/** The challenge that an authenticator says it answers: proven by its signature alone. */
export function challengeOf({ response }: { response: { clientDataJSON: string } }): string {
  try {
    const text = Buffer.from(response.clientDataJSON, 'base64url').toString()
    return clientDataSchema.parse(JSON.parse(text)).challenge
  } catch {
    return ''
  }
}

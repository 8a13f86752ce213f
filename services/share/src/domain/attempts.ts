import { setTimeout as wait } from 'node:timers/promises'
import { AppError, type RateLimitUsage } from '@floe/errors'
import {
  clientNetwork,
  createFairQueue,
  rateLimitUsage,
  type RateLimit,
  type RateLimits,
  tooManyRequests,
} from '@floe/limits'

export const attemptLimits = {
  /** Wrong passwords of one share from one address. */
  password: { name: 'share-password', points: 20, windowSeconds: 300 },
  /** Wrong passwords of one share from everywhere: beyond it attempts wait, and none is refused. */
  everywhere: { name: 'share-password-everywhere', points: 99, windowSeconds: 900 },
  /** Wrong codes of one recipient of a share from one address; each code ends after a few. */
  code: { name: 'share-code', points: 20, windowSeconds: 900 },
  /** Codes asked for, from one address, and for one recipient of a share: each is a message. */
  codeRequest: { name: 'share-code-request', points: 20, windowSeconds: 300 },
  codeRecipient: { name: 'share-code-recipient', points: 10, windowSeconds: 3_600 },
  /** Questions whether a link is free, from one address. */
  idCheck: { name: 'share-id-check', points: 60, windowSeconds: 60 },
  tokenCheck: { name: 'reverse-share-token-check', points: 60, windowSeconds: 60 },
  /** Links that lead to no reverse share, from one address. */
  tokenLookup: { name: 'reverse-share-lookup', points: 60, windowSeconds: 60 },
} as const satisfies Record<string, RateLimit>

// As many as hash at once. An attempt looks at its limit when its turn has come, so that a thousand
// sent together are not all let through, nor all hashed, before the first of them has failed. A
// network that sends so many waits for that alone: networks take turns, whatever the shares.
const CONCURRENT_ATTEMPTS = 2

const MAX_DELAY_MS = 2_000
const DELAY_STEP_MS = 10

/** The delay of an attempt after so many wrong ones on its share. */
export function delayAfter(failures: number): number {
  const excess = failures - attemptLimits.everywhere.points
  return Math.min(MAX_DELAY_MS, Math.max(0, excess) * DELAY_STEP_MS)
}

export interface PasswordAttempt {
  /** The uid of a share, with a recipient where it is a code; or the id of a reverse share. */
  subject: string
  clientAddress: string
}

/** Questions that count whatever the result. */
export type CountedQuestion = 'idCheck' | 'tokenCheck'

/** Slows down guessing of passwords and links. */
export interface Attempts {
  /**
   * Runs `isRight` unless too many went wrong before; only wrong passwords count.
   * Fails with wrong_password, too_many_requests.
   */
  checkPassword(who: PasswordAttempt, isRight: () => Promise<boolean>): Promise<RateLimitUsage>
  /** As `checkPassword`. Fails with invalid_share_code, too_many_requests. */
  checkCode(who: PasswordAttempt, isRight: () => Promise<boolean>): Promise<RateLimitUsage>
  /** Counts every one. Fails with too_many_requests. */
  countCodeRequest(who: PasswordAttempt): Promise<void>
  /** Counts every question. Fails with too_many_requests. */
  count(question: CountedQuestion, clientAddress: string): Promise<RateLimitUsage>
  /**
   * Looks for what a link leads to, unless too many found nothing before; only those count.
   * Fails with too_many_requests.
   */
  followLink<T>(clientAddress: string, find: () => Promise<T | null>): Promise<T | null>
}

export function createAttempts({ limits }: { limits: RateLimits }): Attempts {
  const runAttempt = createFairQueue(CONCURRENT_ATTEMPTS)
  // Nothing is hashed here: following a link does not wait for passwords.
  const runLookup = createFairQueue(CONCURRENT_ATTEMPTS)

  async function check(
    { limit, refusal }: { limit: RateLimit; refusal: 'wrong_password' | 'invalid_share_code' },
    { subject, clientAddress }: PasswordAttempt,
    isRight: () => Promise<boolean>,
  ) {
    const network = clientNetwork(clientAddress)
    const key = `${subject} ${network}`
    const everywhere = await limits.peek(attemptLimits.everywhere, subject)
    const delayMs = delayAfter(everywhere.spent)
    if (delayMs > 0) await wait(delayMs)

    return runAttempt(network, async () => {
      const before = await limits.peek(limit, key)
      if (before.remaining === 0) throw tooManyRequests(limit, before)
      if (await isRight()) return rateLimitUsage(limit, before)
      const [after] = await Promise.all([
        limits.spend(limit, key),
        limits.spend(attemptLimits.everywhere, subject),
      ])
      throw new AppError(refusal, { rateLimit: rateLimitUsage(limit, after) })
    })
  }

  async function followLink<T>(clientAddress: string, find: () => Promise<T | null>) {
    const limit = attemptLimits.tokenLookup
    const key = clientNetwork(clientAddress)
    return runLookup(key, async () => {
      const before = await limits.peek(limit, key)
      if (before.remaining === 0) throw tooManyRequests(limit, before)
      const found = await find()
      if (found === null) await limits.spend(limit, key)
      return found
    })
  }

  return {
    checkPassword: (who, isRight) =>
      check({ limit: attemptLimits.password, refusal: 'wrong_password' }, who, isRight),
    checkCode: (who, isRight) =>
      check({ limit: attemptLimits.code, refusal: 'invalid_share_code' }, who, isRight),
    countCodeRequest: async ({ subject, clientAddress }) => {
      const counted = [
        [attemptLimits.codeRequest, clientNetwork(clientAddress)],
        [attemptLimits.codeRecipient, subject],
      ] as const
      for (const [limit, key] of counted) {
        const state = await limits.spend(limit, key)
        if (state.isExceeded) throw tooManyRequests(limit, state)
      }
    },
    followLink,
    count: async (question, clientAddress) => {
      const limit = attemptLimits[question]
      const state = await limits.spend(limit, clientNetwork(clientAddress))
      if (state.isExceeded) throw tooManyRequests(limit, state)
      return rateLimitUsage(limit, state)
    },
  }
}

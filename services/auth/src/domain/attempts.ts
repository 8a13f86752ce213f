import { setTimeout as wait } from 'node:timers/promises'
import type { ErrorCode } from '@floe/contracts'
import { isAppError } from '@floe/errors'
import {
  clientNetwork,
  createFairQueue,
  type FairQueue,
  type RateLimit,
  type RateLimits,
  tooManyRequests,
} from '@floe/limits'

const minute = 60
const quarterHour = 15 * minute
const hour = 60 * minute

export const attemptLimits = {
  /** Wrong passwords of one account from one address. */
  account: { name: 'sign-in-account-address', points: 10, windowSeconds: quarterHour },
  /** Wrong passwords of one account in a browser that signed in to it before. */
  device: { name: 'sign-in-device', points: 10, windowSeconds: quarterHour },
  /** Wrong passwords from one address, for any account. */
  address: { name: 'sign-in-address', points: 50, windowSeconds: quarterHour },
  /** Wrong passwords of one account from everywhere: beyond it attempts wait, and none is refused. */
  everywhere: { name: 'sign-in-account', points: 99, windowSeconds: quarterHour },
  /** Wrong codes of one account, from browsers it does not know. */
  secondStep: { name: 'second-step-account', points: 30, windowSeconds: hour },
  /** Wrong passwords and codes of somebody who is signed in. */
  confirmation: { name: 'confirmation', points: 10, windowSeconds: quarterHour },
  /** Wrong links, and all requests for one. */
  resetPassword: { name: 'reset-password', points: 20, windowSeconds: 5 * minute },
  resetRequest: { name: 'reset-request', points: 20, windowSeconds: 5 * minute },
  signUp: { name: 'sign-up', points: 200, windowSeconds: 5 * minute },
  /** Wrong codes of programs that ask to be approved, of one account and of one address. */
  userCode: { name: 'user-code-account', points: 10, windowSeconds: quarterHour },
  userCodeAddress: { name: 'user-code-address', points: 50, windowSeconds: quarterHour },
  deviceRequest: { name: 'device-request', points: 30, windowSeconds: 5 * minute },
  /** New addresses of one account: each is sent a message. */
  emailChange: { name: 'email-change', points: 10, windowSeconds: hour },
} as const satisfies Record<string, RateLimit>

/** Error codes that count as a wrong guess. */
const wrongGuesses: readonly ErrorCode[] = [
  'wrong_credentials',
  'wrong_password',
  'invalid_totp',
  'invalid_reset_token',
  'device_code_not_found',
]

const MAX_DELAY_MS = 2_000
const DELAY_STEP_MS = 10

/** The delay of an attempt after so many wrong ones on its account. */
export function delayAfter(failures: number): number {
  const excess = failures - attemptLimits.everywhere.points
  return Math.min(MAX_DELAY_MS, Math.max(0, excess) * DELAY_STEP_MS)
}

// As many as hash at once. An attempt that had to wait looks at its limits again, so that of a
// thousand sent together not all are let through before the first of them has failed.
const CONCURRENT_ATTEMPTS = 2
const CONCURRENT_ATTEMPTS_ELSEWHERE = 10

export interface SignInAttempt {
  /** As the account is called in the attempt: the same for one that does not exist. */
  account: string
  address: string
  /** The browser's id, if the account knows it. */
  deviceId: string | null
  /** Another server decides, which may take its time: nobody who hashes waits for it. */
  isElsewhere?: boolean
}

/**
 * Slows down guessing. Each guard runs `attempt` unless too many went wrong before it, and
 * fails with too_many_requests otherwise; only wrong guesses count.
 */
export interface Attempts {
  signIn<T>(who: SignInAttempt, attempt: () => Promise<T>): Promise<T>
  /** `deviceId`: as for signIn; the tries of each login token are limited besides. */
  secondStep<T>(
    who: { userId: string; deviceId: string | null },
    attempt: () => Promise<T>,
  ): Promise<T>
  confirm<T>(sessionId: string, attempt: () => Promise<T>): Promise<T>
  resetPassword<T>(address: string, attempt: () => Promise<T>): Promise<T>
  guessUserCode<T>(who: { userId: string; address: string }, attempt: () => Promise<T>): Promise<T>
  /** Counts, and fails with too_many_requests beyond the limit. */
  countResetRequest(address: string): Promise<void>
  countSignUp(address: string): Promise<void>
  countDeviceRequest(address: string): Promise<void>
  countEmailChange(userId: string): Promise<void>
}

interface Counted {
  limit: RateLimit
  key: string
}

async function spendOne(limits: RateLimits, { limit, key }: Counted): Promise<void> {
  const state = await limits.spend(limit, key)
  if (state.isExceeded) throw tooManyRequests(limit, state)
}

export function createAttempts({ limits }: { limits: RateLimits }): Attempts {
  const runHere = createFairQueue(CONCURRENT_ATTEMPTS)
  const runElsewhere = createFairQueue(CONCURRENT_ATTEMPTS_ELSEWHERE)

  async function assertWithin(counted: readonly Counted[]): Promise<void> {
    const states = await Promise.all(counted.map(({ limit, key }) => limits.peek(limit, key)))
    states.forEach((state, index) => {
      const { limit } = counted[index] as Counted
      if (state.spent >= limit.points) throw tooManyRequests(limit, state)
    })
  }

  async function spend(counted: readonly Counted[]): Promise<void> {
    await Promise.all(counted.map(({ limit, key }) => limits.spend(limit, key)))
  }

  /** `party`: who waits for a turn of its own, however much it asks for at once. */
  async function guard<T>(
    party: string,
    refusing: readonly Counted[],
    attempt: () => Promise<T>,
    { slowing = [], run = runHere }: { slowing?: readonly Counted[]; run?: FairQueue } = {},
  ): Promise<T> {
    await assertWithin(refusing)
    return run(party, async (hasWaited) => {
      if (hasWaited) await assertWithin(refusing)
      try {
        return await attempt()
      } catch (error) {
        if (wrongGuesses.some((code) => isAppError(error, code))) {
          await spend([...refusing, ...slowing])
        }
        throw error
      }
    })
  }

  const count = (limit: RateLimit, key: string) => spendOne(limits, { limit, key })

  return {
    async signIn({ account, address, deviceId, isElsewhere = false }, attempt) {
      const run = isElsewhere ? runElsewhere : runHere
      if (deviceId !== null) {
        return guard(deviceId, [{ limit: attemptLimits.device, key: deviceId }], attempt, { run })
      }
      const name = account.toLowerCase()
      const network = clientNetwork(address)
      const here = { limit: attemptLimits.account, key: `${name} ${network}` }
      const everywhere = { limit: attemptLimits.everywhere, key: name }
      const { spent } = await limits.peek(everywhere.limit, everywhere.key)
      const delayMs = delayAfter(spent)
      if (delayMs > 0) await wait(delayMs)
      const refusing = [here, { limit: attemptLimits.address, key: network }]
      return guard(network, refusing, attempt, { slowing: [everywhere], run })
    },

    secondStep({ userId, deviceId }, attempt) {
      const limited = deviceId === null ? [{ limit: attemptLimits.secondStep, key: userId }] : []
      return guard(deviceId ?? userId, limited, attempt)
    },

    confirm: (sessionId, attempt) =>
      guard(sessionId, [{ limit: attemptLimits.confirmation, key: sessionId }], attempt),

    resetPassword(address, attempt) {
      const network = clientNetwork(address)
      return guard(network, [{ limit: attemptLimits.resetPassword, key: network }], attempt)
    },

    guessUserCode({ userId, address }, attempt) {
      const here = { limit: attemptLimits.userCodeAddress, key: clientNetwork(address) }
      return guard(userId, [{ limit: attemptLimits.userCode, key: userId }, here], attempt)
    },

    countResetRequest: (address) => count(attemptLimits.resetRequest, clientNetwork(address)),
    countSignUp: (address) => count(attemptLimits.signUp, clientNetwork(address)),
    countDeviceRequest: (address) => count(attemptLimits.deviceRequest, clientNetwork(address)),
    countEmailChange: (userId) => count(attemptLimits.emailChange, userId),
  }
}

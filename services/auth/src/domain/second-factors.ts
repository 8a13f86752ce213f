import { AppError } from '@floe/errors'
import type { Secrets } from '@floe/secrets'
import type { SecondFactor, TotpState, TotpStore } from './ports.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { isTotpCode, matchTotpCode } from './totp-codes.ts'

const PURPOSE = 'totp'

/** Opens for its account and nowhere else. */
export function sealTotp(secrets: Secrets, userId: string, secret: string): Buffer {
  return secrets.seal(PURPOSE, userId, secret)
}

/** Null for one that was sealed with another key. */
export function openTotp(secrets: Secrets, userId: string, sealed: Buffer): string | null {
  return secrets.open(PURPOSE, userId, sealed)
}

/** Reads codes. What they read still has to be used up, in the statement that it entitles to. */
export interface SecondFactors {
  seal(userId: string, secret: string): Buffer
  /** The time step of a code of this secret; fails with invalid_totp. */
  matchTotp(userId: string, totp: TotpState, code: string): number
  /** A code of the authenticator or a recovery code. Fails with totp_not_enabled, invalid_totp. */
  recogniseCode(userId: string, code: string): Promise<SecondFactor>
  /** Uses a code up ahead of what it entitles to. Fails as `recogniseCode` does. */
  useCode(userId: string, code: string): Promise<void>
}

export function createSecondFactors({
  store,
  secrets,
  clock,
}: {
  store: TotpStore
  secrets: Secrets
  clock: () => Date
}): SecondFactors {
  function matchTotp(userId: string, { sealedSecret, lastTimeStep }: TotpState, code: string) {
    const secret = openTotp(secrets, userId, sealedSecret)
    if (secret === null) {
      throw new AppError('internal', { detail: 'A TOTP secret was sealed with another key' })
    }
    const timeStep = matchTotpCode(code, { secret, now: clock(), lastTimeStep })
    if (timeStep === null) throw new AppError('invalid_totp')
    return timeStep
  }

  async function recogniseCode(userId: string, code: string): Promise<SecondFactor> {
    if (isTotpCode(code)) {
      const totp = await store.find(userId)
      if (!totp?.isVerified) throw new AppError('totp_not_enabled')
      return { timeStep: matchTotp(userId, totp, code) }
    }
    const codeHash = hashRecoveryCode(code)
    if (codeHash === null) throw new AppError('invalid_totp')
    return { codeHash }
  }

  return {
    seal: (userId, secret) => sealTotp(secrets, userId, secret),
    matchTotp,
    recogniseCode,
    async useCode(userId, code) {
      const factor = await recogniseCode(userId, code)
      if (!(await store.use(userId, factor, clock()))) throw new AppError('invalid_totp')
    },
  }
}

import type { AdminPort } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { ownAuditEvent } from './audit-events.ts'
import type { OwnPasswords } from './own-password.ts'
import type { TotpStore } from './ports.ts'
import { createRecoveryCodes, hashRecoveryCode } from './recovery-codes.ts'
import type { SecondFactors } from './second-factors.ts'
import { createTotpSecret, totpAuthUrl } from './totp-codes.ts'
import type { ActiveSession, SessionOrigin } from './user.ts'

/** `password` may be absent where the account has none. */
export interface Confirmation {
  password?: string | undefined
}

export interface TotpEnrolment {
  totpAuthUrl: string
  totpSecret: string
}

/** Every call fails with wrong_password, or too_many_requests after too many wrong guesses. */
export interface Totp {
  /**
   * A new secret each time, which counts once it is verified. Fails with totp_already_enabled, and
   * with recent_sign_in_required where there is no password.
   */
  enable(session: ActiveSession, input: Confirmation): Promise<TotpEnrolment>
  /** Fails with totp_not_in_progress, invalid_totp. */
  verify(
    session: ActiveSession,
    input: Confirmation & { code: string },
    origin: SessionOrigin,
  ): Promise<void>
  /** The recovery codes go too. Fails with totp_not_enabled, invalid_totp. */
  disable(
    session: ActiveSession,
    input: Confirmation & { code: string },
    origin: SessionOrigin,
  ): Promise<void>
  /**
   * Earlier codes end. Once there have been any, `code` is needed where an app shows some; an account
   * that has passkeys alone proves itself as it does to change them (see `OwnPasswords.prove`).
   * Fails with totp_not_enabled, invalid_totp, recent_sign_in_required.
   */
  createRecoveryCodes(
    session: ActiveSession,
    input: Confirmation & { code?: string | undefined },
    origin: SessionOrigin,
  ): Promise<string[]>
}

export interface TotpDependencies {
  store: TotpStore
  factors: SecondFactors
  ownPasswords: OwnPasswords
  admin: AdminPort
  clock: () => Date
}

export function createTotp({ store, factors, ownPasswords, admin, clock }: TotpDependencies): Totp {
  return {
    enable: (session, { password }) =>
      ownPasswords.prove(session, { password }, async () => {
        const { user } = session
        const totpSecret = createTotpSecret()
        const isBegun = await store.begin(user.id, factors.seal(user.id, totpSecret))
        if (!isBegun) throw new AppError('totp_already_enabled')
        const { 'general.appName': issuer } = await admin.settings({})
        const label = user.email || user.username
        return { totpAuthUrl: totpAuthUrl({ issuer, label, secret: totpSecret }), totpSecret }
      }),

    verify: (session, { code, password }, origin) =>
      ownPasswords.confirm(session, password, async () => {
        const { id: userId } = session.user
        const totp = await store.find(userId)
        if (!totp || totp.isVerified) throw new AppError('totp_not_in_progress')
        const timeStep = factors.matchTotp(userId, totp, code)
        const { sealedSecret } = totp
        const auditEvent = ownAuditEvent('totp.enabled', session.user, origin)
        const verification = { userId, sealedSecret, timeStep, now: clock(), auditEvent }
        const isVerified = await store.verify(verification)
        // Verified, or begun anew, by another request.
        if (!isVerified) throw new AppError('totp_not_in_progress')
      }),

    disable: (session, { code, password }, origin) =>
      ownPasswords.confirm(session, password, async () => {
        const { id: userId } = session.user
        const factor = await factors.recogniseCode(userId, code)
        const auditEvent = ownAuditEvent('totp.disabled', session.user, origin)
        if (!(await store.remove(userId, { factor, now: clock(), auditEvent }))) {
          throw new AppError('invalid_totp')
        }
      }),

    createRecoveryCodes: (session, { code, password }, origin) => {
      const { id: userId, totpVerified, hasPasskeys } = session.user
      const replace = async () => {
        const factor = code === undefined ? null : await factors.recogniseCode(userId, code)
        const codes = createRecoveryCodes()
        const codeHashes = codes.flatMap((text) => hashRecoveryCode(text) ?? [])
        const auditEvent = ownAuditEvent('totp.recovery_codes_created', session.user, origin)
        const change = { factor, codeHashes, now: clock(), auditEvent }
        const outcome = await store.replaceRecoveryCodes(userId, change)
        if (outcome === 'not_enabled') throw new AppError('totp_not_enabled')
        if (outcome === 'code_refused') throw new AppError('invalid_totp')
        return codes
      }
      return hasPasskeys && !totpVerified
        ? ownPasswords.prove(session, { password }, replace)
        : ownPasswords.confirm(session, password, replace)
    },
  }
}

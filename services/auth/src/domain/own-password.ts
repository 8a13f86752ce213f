import type { ChangePasswordInput } from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { Passwords } from '@floe/secrets'
import { ownAuditEvent } from './audit-events.ts'
import type { Attempts } from './attempts.ts'
import { assertLocal } from './directory.ts'
import type { SessionStore, UserStore } from './ports.ts'
import type { SecondFactors } from './second-factors.ts'
import type { Sessions, SessionTokens } from './sessions.ts'
import type { ActiveSession, SessionOrigin } from './user.ts'

/** Without a password only a provider lets somebody in, so a session that is new shows who it is. */
const RECENT_SIGN_IN_MS = 5 * 60 * 1000

export interface OwnPasswords {
  /**
   * Runs `then` once the account's password was given; an account without one needs none.
   * Wrong codes that `then` fails with count like wrong passwords.
   * Fails with wrong_password, too_many_requests.
   */
  confirm<T>(
    session: ActiveSession,
    password: string | undefined,
    then: (passwordHash: string | null) => Promise<T>,
  ): Promise<T>
  /**
   * As `confirm`, but an account without a password needs a sign-in of the last minutes or a code
   * of its second factor: a session that somebody borrowed must not become an account.
   * Fails with recent_sign_in_required, totp_not_enabled, invalid_totp besides.
   */
  prove<T>(
    session: ActiveSession,
    proof: { password?: string | undefined; totp?: string | undefined },
    then: (passwordHash: string | null) => Promise<T>,
  ): Promise<T>
  /**
   * Every session of the user ends, and sign-ins under way too; a new one takes the place of
   * `session`, as a copy of its tokens must not outlive the old password.
   * Fails with wrong_password, recent_sign_in_required, password_too_short, password_too_common,
   * too_many_requests, directory_account.
   */
  change(
    session: ActiveSession,
    input: ChangePasswordInput,
    origin: SessionOrigin,
  ): Promise<SessionTokens>
}

export interface OwnPasswordDependencies {
  users: UserStore
  sessionStore: SessionStore
  passwords: Passwords
  sessions: Sessions
  factors: SecondFactors
  attempts: Attempts
  clock: () => Date
}

export function createOwnPasswords({
  users,
  sessionStore,
  passwords,
  sessions,
  factors,
  attempts,
  clock,
}: OwnPasswordDependencies): OwnPasswords {
  const confirm: OwnPasswords['confirm'] = ({ sessionId, user }, password, then) =>
    attempts.confirm(sessionId, async () => {
      const passwordHash = await users.findPasswordHash(user.id)
      if (passwordHash !== null && !(await passwords.verify(passwordHash, password ?? ''))) {
        throw new AppError('wrong_password')
      }
      return then(passwordHash)
    })

  const prove: OwnPasswords['prove'] = (session, { password, totp }, then) =>
    confirm(session, password, async (passwordHash) => {
      const ageMs = clock().getTime() - session.startedAt.getTime()
      if (passwordHash === null && ageMs > RECENT_SIGN_IN_MS) {
        if (totp === undefined) throw new AppError('recent_sign_in_required')
        await factors.useCode(session.user.id, totp)
      }
      return then(passwordHash)
    })

  return {
    confirm,
    prove,
    async change(session, { oldPassword, password }, origin) {
      assertLocal(session.user)
      return prove(session, { password: oldPassword }, async (from) => {
        const { user } = session
        const to = await passwords.hashForAccount(password)
        const next = await sessions.prepare(user, origin)
        const auditEvent = ownAuditEvent('password.changed', user, origin)
        const change = { userId: user.id, from, to, session: next.row, now: clock(), auditEvent }
        if (!(await sessionStore.changePassword(change))) throw new AppError('wrong_password')
        return next.issueTokens(user)
      })
    },
  }
}

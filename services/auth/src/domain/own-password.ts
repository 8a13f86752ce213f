import type { ChangePasswordInput } from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { Passwords } from '@floe/passwords'
import { ownAct } from './acts.ts'
import type { AccessTokens } from './access-tokens.ts'
import type { Attempts } from './attempts.ts'
import { createOpaqueToken } from './opaque-token.ts'
import type { SessionStore, UserStore } from './ports.ts'
import type { SessionTokens } from './sessions.ts'
import type { ActiveSession, SessionOrigin } from './user.ts'

export interface OwnPasswords {
  /**
   * Runs `then` for whoever knows the account's password; an account without one needs none.
   * Wrong codes that `then` fails with count like wrong passwords.
   * Fails with wrong_password, too_many_requests.
   */
  confirm<T>(
    session: ActiveSession,
    password: string | undefined,
    then: (passwordHash: string | null) => Promise<T>,
  ): Promise<T>
  /**
   * Every other session of the user ends, and sign-ins under way too.
   * Fails with wrong_password, too_many_requests.
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
  accessTokens: AccessTokens
  attempts: Attempts
  clock: () => Date
}

export function createOwnPasswords({
  users,
  sessionStore,
  passwords,
  accessTokens,
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

  return {
    confirm,
    change: (session, { oldPassword, password }, origin) =>
      confirm(session, oldPassword, async (from) => {
        const { sessionId, user } = session
        const to = await passwords.hash(password)
        const { token: refreshToken, hash: refreshTokenHash } = createOpaqueToken()
        const act = ownAct('password.changed', user, origin)
        const key = { userId: user.id, sessionId, now: clock() }
        const change = { ...key, from, to, refreshTokenHash, act }
        if (!(await sessionStore.changePassword(change))) throw new AppError('wrong_password')
        return { accessToken: await accessTokens.sign(user, sessionId), refreshToken }
      }),
  }
}

import { authRoutes } from '@floe/contracts'
import { implement, type ImplementedRoute, requestLanguage } from '@floe/http'
import type { OwnPasswords } from '../domain/own-password.ts'
import type { PasswordResets } from '../domain/password-resets.ts'
import type { Sessions } from '../domain/sessions.ts'
import { clientOf, requestId, requireSession } from './request.ts'
import { setSessionCookies } from './session-cookies.ts'

export function createPasswordRoutes({
  ownPasswords,
  passwordResets,
  sessions,
}: {
  ownPasswords: OwnPasswords
  passwordResets: PasswordResets
  sessions: Sessions
}): ImplementedRoute[] {
  return [
    implement(authRoutes.changePassword, async ({ req, res, body }) => {
      const session = await requireSession(sessions, req)
      const tokens = await ownPasswords.change(session, body, clientOf(req))
      setSessionCookies(res, tokens)
      return { refreshToken: tokens.refreshToken }
    }),

    implement(authRoutes.requestPasswordReset, async ({ req, res, params }) => {
      const { address } = clientOf(req)
      await passwordResets.request(params.email, {
        address,
        language: requestLanguage(req),
        requestId: requestId(res),
      })
    }),

    implement(authRoutes.resetPassword, ({ req, body }) =>
      passwordResets.reset(body, clientOf(req)),
    ),
  ]
}

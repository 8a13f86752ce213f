import { authRoutes } from '@floe/contracts'
import { implement, type ImplementedRoute, implementPublic, requestLanguage } from '@floe/http'
import type { EmailChanges } from '../domain/email-changes.ts'
import type { OwnPasswords } from '../domain/own-password.ts'
import type { PasswordResets } from '../domain/password-resets.ts'
import type { Sessions } from '../domain/sessions.ts'
import { clientOf, requestId, requireAnySession } from './request.ts'
import { setSessionCookies, setSignInCookies } from './session-cookies.ts'

export function createPasswordRoutes({
  ownPasswords,
  passwordResets,
  emailChanges,
  sessions,
}: {
  ownPasswords: OwnPasswords
  passwordResets: PasswordResets
  emailChanges: EmailChanges
  sessions: Sessions
}): ImplementedRoute[] {
  return [
    implement(authRoutes.changePassword, requireAnySession(sessions), async (call, session) => {
      const { req, res, body } = call
      const tokens = await ownPasswords.change(session, body, clientOf(req))
      setSessionCookies(res, tokens)
      return { refreshToken: tokens.refreshToken }
    }),

    implementPublic(authRoutes.requestPasswordReset, async ({ req, res, params }) => {
      const { address } = clientOf(req)
      await passwordResets.request(params.email, {
        address,
        language: requestLanguage(req),
        requestId: requestId(res),
      })
    }),

    implementPublic(authRoutes.resetPassword, async ({ req, res, body }) => {
      const signedIn = await passwordResets.reset(body, clientOf(req))
      if (!signedIn) return
      return setSignInCookies(res, signedIn)
    }),

    implementPublic(authRoutes.confirmEmail, ({ req, body }) =>
      emailChanges.confirm(body.token, clientOf(req)),
    ),
  ]
}

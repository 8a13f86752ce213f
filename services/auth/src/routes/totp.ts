import { authRoutes } from '@floe/contracts'
import { implement, type ImplementedRoute } from '@floe/http'
import type { Sessions } from '../domain/sessions.ts'
import type { Totp } from '../domain/totp.ts'
import { drawQrCode } from './qr-code.ts'
import { clientOf, requireAnySession, requireSession } from './request.ts'

export function createTotpRoutes({
  totp,
  sessions,
}: {
  totp: Totp
  sessions: Sessions
}): ImplementedRoute[] {
  const signedIn = requireSession(sessions)
  const anySession = requireAnySession(sessions)
  return [
    implement(authRoutes.enableTotp, anySession, async ({ body }, session) => {
      const enrolment = await totp.enable(session, body)
      return { ...enrolment, qrCode: await drawQrCode(enrolment.totpAuthUrl) }
    }),

    implement(authRoutes.verifyTotp, anySession, async ({ req, body }, session) => {
      await totp.verify(session, body, clientOf(req))
      return true as const
    }),

    implement(authRoutes.disableTotp, signedIn, async ({ req, body }, session) => {
      await totp.disable(session, body, clientOf(req))
      return true as const
    }),

    implement(authRoutes.createRecoveryCodes, signedIn, async ({ req, body }, session) => ({
      recoveryCodes: await totp.createRecoveryCodes(session, body, clientOf(req)),
    })),
  ]
}

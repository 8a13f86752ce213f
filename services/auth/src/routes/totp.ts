import { authRoutes } from '@floe/contracts'
import { implement, type ImplementedRoute } from '@floe/http'
import type { Sessions } from '../domain/sessions.ts'
import type { Totp } from '../domain/totp.ts'
import { drawQrCode } from './qr-code.ts'
import { clientOf, requireSession } from './request.ts'

export function createTotpRoutes({
  totp,
  sessions,
}: {
  totp: Totp
  sessions: Sessions
}): ImplementedRoute[] {
  return [
    implement(authRoutes.enableTotp, async ({ req, body }) => {
      const session = await requireSession(sessions, req)
      const enrolment = await totp.enable(session, body)
      return { ...enrolment, qrCode: await drawQrCode(enrolment.totpAuthUrl) }
    }),

    implement(authRoutes.verifyTotp, async ({ req, body }) => {
      await totp.verify(await requireSession(sessions, req), body, clientOf(req))
      return true as const
    }),

    implement(authRoutes.disableTotp, async ({ req, body }) => {
      await totp.disable(await requireSession(sessions, req), body, clientOf(req))
      return true as const
    }),

    implement(authRoutes.createRecoveryCodes, async ({ req, body }) => {
      const session = await requireSession(sessions, req)
      return { recoveryCodes: await totp.createRecoveryCodes(session, body, clientOf(req)) }
    }),
  ]
}

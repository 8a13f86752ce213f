import { type TotpEnrolment, totpEnrolmentSchema } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'
import type { Confirmation } from '../confirmation.ts'

/** Begins to set up TOTP. Throws `wrong_password`, `totp_already_enabled`. */
export function enableTotp(http: HttpClient, confirmation: Confirmation): Promise<TotpEnrolment> {
  return http.request({
    method: 'POST',
    path: '/api/auth/totp/enable',
    body: confirmation,
    response: totpEnrolmentSchema,
  })
}

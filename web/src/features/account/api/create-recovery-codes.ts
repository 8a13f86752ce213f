import { z } from 'zod'
import type { HttpClient } from '../../../shared/api/http-client.ts'
import type { Confirmation } from '../confirmation.ts'

const responseSchema = z.object({ recoveryCodes: z.array(z.string()) })

/**
 * Makes new codes, which are told this once; earlier ones end. The first ones need no `code`.
 * Throws `wrong_password`, `invalid_totp`, `totp_not_enabled`.
 */
export async function createRecoveryCodes(
  http: HttpClient,
  confirmation: Confirmation & { code?: string },
): Promise<string[]> {
  const { recoveryCodes } = await http.request({
    method: 'POST',
    path: '/api/auth/totp/recoveryCodes',
    body: confirmation,
    response: responseSchema,
  })
  return recoveryCodes
}

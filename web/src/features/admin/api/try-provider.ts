import type { SocialProvider } from '@floe/contracts'
import { z } from 'zod'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/**
 * Returns the address of the provider's sign-in page. Throws `social_check_incomplete`,
 * `social_check_failed`, `social_client_rejected`.
 */
export async function tryProvider(http: HttpClient, provider: SocialProvider): Promise<string> {
  const { signInPage } = await http.request({
    method: 'POST',
    path: `/api/oauth/check/${provider}`,
    response: z.object({ signInPage: z.string() }),
  })
  return signInPage
}

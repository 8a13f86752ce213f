import type { SocialProvider } from '@floe/contracts'
import { z } from 'zod'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/**
 * Answers the address of the page people sign in at. Throws `social_check_incomplete`,
 * `social_check_failed`.
 */
export async function tryProvider(http: HttpClient, provider: SocialProvider): Promise<string> {
  const { signInPage } = await http.request({
    method: 'POST',
    path: `/api/oauth/check/${provider}`,
    answer: z.object({ signInPage: z.string() }),
  })
  return signInPage
}

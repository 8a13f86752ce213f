import type { SocialProvider } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/**
 * Throws `last_sign_in_method` unless `confirm` says that this is meant, and `RedirectedError` when
 * nothing is linked any more.
 */
export function unlinkSocialAccount(
  http: HttpClient,
  provider: SocialProvider,
  options: { confirm: boolean },
): Promise<void> {
  return http.request({ method: 'POST', path: `/api/oauth/unlink/${provider}`, body: options })
}

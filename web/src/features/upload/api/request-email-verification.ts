import type { HttpClient } from '../../../shared/api/http-client.ts'

/** Has the link that confirms the own address sent again. */
export function requestEmailVerification(http: HttpClient): Promise<void> {
  return http.request({ method: 'POST', path: '/api/users/me/emailVerification' })
}

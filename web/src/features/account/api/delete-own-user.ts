import type { HttpClient } from '../../../shared/api/http-client.ts'

/** Deletes the account with its shares. */
export function deleteOwnUser(http: HttpClient): Promise<void> {
  return http.request({ method: 'DELETE', path: '/api/users/me' })
}

import type { HttpClient } from '../../../shared/api/http-client.ts'

/** Signs every device out, this one too. */
export async function endSessions(http: HttpClient): Promise<void> {
  await http.request({ method: 'DELETE', path: '/api/auth/sessions' })
  http.forgetAccessToken()
}

import type { HttpClient } from '../../../shared/api/http-client.ts'

/** Signs one device out. Throws `session_not_found`. */
export function endSession(http: HttpClient, sessionId: string): Promise<void> {
  return http.request({ method: 'DELETE', path: `/api/auth/sessions/${sessionId}` })
}

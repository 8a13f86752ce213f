import { sessionSchema, type SessionView } from '@floe/contracts'
import { z } from 'zod'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/** The devices that are signed in, the latest used first. */
export function fetchSessions(http: HttpClient): Promise<SessionView[]> {
  return http.request({
    method: 'GET',
    path: '/api/auth/sessions',
    response: z.array(sessionSchema),
  })
}

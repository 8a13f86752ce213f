import { type ApiToken, apiTokenSchema } from '@floe/contracts'
import { z } from 'zod'
import type { HttpClient } from '../api/http-client.ts'

/** The newest first; `null` asks for the own ones, another user's are for administrators. */
export function fetchTokens(http: HttpClient, userId: string | null): Promise<ApiToken[]> {
  return http.request({
    method: 'GET',
    path: userId === null ? '/api/tokens' : `/api/tokens?userId=${userId}`,
    response: z.array(apiTokenSchema),
  })
}

/** It counts no more at once. Throws `token_not_found`. */
export function revokeToken(http: HttpClient, id: string): Promise<void> {
  return http.request({ method: 'DELETE', path: `/api/tokens/${id}` })
}

import { z } from 'zod'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/**
 * Returns the DN and the address of somebody who may sign in. Throws `directory_check_incomplete`,
 * `directory_check_failed`.
 */
export function tryDirectory(http: HttpClient): Promise<{ entry: string; email: string | null }> {
  return http.request({
    method: 'POST',
    path: '/api/auth/directory/check',
    response: z.object({ entry: z.string(), email: z.string().nullable() }),
  })
}

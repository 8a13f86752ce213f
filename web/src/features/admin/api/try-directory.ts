import { type DirectoryTrial, directoryTrialSchema } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/**
 * Returns somebody who may sign in, or the one of this name. Throws `directory_check_incomplete`,
 * `directory_check_failed`, `directory_nobody_found`.
 */
export function tryDirectory(http: HttpClient, username: string): Promise<DirectoryTrial> {
  return http.request({
    method: 'POST',
    path: '/api/auth/directory/check',
    body: { username },
    response: directoryTrialSchema,
  })
}

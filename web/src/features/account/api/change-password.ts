import type { ChangePasswordInput } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

export function changePassword(http: HttpClient, input: ChangePasswordInput): Promise<void> {
  return http.request({ method: 'PATCH', path: '/api/auth/password', body: input })
}

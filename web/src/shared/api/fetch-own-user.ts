import { userSchema, type UserView } from '@floe/contracts'
import type { HttpClient } from './http-client.ts'

export function fetchOwnUser(http: HttpClient): Promise<UserView> {
  return http.request({ method: 'GET', path: '/api/users/me', response: userSchema })
}

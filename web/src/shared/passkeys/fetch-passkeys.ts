import { type Passkey, passkeyRoutes } from '@floe/contracts'
import type { HttpClient } from '../api/http-client.ts'

const { path, response } = passkeyRoutes.listPasskeys

export function fetchPasskeys(http: HttpClient): Promise<Passkey[]> {
  return http.request({ method: 'GET', path, response })
}

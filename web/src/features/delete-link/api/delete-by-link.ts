import { pagePath } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/** The address of the page is that of the call, too. Throws `share_not_found`. */
export function deleteByLink(
  http: HttpClient,
  link: { id: string; secret: string },
): Promise<void> {
  return http.request({ method: 'DELETE', path: pagePath('deleteShare', link) })
}

import { shareTokenResponseSchema } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/**
 * Opens somebody else's share: the cookie of the response lets this browser in, and the audit log
 * tells of it. Throws `share_removed`, `share_not_found`, `forbidden`.
 */
export async function openAsAdministrator(http: HttpClient, shareId: string): Promise<void> {
  await http.request({
    method: 'POST',
    path: `/api/shares/${encodeURIComponent(shareId)}/openAsAdministrator`,
    response: shareTokenResponseSchema,
  })
}

import { fetchOwnShare } from './own-shares.ts'
import { deleteShare } from './delete-share.ts'
import type { HttpClient } from './http-client.ts'

/** Goes back to the published files. Throws `share_not_found`, `share_never_completed`. */
export function discardEdit(http: HttpClient, shareId: string): Promise<void> {
  return http.request({ method: 'DELETE', path: `/api/shares/${encodeURIComponent(shareId)}/edit` })
}

/**
 * Removes from the server what an unfinished upload left there. If its share is published, only the
 * edit goes: those who have the link still use the share itself.
 */
export async function giveUpUpload(http: HttpClient, shareId: string): Promise<void> {
  const { state } = await fetchOwnShare(http, shareId)
  await (state === 'open' ? deleteShare(http, shareId) : discardEdit(http, shareId))
}

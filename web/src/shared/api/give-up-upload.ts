import { hasCode } from './api-error.ts'
import { fetchOwnShare } from './own-shares.ts'
import { deleteShare } from './delete-share.ts'
import type { HttpClient } from './http-client.ts'

/** Goes back to the published files. Throws `share_not_found`, `share_never_completed`. */
export function discardEdit(http: HttpClient, shareId: string): Promise<void> {
  return http.request({ method: 'DELETE', path: `/api/shares/${encodeURIComponent(shareId)}/edit` })
}

/**
 * Removes from the server what an unfinished upload left there. If its share is published, only the
 * edit goes: those who have the link still use the share itself. One that was opened early keeps
 * what arrived.
 */
export async function giveUpUpload(http: HttpClient, shareId: string): Promise<void> {
  const { state } = await fetchOwnShare(http, shareId)
  if (state === 'uploading') return endUpload(http, shareId)
  await (state === 'open' ? deleteShare(http, shareId) : discardEdit(http, shareId))
}

/** Leaves what arrived in a share that was opened early; without a file there is nothing to leave. */
export async function endUpload(http: HttpClient, shareId: string): Promise<void> {
  const path = `/api/shares/${encodeURIComponent(shareId)}/complete`
  try {
    await http.request({ method: 'POST', path })
  } catch (error) {
    if (!hasCode(error, 'share_without_files')) throw error
    await deleteShare(http, shareId)
  }
}

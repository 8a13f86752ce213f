import { hasCode } from '../../../shared/api/api-error.ts'
import { fetchShare } from '../../../shared/api/fetch-share.ts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/** Is a share closed to this browser, with its link or without? Asking counts no view. */
export async function isSharePrivate(http: HttpClient, shareId: string): Promise<boolean> {
  try {
    await fetchShare(http, shareId)
    return false
  } catch (error) {
    return hasCode(error, 'private_share')
  }
}

import { type ForeseenShare, shareTokenResponseSchema, type ShareView } from '@floe/contracts'
import { ApiError, hasCode } from '../../../shared/api/api-error.ts'
import { fetchShare } from '../../../shared/api/fetch-share.ts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/**
 * Asks to be let in: the cookie of the response opens the share. Throws `wrong_password`,
 * `invalid_share_code` and the limits.
 */
export async function enterShare(
  http: HttpClient,
  shareId: string,
  entry: { password?: string | undefined; email?: string; code?: string } = {},
): Promise<void> {
  await http.request({
    method: 'POST',
    path: `/api/shares/${encodeURIComponent(shareId)}/token`,
    body: entry,
    response: shareTokenResponseSchema,
  })
}

/**
 * Opens a share, entering it first where that needs no password. Asking for the share before
 * entering spares a visit for those who were let in earlier; what the page was told at its start
 * spares the asking.
 */
export async function openShare(
  http: HttpClient,
  shareId: string,
  foreseen: ForeseenShare | undefined,
): Promise<ShareView> {
  const { refusal, isEncrypted = false } = foreseen ?? {}
  if (refusal === 'share_password_required' || refusal === 'share_recipient_required') {
    throw new ApiError({ status: 403, code: refusal, message: refusal, isEncrypted })
  }
  if (refusal !== 'share_token_required') {
    try {
      return await fetchShare(http, shareId)
    } catch (error) {
      if (!hasCode(error, 'share_token_required')) throw error
    }
  }
  await enterShare(http, shareId)
  return fetchShare(http, shareId)
}

/** Has a code sent to the address, if it is a recipient's: the response does not tell. */
export async function requestShareCode(
  http: HttpClient,
  shareId: string,
  email: string,
): Promise<void> {
  await http.request({
    method: 'POST',
    path: `/api/shares/${encodeURIComponent(shareId)}/code`,
    body: { email },
  })
}

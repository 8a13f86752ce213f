import {
  type Announcement,
  completedShareSchema,
  type CompleteShareInput,
  type OpenEarlyInput,
  type ShareState,
} from '@floe/contracts'
import type { z } from 'zod'
import { ApiError, hasCode } from '../api/api-error.ts'
import type { HttpClient } from '../api/http-client.ts'
import { fetchOwnShare } from '../api/own-shares.ts'

export type CompletedShare = z.infer<typeof completedShareSchema>

/**
 * Makes a share with its files visible. Throws `share_without_files`, `share_already_completed`,
 * `reverse_share_used_up`.
 */
export function completeShare(
  http: HttpClient,
  shareId: string,
  terms?: CompleteShareInput,
): Promise<CompletedShare> {
  return http.request({
    method: 'POST',
    path: `/api/shares/${encodeURIComponent(shareId)}/complete`,
    ...(terms && { body: terms }),
    response: completedShareSchema,
  })
}

/** How a draft becomes a share. */
export interface Sharing {
  /** Makes it visible with all its files. */
  finish(): Promise<CompletedShare>
  /** Makes its link visible while files are sent. Again, it changes only what is announced. */
  open(announced: Announcement): Promise<CompletedShare>
}

export type Terms = CompleteShareInput & { id: string }

/**
 * Shares a draft under the link of its terms, which the first of the two calls decides. Throws
 * `share_id_taken`, `share_expiration_too_long` too.
 *
 * @param failure How an earlier attempt to share it has failed.
 */
export function createSharing(
  http: HttpClient,
  { draftId, terms, failure }: { draftId: string; terms: Terms | null; failure?: unknown },
): Sharing {
  // Without terms it was opened before.
  let openId = terms === null ? draftId : null
  let isRepeated = mayHaveSucceeded(failure)
  async function attempt(share: () => Promise<CompletedShare>, state: ShareState) {
    try {
      return await share()
    } catch (error) {
      // Otherwise somebody else has shared it, on terms of their own.
      if (isRepeated) return findShared(http, { id: openId ?? terms?.id ?? draftId, state, error })
      isRepeated = mayHaveSucceeded(error)
      throw error
    }
  }
  return {
    finish: () => {
      const given = openId === null ? terms : null
      return attempt(() => completeShare(http, openId ?? draftId, given ?? undefined), 'completed')
    },
    open: async (announced) => {
      const draft = { draftId, openId, terms, announced }
      const receipt = await attempt(() => openEarly(http, draft), 'uploading')
      openId = receipt.id
      return receipt
    },
  }
}

/** Its response was lost, or is that of a proxy. */
function mayHaveSucceeded(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}

interface EarlyOpening {
  draftId: string
  /** Its link once that is open; the terms are decided then. */
  openId: string | null
  terms: Terms | null
  announced: Announcement
}

function openEarly(
  http: HttpClient,
  { draftId, openId, terms, announced }: EarlyOpening,
): Promise<CompletedShare> {
  const body: OpenEarlyInput = { ...(openId === null && terms), announced }
  return http.request({
    method: 'POST',
    path: `/api/shares/${encodeURIComponent(openId ?? draftId)}/openEarly`,
    body,
    response: completedShareSchema,
  })
}

const saidOnRepetition = [
  'share_already_completed',
  'share_not_found',
  'validation_failed',
] as const

/**
 * The share as the lost response told of it, perhaps under another link than the draft's, or what
 * went wrong instead.
 */
async function findShared(
  http: HttpClient,
  { id, state, error }: { id: string; state: ShareState; error: unknown },
): Promise<CompletedShare> {
  if (!saidOnRepetition.some((code) => hasCode(error, code))) throw error
  const found = await fetchOwnShare(http, id).catch(() => null)
  if (found?.state !== state) throw error
  const { name, description, expiration, reverseShare, waitsForScan } = found
  const receipt = { id, name, description, expiration, ...(waitsForScan && { waitsForScan }) }
  return reverseShare ? { ...receipt, notifyReverseShareCreator: false } : receipt
}

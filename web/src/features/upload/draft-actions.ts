import { generateShareId, type OwnShare, sharingRules } from '@floe/contracts'
import type { HttpClient } from '../../shared/api/http-client.ts'
import { giveUpUpload } from '../../shared/api/give-up-upload.ts'
import { fetchOwnShare } from '../../shared/api/own-shares.ts'
import type { DraftTerms } from '../../shared/share/draft-terms.ts'
import { longestExpiration } from '../../shared/share/expiry-choice.ts'
import { completeShare, createSharing } from '../../shared/upload/complete-share.ts'
import type { ShareKeys } from '../../shared/upload/encrypted/share-encryption.ts'
import type { FileEntry } from '../../shared/upload/file-entry.ts'
import type { Unfinished } from '../../shared/upload/match-files.ts'
import { toQueuedFile } from '../../shared/upload/upload-item.ts'
import type { JobOptions, UploadJob } from '../../shared/upload/upload-job.ts'
import { createShare } from './api/create-share.ts'
import { createWithFreeLink } from './free-link.ts'
import { loadLazy } from './lazy.ts'
import { emptyShareForm } from './use-share-fields.ts'
import type { UploadDependencies } from './use-upload-actions.ts'

interface NewDraft {
  shareId: string
  /** What it is to hold, as far as that is chosen by now; nothing, where the page was left. */
  chosen: () => readonly FileEntry[]
  /** The token of the link it is sent through. */
  reverseShare: string | null
  /** Of an encrypted share. */
  keys: ShareKeys | null
}

/** Of a share whose files are encrypted. */
export interface DraftEncryption {
  /** Of who alone is to open it; otherwise everybody does who has its link. */
  publicKey: string | null
}

/** What can be done with a share that is sent before anything about it is decided. */
export function createDraftActions({ http, user, settings, registry, desk }: UploadDependencies) {
  /**
   * Opens the share that files are sent into while the rest is filled in, through the link with
   * this token if there is one. An encrypted share has keys, which a receiver is told.
   */
  async function openDraft(
    reverseShare: string | null,
    encryption: DraftEncryption | null,
  ): Promise<Pick<NewDraft, 'shareId' | 'keys'>> {
    const { createShareKeys, readLimit, sealKeys } = await loadLazy()
    const keys = encryption && createShareKeys(readLimit(settings).bytes())
    const publicKey = encryption?.publicKey
    const sealedKey = keys && publicKey ? await sealKeys(keys, publicKey) : undefined
    const length = settings['share.shareIdLength']
    const { id } = await createWithFreeLink({ first: generateShareId(length), length }, (link) =>
      createShare(http, {
        id: link,
        // Ends by itself only as late as it may: how long it lasts is said when it is shared.
        expiration: longestExpiration(sharingRules(settings, user)),
        recipients: [],
        // Where it is none: a cookie that another tab has set must not carry this share off.
        reverseShare,
        ...(keys && { encrypted: true, sealedKey }),
      }),
    )
    return { shareId: id, keys }
  }

  /** What is chosen, once that stayed the same while it was written down. */
  async function settle({ shareId, chosen, reverseShare, keys }: NewDraft) {
    const { rememberUpload } = await loadLazy()
    for (;;) {
      const entries = chosen()
      const files = entries.map(toQueuedFile)
      // Its link says nothing yet to the person who may find it unfinished.
      const [first, ...others] = entries
      const name = first && others.length === 0 ? first.name : null
      await rememberUpload({ registry, shareId, name, reverseShare, files, ...(keys && { keys }) })
      if (chosen() === entries) return { name, files }
      await registry.remove(shareId)
    }
  }

  async function fillDraft(draft: NewDraft) {
    const { shareId, reverseShare: token, keys } = draft
    const [{ startJob }, { name, files }] = await Promise.all([loadLazy(), settle(draft)])
    if (files.length === 0) {
      await registry.remove(shareId)
      // Where that fails, it ends by itself.
      return giveUpUpload(http, shareId).catch(() => undefined)
    }
    const encrypted = keys ? { keys } : undefined
    const reverseShare = token === null ? null : { token, isGuest: user === null }
    desk.put(startJob({ http, settings, registry, shareId, name, reverseShare, files, encrypted }))
  }

  /** Sends more files into a draft, also in place of others. Those named in `order` stand first. */
  async function add(
    { session, encryption, reverseShare: through }: UploadJob,
    entries: readonly FileEntry[],
    { order = [], replaced = [] }: { order?: readonly string[]; replaced?: readonly string[] } = {},
  ) {
    const { rememberUpload } = await loadLazy()
    const files = entries.map(toQueuedFile)
    const keys = encryption?.keys()
    const reverseShare = through?.token ?? null
    const { shareId } = session
    await rememberUpload({ registry, shareId, name: null, reverseShare, keys, files })
    const known = new Set(session.entries().map(({ key }) => key))
    session.remove(replaced)
    session.add(
      files.filter(({ entry }) => !known.has(entry.key)),
      order,
    )
  }

  return { openDraft, fillDraft, add }
}

/** How an upload that was cut off becomes a share. */
export type Continuation = Pick<JobOptions, 'terms' | 'finish' | 'reopened' | 'reverseShare'>

/** What was said so far of a share that nobody decided about yet, or its link where that is open. */
export async function findContinuation(
  http: HttpClient,
  { shareId, reverseShare: token }: Unfinished,
): Promise<Continuation> {
  const share = await fetchOwnShare(http, shareId)
  const { id, name, description, expiration } = share
  if (share.state === 'uploading') {
    const sharing = createSharing(http, { draftId: shareId, terms: null })
    return { reopened: { sharing, receipt: { id, name, description, expiration } } }
  }
  // Sent through a link that another browser knows: what it asks for cannot be asked here.
  const isSentFromElsewhere = share.reverseShare !== undefined && token === null
  if (share.state !== 'open' || isSentFromElsewhere) {
    return { finish: () => completeShare(http, shareId) }
  }
  const reverseShare = token === null ? null : { token, isGuest: share.creator === undefined }
  return { terms: termsOf(share), reverseShare }
}

function termsOf(share: OwnShare): DraftTerms {
  const { id, name, description, recipients, notifyOnDownload, security, senderName } = share
  return {
    values: {
      ...emptyShareForm(id),
      name: name ?? '',
      description: description ?? '',
      senderName: senderName ?? '',
      maxViews: security.maxViews ?? '',
      recipients,
      restrictToRecipients: security.restrictToRecipients ?? false,
      notifyOnDownload,
    },
    expiry: null,
  }
}

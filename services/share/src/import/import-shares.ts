import type { Receiver } from '@floe/contracts'
import type { Knex } from '@floe/db'
import { appendEvents } from '@floe/db'
import { type ReverseShareRow, toReverseShareRow } from '../stores/reverse-share-rows.ts'
import { recordRemovals } from '../stores/share-removals.ts'
import { type ShareRow, toRow } from '../stores/share-rows.ts'

/** A share of an installation that is moved here. */
export interface ImportedShare {
  uid: string
  id: string
  createdAt: Date
  name: string | null
  description: string | null
  expiresAt: Date | null
  views: number
  maxViews: number | null
  passwordHash: string | null
  removedReason: string | null
  isCompleted: boolean
  creatorId: string | null
  reverseShareId: string | null
  /** Whose reverse share it came through. */
  receiverId: string | null
  /** Only its creator and its receiver may read. */
  isPrivate: boolean
  senderName: string | null
  recipients: readonly string[]
  restrictsToRecipients: boolean
  /** End to end, so that its files are ciphertexts. */
  isEncrypted: boolean
  /** Its key, for the receiver of its reverse share alone. */
  sealedKey: string | null
  /** `uid` of the share here that has its link, and goes. */
  replaces: string | null
}

export interface ImportedReverseShare {
  id: string
  createdAt: Date
  token: string
  name: string | null
  expiresAt: Date
  maxBytes: number
  passwordHash: string | null
  remainingUses: number
  sendsNotice: boolean
  asksSenderName: boolean
  isSimplified: boolean
  isPublic: boolean
  /** To whom its shares are encrypted. */
  receiver: Receiver | null
  creatorId: string
  /** Of the one here that has its link, and goes. */
  replaces: string | null
}

/** The shares with one of these ids, or one of these links. */
export async function findShares(
  knex: Knex,
  { uids, links }: { uids: readonly string[]; links: readonly string[] },
): Promise<{ uid: string; id: string; isCompleted: boolean }[]> {
  const rows = await knex<ShareRow>('shares')
    .whereRaw('uid = any(?::uuid[]) or id = any(?::text[])', [[...uids], [...links]])
    .select('id', 'uid', 'state')
  return rows.map(({ id, uid, state }) => ({ id, uid, isCompleted: state !== 'open' }))
}

/** The reverse shares with one of these ids, or one of these tokens. */
export async function findReverseShares(
  knex: Knex,
  { ids, tokens }: { ids: readonly string[]; tokens: readonly string[] },
): Promise<{ id: string; token: string }[]> {
  return knex<ReverseShareRow>('reverse_shares')
    .whereRaw('id = any(?::uuid[]) or token = any(?::text[])', [[...ids], [...tokens]])
    .select('id', 'token')
}

/** Makes those whose id is new; the others stay as they are. Returns how many were made. */
export async function importReverseShares(
  trx: Knex.Transaction,
  reverseShares: readonly ImportedReverseShare[],
): Promise<number> {
  if (reverseShares.length === 0) return 0
  const replaced = reverseShares.flatMap(({ replaces }) => replaces ?? [])
  await trx('reverse_shares').whereIn('id', replaced).delete()
  const made = await trx<ReverseShareRow>('reverse_shares')
    .insert(
      reverseShares.map((one) =>
        toReverseShareRow({
          ...one,
          maxSizeBytes: one.maxBytes,
          language: null,
        }),
      ),
    )
    .onConflict('id')
    .ignore()
    .returning('id')
  return made.length
}

/**
 * Makes those that are new, and completes those that came unfinished and are whole by now. Nobody
 * is sent an email: their recipients have had it.
 */
export async function importShares(
  trx: Knex.Transaction,
  shares: readonly ImportedShare[],
  now: Date,
): Promise<void> {
  if (shares.length === 0) return
  const replaced = shares.flatMap(({ replaces }) => replaces ?? [])
  const removed = await trx<ShareRow>('shares').whereIn('uid', replaced).delete(['uid', 'id'])
  await recordRemovals(trx, removed)
  const made = await trx<ShareRow>('shares')
    .insert(shares.map((share) => toNewRow(share, now)))
    .onConflict('uid')
    .ignore()
    .returning('uid')
  const isNew = new Set(made.map(({ uid }) => uid))
  const recipients = shares
    .filter(({ uid }) => isNew.has(uid))
    .flatMap(({ uid, recipients: emails }) => emails.map((email) => ({ share_uid: uid, email })))
  if (recipients.length > 0) await trx('share_recipients').insert(recipients)
  const finished = shares.filter(({ uid, isCompleted }) => isCompleted && !isNew.has(uid))
  const completed = await trx<ShareRow>('shares')
    .whereIn(
      'uid',
      finished.map(({ uid }) => uid),
    )
    .where({ state: 'open' })
    .update({ state: 'completed', edition: 1, completed_at: now, last_activity_at: now })
    .returning('uid')
  const ready = new Set(completed.map(({ uid }) => uid))
  await appendEvents(
    trx,
    shares
      .filter(({ uid, isCompleted }) => isCompleted && (isNew.has(uid) || ready.has(uid)))
      .map(({ uid, id }) => ({ name: 'share.completed', payload: { shareUid: uid, shareId: id } })),
    null,
  )
}

/** What no other product knows is as in a share that was made here without it. */
function toNewRow(share: ImportedShare, now: Date): ShareRow {
  return toRow({
    ...share,
    state: share.isCompleted ? 'completed' : 'open',
    edition: share.isCompleted ? 1 : 0,
    visibleEdition: null,
    completedAt: share.isCompleted ? share.createdAt : null,
    // An open one goes when nobody has gone on with it for a day.
    lastActivityAt: now,
    ownerTokenHash: null,
    creatorAddressHash: null,
    archiveLevel: null,
    maxSizeBytes: null,
    notifyOnDownload: false,
    language: null,
    receiverLanguage: null,
  })
}

import { appendEvents, type NewHappening, recordHappenings } from '@floe/db'
import type { Knex } from 'knex'
import type { Completion, NewEdition } from '../domain/ports.ts'
import type { Share } from '../domain/share.ts'
import type { ReverseShareRow } from './reverse-share-rows.ts'
import { oweMails, oweRecipientMails } from './share-mail-rows.ts'
import { isIdTaken } from './insert-share.ts'
import { forgetAnnouncement } from './open-early.ts'
import { fromRow, type ShareRow, toChangedColumns } from './share-rows.ts'
import { replaceRecipients } from './update-share.ts'

/** Undoes the transaction: nothing of a completion that cannot be stays. */
class Refusal extends Error {
  readonly reason: 'completed already' | 'used up'

  constructor(reason: Refusal['reason']) {
    super(reason)
    this.reason = reason
  }
}

export async function completeShare(
  knex: Knex,
  found: Share,
  edition: NewEdition,
): Promise<Completion> {
  const { now, terms } = edition
  try {
    return await knex.transaction(async (trx) => {
      // The reverse share's row first, as in every transaction on both.
      const reverseShare = await takeUse(trx, found)
      const row = await publish(trx, found, edition)
      const owesNotice = reverseShare?.sends_notice ?? false
      if (owesNotice) {
        await oweMails(trx, [{ shareUid: row.uid, kind: 'received', occasion: '', createdAt: now }])
      }
      if (terms.recipients) await replaceRecipients(trx, row.uid, terms.recipients)
      await oweRecipientMails(trx, row, now)
      await forgetAnnouncement(trx, row.uid)
      const payload = { shareUid: row.uid, shareId: row.id }
      await appendEvents(trx, [{ name: 'share.completed', payload }])
      await recordHappenings(trx, happeningsOf(found, { row, reverseShare }))
      return { share: fromRow(row), owesNotice }
    })
  } catch (error) {
    if (isIdTaken(error)) return 'id taken'
    if (!(error instanceof Refusal)) throw error
    return explain(knex, found, error)
  }
}

/** Edits that are published are no news. */
function happeningsOf(
  { state }: Share,
  { row, reverseShare }: { row: ShareRow; reverseShare: ReverseShareRow | null },
): NewHappening[] {
  if (state === 'reopened') return []
  const { id: shareId, name, creator_id, receiver_id } = row
  return [
    { type: 'share.completed', ownerId: creator_id ?? receiver_id, data: { shareId, name } },
    ...(reverseShare
      ? [
          {
            type: 'request.received' as const,
            ownerId: reverseShare.creator_id,
            data: {
              ...{ shareId, name, senderName: row.sender_name },
              ...{ requestToken: reverseShare.token, requestName: reverseShare.name },
            },
          },
        ]
      : []),
  ]
}

/** One use less, unless none is left: the statement is the check. Only the first time. */
async function takeUse(
  trx: Knex.Transaction,
  { state, reverseShareId }: Share,
): Promise<ReverseShareRow | null> {
  if (reverseShareId === null || state !== 'open') return null
  const [row] = await trx<ReverseShareRow>('reverse_shares')
    .where({ id: reverseShareId })
    .where('remaining_uses', '>', 0)
    .decrement('remaining_uses', 1)
    .returning('*')
  if (row === undefined) throw new Refusal('used up')
  return row
}

/** Found as it was read: a use is taken for a share that is still open, and for no other. */
async function publish(
  trx: Knex.Transaction,
  found: Share,
  { now, archiveLevel, terms: { id, changes } }: NewEdition,
): Promise<ShareRow> {
  const [row] = await trx<ShareRow>('shares')
    .where({ uid: found.uid, state: found.state })
    .update({
      ...toChangedColumns(changes),
      ...(id !== undefined && { id }),
      state: 'completed',
      edition: trx.raw('edition + 1'),
      archive_level: archiveLevel,
      completed_at: now,
      last_activity_at: now,
      creator_address_hash: null,
    })
    .returning('*')
  if (row === undefined) throw new Refusal('completed already')
  return row
}

/** A parallel completion of the very same share may have taken the last use. */
async function explain(knex: Knex, found: Share, { reason }: Refusal): Promise<Completion> {
  const row = await knex<ShareRow>('shares').where({ uid: found.uid }).first('state')
  if (row === undefined) return 'gone'
  return row.state === found.state ? reason : 'completed already'
}

import { appendEvents } from '@floe/db'
import type { Knex } from 'knex'
import type { Completion, NewEdition } from '../domain/ports.ts'
import { editionOfVisitors, type Share } from '../domain/share.ts'
import type { ReverseShareRow } from './reverse-share-rows.ts'
import { isIdTaken } from './insert-share.ts'
import { forgetAnnouncement } from './open-early.ts'
import { fromRow, type ShareRow, toChangedColumns } from './share-rows.ts'
import { tellOpened } from './tell-opened.ts'
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
  const { now, terms, isHeld } = edition
  try {
    return await knex.transaction(async (trx) => {
      // The reverse share's row first, as in every transaction on both.
      const reverseShare = await takeUse(trx, found)
      const row = await publish(trx, found, edition)
      if (terms.recipients) await replaceRecipients(trx, row.uid, terms.recipients)
      await forgetAnnouncement(trx, row.uid)
      if (isHeld) {
        // The last file may have been scanned since somebody looked.
        await appendEvents(trx, [{ name: 'share.held', payload: { shareUid: row.uid } }])
      } else await tellOpened(trx, row, { isNews: isNews(found), now })
      const owesNotice = reverseShare?.sends_notice ?? false
      return { share: fromRow(row), owesNotice }
    })
  } catch (error) {
    if (isIdTaken(error)) return 'id taken'
    if (!(error instanceof Refusal)) throw error
    return explain(knex, found, error)
  }
}

/** Edits that are published are none, unless visitors never saw what was edited. */
function isNews(found: Share): boolean {
  return found.state !== 'reopened' || editionOfVisitors(found) === 0
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
  { now, archiveLevel, isHeld, terms: { id, changes } }: NewEdition,
): Promise<ShareRow> {
  const [row] = await trx<ShareRow>('shares')
    .where({ uid: found.uid, state: found.state })
    .update({
      ...toChangedColumns(changes),
      ...(id !== undefined && { id }),
      state: 'completed',
      edition: trx.raw('edition + 1'),
      visible_edition: isHeld ? trx.raw('coalesce(visible_edition, edition)') : null,
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

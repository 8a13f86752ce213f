import { appendEvents, type NewHappening, recordHappenings } from '@floe/db'
import type { Knex } from 'knex'
import type { ReverseShareRow } from './reverse-share-rows.ts'
import { oweMails, oweRecipientMails } from './share-mail-rows.ts'
import type { ShareRow } from './share-rows.ts'

/**
 * Records what follows from an edition that visitors can read from now on: mails, webhooks and the
 * preparation of its archive. `isNews`: they could read none of the share before.
 */
export async function tellOpened(
  trx: Knex.Transaction,
  row: ShareRow,
  { isNews, now }: { isNews: boolean; now: Date },
): Promise<void> {
  const reverseShare = isNews ? await findReverseShare(trx, row) : undefined
  if (reverseShare?.sends_notice) {
    await oweMails(trx, [{ shareUid: row.uid, kind: 'received', occasion: '', createdAt: now }])
  }
  await oweRecipientMails(trx, row, now)
  const payload = { shareUid: row.uid, shareId: row.id }
  await appendEvents(trx, [{ name: 'share.completed', payload }])
  if (isNews) await recordHappenings(trx, happeningsOf(row, reverseShare))
}

async function findReverseShare(
  trx: Knex.Transaction,
  { reverse_share_id: id }: ShareRow,
): Promise<ReverseShareRow | undefined> {
  return id === null ? undefined : trx<ReverseShareRow>('reverse_shares').where({ id }).first()
}

function happeningsOf(row: ShareRow, reverseShare: ReverseShareRow | undefined): NewHappening[] {
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

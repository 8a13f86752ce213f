import { randomUUID } from 'node:crypto'
import { appendEvents } from '@floe/db'
import type { Knex } from 'knex'
import { mailboxOf, type ShareMail, type ShareMailKind } from '../domain/share-mail.ts'

export interface ShareMailRow {
  id: string
  share_uid: string
  kind: ShareMailKind
  occasion: string
  created_at: Date
  /** The process that is sending it. */
  claimed_by: number | null
  /** When that one began to give it to the mail server. */
  handover_began_at: Date | null
  /** When all of it was on its way there. */
  handed_over_at: Date | null
  sent_at: Date | null
}

export interface Owed extends Omit<ShareMail, 'id'> {
  createdAt: Date
}

/**
 * Records messages in the transaction that makes them due, each of them once for its share, kind
 * and occasion. One that was recorded before and never sent is asked for again.
 */
export async function oweMails(trx: Knex.Transaction, owed: readonly Owed[]): Promise<void> {
  if (owed.length === 0) return
  const rows = owed.map(({ shareUid, kind, occasion, createdAt }) => ({
    id: randomUUID(),
    share_uid: shareUid,
    kind,
    occasion,
    created_at: createdAt,
  }))
  const due = await trx<ShareMailRow>('share_mails')
    .insert(rows)
    .onConflict(['share_uid', 'kind', 'occasion'])
    .merge(['created_at'])
    .where('share_mails.sent_at', null)
    .returning('id')
  await appendEvents(
    trx,
    due.map(({ id }) => ({ name: 'share-mail.owed', payload: { mailId: id } })),
  )
}

/** Owes everybody on the list of a published share a message, unless they got one before. */
export async function oweRecipientMails(
  trx: Knex.Transaction,
  { uid, is_private: isPrivate }: { uid: string; is_private: boolean },
  now: Date,
): Promise<void> {
  // They could not open it.
  if (isPrivate) return
  const rows = await trx<{ share_uid: string; email: string }>('share_recipients')
    .where({ share_uid: uid })
    .orderBy('email')
  await oweMails(
    trx,
    rows.map(({ email }) => ({
      shareUid: uid,
      kind: 'recipient',
      occasion: mailboxOf(email),
      createdAt: now,
    })),
  )
}

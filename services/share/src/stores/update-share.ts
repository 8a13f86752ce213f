import { recordAuditEvents } from '@floe/db'
import type { Knex } from 'knex'
import type { ShareUpdate } from '../domain/ports.ts'
import { mailboxOf } from '../domain/share-mail.ts'
import type { Share } from '../domain/share.ts'
import { oweRecipientMails } from './share-mail-rows.ts'
import { fromRow, type ShareRow, toChangedColumns } from './share-rows.ts'

interface RecipientRow {
  share_uid: string
  email: string
}

export async function updateShare(
  knex: Knex,
  uid: string,
  { changes, recipients, now, auditEvents }: ShareUpdate,
): Promise<Share | null> {
  const columns = toChangedColumns(changes)
  return knex.transaction(async (trx) => {
    // A completion waits here, and then tells the people on the new list.
    const found = await trx<ShareRow>('shares').where({ uid }).forNoKeyUpdate().first()
    if (found === undefined) return null
    const [row = found] =
      Object.keys(columns).length === 0
        ? []
        : await trx<ShareRow>('shares').where({ uid }).update(columns).returning('*')
    if (recipients !== undefined) {
      await replaceRecipients(trx, uid, recipients)
      const isOpen = row.state === 'completed' || row.state === 'uploading'
      // Of what is held they are told once it opens.
      if (isOpen && row.visible_edition !== 0) await oweRecipientMails(trx, row, now)
    }
    await recordAuditEvents(trx, auditEvents)
    return fromRow(row)
  })
}

/** Recipients who stay keep the spelling of before. */
export async function replaceRecipients(
  trx: Knex.Transaction,
  uid: string,
  recipients: readonly string[],
): Promise<void> {
  const rows = await trx<RecipientRow>('share_recipients').where({ share_uid: uid })
  const wanted = new Set(recipients.map(mailboxOf))
  const known = new Set(rows.map(({ email }) => mailboxOf(email)))
  const gone = rows.filter(({ email }) => !wanted.has(mailboxOf(email)))
  const added = recipients.filter((email) => !known.has(mailboxOf(email)))
  await trx<RecipientRow>('share_recipients')
    .where({ share_uid: uid })
    .whereIn(
      'email',
      gone.map(({ email }) => email),
    )
    .delete()
  if (added.length > 0) {
    await trx<RecipientRow>('share_recipients').insert(
      added.map((email) => ({ share_uid: uid, email })),
    )
  }
}

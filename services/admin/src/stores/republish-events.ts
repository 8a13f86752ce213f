import { appendEventSql, type Knex } from '@floe/db'

/** Restores the events of jobs that the queue lost. */
export async function republishAdminEvents(trx: Knex.Transaction): Promise<void> {
  await trx.raw(
    appendEventSql('notice.owed', {
      payload: "jsonb_build_object('mailId', mail_id, 'userId', user_id)",
      requestId: 'null',
      from: 'owed_notices',
    }),
  )
  await trx.raw(
    appendEventSql('webhook.disabled', {
      payload: "jsonb_build_object('webhookId', id)",
      requestId: 'null',
      from: 'webhooks where owes_mail',
    }),
  )
}

import type { Database, Knex } from '@floe/db'
import { createDeliveryStore } from './delivery-store.ts'
import type { WebhookKey, WebhookStore } from './ports.ts'
import { toDisabled, toWebhook, type WebhookRow } from './webhook-rows.ts'

export function createWebhookStore({ knex }: Pick<Database, 'knex'>): WebhookStore {
  const own = ({ id, userId }: WebhookKey) =>
    knex<WebhookRow>('webhooks').where({ id, user_id: userId })
  return {
    add: (webhook, most) =>
      knex.transaction(async (trx) => {
        // One at a time of a user, so that the count holds.
        await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [
          `webhooks ${webhook.userId}`,
        ])
        const [counted] = await trx('webhooks')
          .where({ user_id: webhook.userId })
          .count<{ count: string | number }[]>('* as count')
        if (Number(counted?.count ?? 0) >= most) return false
        const { id, userId, scope, url, events, format, secret, createdAt, language } = webhook
        await trx('webhooks').insert({
          ...{ id, user_id: userId, scope, url, events, format, secret, language },
          created_at: createdAt,
        })
        return true
      }),

    async list(userId) {
      const rows = await knex<WebhookRow>('webhooks')
        .where({ user_id: userId })
        .orderBy([{ column: 'created_at', order: 'desc' }, { column: 'id' }])
      return rows.map(toWebhook)
    },

    async find(key) {
      const row = await own(key).first()
      return row ? toWebhook(row) : null
    },

    async update(key, { url, events, format, enabled }) {
      const columns: Partial<WebhookRow> = {
        ...(url !== undefined && { url }),
        ...(events !== undefined && { events: [...events] }),
        ...(format !== undefined && { format }),
        ...(enabled === true && { disabled_at: null, disabled_reason: null, owes_mail: false }),
      }
      const [row] =
        Object.keys(columns).length === 0
          ? await own(key)
          : await own(key).update(columns).returning('*')
      return row ? toWebhook(row) : null
    },

    remove: async (key) => (await own(key).delete()) > 0,

    async rotate(key, secret, previousUntil) {
      const [row] = await own(key)
        .update({
          previous_secret: knex.raw<Buffer>('secret'),
          previous_until: previousUntil,
          secret,
        })
        .returning('*')
      return row ? toWebhook(row) : null
    },

    async removeOfUser(userId) {
      await knex('webhooks').where({ user_id: userId }).delete()
    },

    async wantedByInstance() {
      const rows = await knex('webhooks')
        .where({ scope: 'instance' })
        .whereNull('disabled_at')
        .select<{ events: string[] }[]>('events')
      return new Set(rows.flatMap(({ events }) => events))
    },

    ...createOwedMails(knex),
    ...createDeliveryStore(knex),
  }
}

function createOwedMails(knex: Knex): Pick<WebhookStore, 'findOwingMail' | 'settleMail'> {
  return {
    async findOwingMail(webhookId) {
      const row = await knex<WebhookRow>('webhooks')
        .where({ id: webhookId, owes_mail: true })
        .first()
      return row ? toDisabled(row) : null
    },

    async settleMail(webhookId) {
      await knex('webhooks').where({ id: webhookId }).update({ owes_mail: false })
    },
  }
}

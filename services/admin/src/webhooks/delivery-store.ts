import { randomUUID } from 'node:crypto'
import { type Happening, happeningSchema, webhookDeliverySchema } from '@floe/contracts'
import { appendEvents, type Knex } from '@floe/db'
import type { DueDelivery, StoredDelivery, WebhookStore } from './ports.ts'
import { type DeliveryRow, toWebhook, type WebhookRow } from './webhook-rows.ts'

type Owing = Pick<WebhookStore, 'owe' | 'oweOne' | 'listDeliveries' | 'replay' | 'prune'>
type Sending = Pick<WebhookStore, 'takeDue' | 'takeOne' | 'settle' | 'disable'>

/** What webhooks are owed, and what became of it. */
export function createDeliveryStore(knex: Knex): Owing & Sending {
  return { ...createOwing(knex), ...createSending(knex) }
}

function createOwing(knex: Knex): Owing {
  return {
    owe: (happening, { now, administratorIds }) =>
      knex.transaction(async (trx) => {
        const { rows } = await trx.raw<{ rows: object[] }>(
          `insert into webhook_deliveries
             (id, webhook_id, event_id, happening, created_at, state, attempts, next_attempt_at)
           select gen_random_uuid(), id, :eventId, :happening, :now, 'waiting', 0, :now
           from webhooks
           where disabled_at is null and :type = any (events)
             and ((scope = 'own' and user_id = :ownerId)
                  or (scope = 'instance' and user_id = any (:administratorIds::uuid[])))
           on conflict (webhook_id, event_id) do nothing
           returning id`,
          {
            ...{ now, eventId: happening.id, type: happening.type, ownerId: happening.ownerId },
            happening: JSON.stringify(happening),
            administratorIds: [...administratorIds],
          },
        )
        if (rows.length > 0) await appendEvents(trx, [{ name: 'webhook.owed', payload: {} }])
        return rows.length
      }),

    async oweOne(webhookId, happening, now) {
      const id = randomUUID()
      await knex('webhook_deliveries').insert({
        ...{ id, webhook_id: webhookId, event_id: happening.id, created_at: now },
        happening: JSON.stringify(happening),
        ...{ state: 'waiting', attempts: 0, next_attempt_at: now },
      })
      return id
    },

    async listDeliveries(webhookId, limit) {
      const rows = await knex<DeliveryRow>('webhook_deliveries')
        .where({ webhook_id: webhookId })
        .orderBy([{ column: 'created_at', order: 'desc' }, { column: 'id' }])
        .limit(limit)
      return rows.map(toDelivery)
    },

    replay: (webhookId, which, now) =>
      knex.transaction(async (trx) => {
        const chosen = trx('webhook_deliveries').where({ webhook_id: webhookId })
        if ('deliveryId' in which) void chosen.where({ id: which.deliveryId })
        else void chosen.where('created_at', '>=', which.since)
        const count = await chosen.update({ state: 'waiting', attempts: 0, next_attempt_at: now })
        if (count > 0) await appendEvents(trx, [{ name: 'webhook.owed', payload: {} }])
        return count
      }),

    async prune({ before, most }) {
      await knex.raw(
        `delete from webhook_deliveries
         where state <> 'waiting' and (created_at < ? or id in (
           select id from (
             select id, row_number() over (partition by webhook_id order by created_at desc) as place
             from webhook_deliveries
           ) as ranked where place > ?))`,
        [before, most],
      )
    },
  }
}

function createSending(knex: Knex): Sending {
  return {
    takeDue: ({ now, leaseUntil, limit }) =>
      take(knex, { now, leaseUntil, limit, deliveryId: null }),

    async takeOne(deliveryId, { now, leaseUntil }) {
      const [taken] = await take(knex, { now, leaseUntil, limit: 1, deliveryId })
      return taken ?? null
    },

    async settle({ deliveryId, attempt, state, nextAttemptAt }) {
      const { at, milliseconds, status, error, response } = attempt
      await knex('webhook_deliveries')
        .where({ id: deliveryId })
        .update({
          ...{ state, next_attempt_at: nextAttemptAt },
          last_attempt: JSON.stringify({
            at: at.toISOString(),
            milliseconds,
            status,
            error,
            response,
          }),
        })
    },

    disable: (webhookId, { at, reason }) =>
      knex.transaction(async (trx) => {
        const owesMail = reason !== 'owner'
        const count = await trx('webhooks')
          .where({ id: webhookId })
          .whereNull('disabled_at')
          .update({ disabled_at: at, disabled_reason: reason, owes_mail: owesMail })
        if (count > 0 && owesMail) {
          await appendEvents(trx, [{ name: 'webhook.disabled', payload: { webhookId } }])
        }
        await trx('webhook_deliveries')
          .where({ webhook_id: webhookId, state: 'waiting' })
          .update({ state: 'failed', next_attempt_at: null })
      }),
  }
}

interface Taking {
  now: Date
  leaseUntil: Date
  limit: number
  /** `null` takes whatever is due. */
  deliveryId: string | null
}

/** Of what belongs to one share, the earlier first: a later one waits while an earlier one does. */
async function take(knex: Knex, taking: Taking): Promise<DueDelivery[]> {
  const { rows } = await knex.raw<{ rows: (DeliveryRow & WebhookRow & { delivery_id: string })[] }>(
    `with due as (
       select id from webhook_deliveries
       where next_attempt_at <= :now
         and (:deliveryId::uuid is null or id = :deliveryId)
       order by created_at, id limit :limit for update skip locked
     ), taken as (
       update webhook_deliveries set attempts = attempts + 1, next_attempt_at = :leaseUntil
       from due where webhook_deliveries.id = due.id
       returning webhook_deliveries.*
     )
     select taken.id as delivery_id, taken.happening, taken.attempts, webhooks.*
     from taken join webhooks on webhooks.id = taken.webhook_id
     order by taken.created_at, taken.id`,
    { ...taking },
  )
  return rows.map((row) => ({
    id: row.delivery_id,
    webhookId: row.id,
    userId: row.user_id,
    url: row.url,
    format: toWebhook(row).format,
    happening: happeningSchema.parse(row.happening),
    attempts: row.attempts,
    secret: row.secret,
    previousSecret:
      row.previous_until && row.previous_until > taking.now ? row.previous_secret : null,
  }))
}

const storedDeliverySchema = webhookDeliverySchema.omit({ request: true })

function toDelivery(row: DeliveryRow): StoredDelivery {
  const happening: Happening = happeningSchema.parse(row.happening)
  const delivery = storedDeliverySchema.parse({
    ...{ id: row.id, eventId: row.event_id, event: happening.type, state: row.state },
    attempts: row.attempts,
    createdAt: row.created_at.toISOString(),
    nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
    lastAttempt: row.last_attempt,
  })
  return { ...delivery, happening }
}

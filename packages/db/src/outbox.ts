import { type DomainEvent, type EventName, eventSchemas } from '@floe/contracts'
import { currentRequestId } from '@floe/log'
import type { Knex } from 'knex'

/** Notifies the relay when a transaction with events commits. */
export const OUTBOX_CHANNEL = 'floe_outbox'

/** The table behind the outbox; part of the platform, so every process migrates it first. */
export const outboxMigrations = [
  {
    name: '0001-create-outbox',
    async up(knex: Knex): Promise<void> {
      await knex.schema.createTable('outbox', (table) => {
        table.bigIncrements('id')
        table.text('name').notNullable()
        table.jsonb('payload').notNullable()
        table.text('request_id')
        table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
      })
    },
  },
  {
    name: '0002-create-queue-mark',
    async up(knex: Knex): Promise<void> {
      await knex.schema.createTable('queue_mark', (table) => table.bigInteger('mark').notNullable())
      await knex('queue_mark').insert({ mark: 0 })
    },
  },
]

/**
 * `insert` of one event for each row of `from`, to be part of a bigger statement where each round
 * trip counts. `payload` and `requestId` are SQL expressions. It sends no notification: PostgreSQL
 * sends one at a time at commit, and a burst of transactions would wait for one another. The relay
 * finds these events when it next looks.
 */
export function appendEventSql(
  name: EventName,
  { payload, requestId, from }: { payload: string; requestId: string; from: string },
): string {
  return `insert into outbox (name, payload, request_id)
    select '${name}', ${payload}, ${requestId} from ${from}`
}

/**
 * Records events in the transaction that makes them true. PostgreSQL delivers the notification on
 * commit and drops it on rollback, so the relay never sees what did not happen. They carry the id
 * of the request at hand, and so do the jobs they ask for.
 */
export async function appendEvents(
  trx: Knex.Transaction,
  events: readonly DomainEvent[],
  requestId: string | null = currentRequestId(),
): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(({ name, payload }) => ({
    name,
    payload: JSON.stringify(eventSchemas[name].parse(payload)),
    request_id: requestId,
  }))
  await trx('outbox').insert(rows)
  await trx.raw('select pg_notify(?, ?)', [OUTBOX_CHANNEL, ''])
}

import { randomUUID } from 'node:crypto'
import { type AuditEvent, auditEventSchema } from '@floe/contracts'
import { currentRequestId } from '@floe/log'
import type { Knex } from 'knex'

const longestText = 500

/**
 * Hands events over to the audit log, in the transaction that makes them true: both are, or
 * neither. The time is the database's, one clock for all processes. Sends no notification, so that
 * sign-ins do not wait for one another at commit; the relay looks once a second.
 */
export async function recordAuditEvents(knex: Knex, events: readonly AuditEvent[]): Promise<void> {
  if (events.length === 0) return
  const payloads = events.map((event) => ({
    id: randomUUID(),
    ...shorten(auditEventSchema.parse(event)),
  }))
  await knex.raw(
    `insert into outbox (name, payload, request_id)
     select 'act.done', event || jsonb_build_object('at', clock_timestamp()), ?
     from jsonb_array_elements(?::jsonb) as event`,
    [currentRequestId(), JSON.stringify(payloads)],
  )
}

/** Headers and names are as long as their senders like; NUL no JSON of PostgreSQL can hold. */
function shorten<T>(value: T): T {
  const text = JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? part.replaceAll('\u0000', '\ufffd').slice(0, longestText) : part,
  )
  return JSON.parse(text) as T
}

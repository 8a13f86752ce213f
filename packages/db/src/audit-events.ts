import { randomUUID } from 'node:crypto'
import { type AuditEvent, auditEventSchema } from '@floe/contracts'
import { currentRequestId } from '@floe/log'
import type { Knex } from 'knex'

const longestText = 500

/**
 * Hands acts over to the audit log, in the transaction that makes them true: both are, or neither.
 * The time is the database's, one clock for all processes. Wakes nobody, so that sign-ins do not
 * take turns at commit; the relay looks once a second.
 */
export async function recordAuditEvents(knex: Knex, acts: readonly AuditEvent[]): Promise<void> {
  if (acts.length === 0) return
  const payloads = acts.map((act) => ({
    id: randomUUID(),
    ...shorten(auditEventSchema.parse(act)),
  }))
  await knex.raw(
    `insert into outbox (name, payload, request_id)
     select 'act.done', act || jsonb_build_object('at', clock_timestamp()), ?
     from jsonb_array_elements(?::jsonb) as act`,
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

import { randomUUID } from 'node:crypto'
import { type Happening, happeningSchema, type WebhookEvent } from '@floe/contracts'
import { currentRequestId } from '@floe/log'
import type { Knex } from 'knex'

/** Without what is added here: its id, and the time of the database. */
export type NewHappening = Omit<Happening, 'id' | 'at'>

const newHappeningSchema = happeningSchema.omit({ at: true })

/**
 * Hands what webhooks may be told of over to them, in the transaction that makes it true. Like audit
 * events it sends no notification: the relay looks once a second.
 */
export async function recordHappenings(
  knex: Knex,
  happenings: readonly NewHappening[],
): Promise<void> {
  if (happenings.length === 0) return
  const payloads = happenings.map((happening) =>
    newHappeningSchema.parse({ id: randomUUID(), ...happening }),
  )
  await knex.raw(
    `insert into outbox (name, payload, request_id)
     select 'happening.recorded', happening || jsonb_build_object('at', clock_timestamp()), ?
     from jsonb_array_elements(?::jsonb) as happening`,
    // NUL no JSON of PostgreSQL can hold.
    [
      currentRequestId(),
      JSON.stringify(payloads).replaceAll(String.raw`\u0000`, String.raw`\ufffd`),
    ],
  )
}

/** The same as part of a statement, for rows that it changes. `data` is a list as SQL: `'shareId', id`. */
export function happeningSql(
  type: WebhookEvent,
  { ownerId, data, from }: { ownerId: string; data: string; from: string },
): string {
  return `insert into outbox (name, payload, request_id)
    select 'happening.recorded', jsonb_build_object(
      'id', gen_random_uuid(), 'type', '${type}', 'at', clock_timestamp(),
      'ownerId', ${ownerId}, 'data', jsonb_build_object(${data})), null
    from ${from}`
}

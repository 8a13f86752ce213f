import type { AuditEntry, AuditFilter, RecordedAuditEvent } from '@floe/contracts'
import { containing, type Database, type Knex, recordAuditEvents } from '@floe/db'
import { plainAddress } from '@floe/http'
import type { AuditPosition, AuditStore } from '../domain/ports.ts'

interface AuditRow {
  id: string
  at: Date
  action: string
  actor_id: string | null
  actor_name: string | null
  address: string
  user_agent: string
  target_type: string | null
  target_id: string | null
  target_name: string | null
  details: Record<string, string>
}

export function createAuditStore({ knex }: Database): AuditStore {
  return {
    async add(auditEvent) {
      await knex('audit_entries').insert(toRow(auditEvent)).onConflict('id').ignore()
    },

    async list({ limit, offset, ...filter }) {
      const [rows, [counted]] = await Promise.all([
        latestFirst(matching(knex, filter)).offset(offset).limit(limit).select<AuditRow[]>('*'),
        matching(knex, filter).count<{ count: string | number }[]>('* as count'),
      ])
      return { entries: rows.map(fromRow), total: Number(counted?.count ?? 0) }
    },

    async listAfter(position, { filter, limit }) {
      const rows = await latestFirst(after(matching(knex, filter), position))
        .limit(limit)
        .select<AuditRow[]>('*')
      return rows.map(fromRow)
    },

    async removeBefore(moment, limit) {
      const old = knex('audit_entries').where('at', '<', moment).limit(limit).select('id')
      return knex('audit_entries').whereIn('id', old).delete()
    },

    record: (auditEvents) => recordAuditEvents(knex, auditEvents),
  }
}

function matching(knex: Knex, { actor, action, target, from, to }: AuditFilter) {
  const entries = knex('audit_entries')
  if (actor) entries.whereILike('actor_name', containing(actor))
  if (action !== undefined) entries.where({ action })
  if (target) {
    const pattern = containing(target)
    entries.where((either) =>
      either.whereILike('target_name', pattern).orWhereILike('target_id', pattern),
    )
  }
  if (from !== undefined) entries.where('at', '>=', from)
  if (to !== undefined) entries.where('at', '<', to)
  return entries
}

function after(entries: ReturnType<typeof matching>, position: AuditPosition | null) {
  return position === null
    ? entries
    : entries.whereRaw('(at, id) < (?::timestamptz, ?::uuid)', [position.at, position.id])
}

function latestFirst(entries: ReturnType<typeof matching>) {
  return entries.orderBy([
    { column: 'at', order: 'desc' },
    { column: 'id', order: 'desc' },
  ])
}

function toRow({ id, at, action, actor, target, details }: RecordedAuditEvent) {
  return {
    id,
    at,
    action,
    actor_id: actor.id,
    actor_name: actor.name,
    address: actor.address,
    user_agent: actor.userAgent,
    target_type: target?.type ?? null,
    target_id: target?.id ?? null,
    target_name: target?.name ?? null,
    details: JSON.stringify(details),
  }
}

function fromRow(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: row.at.toISOString(),
    action: row.action,
    actor: {
      id: row.actor_id,
      name: row.actor_name,
      // Some were recorded as a socket for both families calls them.
      address: plainAddress(row.address),
      userAgent: row.user_agent,
    },
    target:
      row.target_type === null
        ? null
        : { type: row.target_type, id: row.target_id, name: row.target_name },
    details: row.details,
  }
}

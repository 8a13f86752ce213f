import { type Database, recordAuditEvents } from '@floe/db'
import type { AuditEventStore } from '../domain/ports.ts'

export function createAuditEventStore({ knex }: Database): AuditEventStore {
  return { record: (auditEvents) => recordAuditEvents(knex, auditEvents) }
}

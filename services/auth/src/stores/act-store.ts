import { type Database, recordAuditEvents } from '@floe/db'
import type { ActStore } from '../domain/ports.ts'

export function createActStore({ knex }: Database): ActStore {
  return { record: (acts) => recordAuditEvents(knex, acts) }
}

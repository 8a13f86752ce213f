import { type Database, recordActs } from '@floe/db'
import type { ActStore } from '../domain/ports.ts'

export function createActStore({ knex }: Database): ActStore {
  return { record: (acts) => recordActs(knex, acts) }
}

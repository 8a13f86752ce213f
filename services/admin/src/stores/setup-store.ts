import type { Database } from '@floe/db'
import type { SetupStore } from '../domain/ports.ts'

export function createSetupStore({ knex }: Database): SetupStore {
  return {
    async isFinished() {
      return (await knex('setup').first('is_finished')) !== undefined
    },
    async finish(now) {
      await knex('setup').insert({ is_finished: true, finished_at: now }).onConflict().ignore()
    },
  }
}

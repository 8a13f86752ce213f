import { randomUUID } from 'node:crypto'
import { openDatabase } from '@floe/db'
import { createTestDatabase } from '@floe/testing'
import { expect, it } from 'vitest'
import { createPostgresLimits, limitMigrations } from './postgres-limits.ts'
import { describeLimits } from './testing/limits-conformance.ts'

async function openHome() {
  const testDatabase = await createTestDatabase([
    { service: 'limits', migrations: limitMigrations },
  ])
  const database = openDatabase({ url: testDatabase.url })
  // Nobody listens on port 1.
  const lost = openDatabase({ url: 'postgres://127.0.0.1:1/nothing' })
  return {
    database,
    open: () => createPostgresLimits({ database }),
    openUnreachable: () => createPostgresLimits({ database: lost }),
    dump: async () => JSON.stringify(await database.knex('rate_limits')),
    remove: async () => {
      await Promise.all([database.close(), lost.close()])
      await testDatabase.drop()
    },
  }
}

describeLimits('PostgreSQL', openHome)

it('removes rows whose window has ended, and no others', async () => {
  const { database, open, remove } = await openHome()
  const { knex } = database
  const ended = Array.from({ length: 300 }, (_, index) => ({
    key: `ended:${index}`,
    points: 1,
    expire: Date.now() - 1_000,
  }))
  await knex('rate_limits').insert(ended)
  const limits = open()
  const limit = { name: 'open', points: 5, windowSeconds: 60 }

  await Promise.all(Array.from({ length: 256 }, () => limits.spend(limit, randomUUID())))

  await expect(knex('rate_limits').where('key', 'like', 'ended:%')).resolves.toEqual([])
  await expect(knex('rate_limits').where('key', 'like', 'open:%')).resolves.toHaveLength(256)
  await remove()
})

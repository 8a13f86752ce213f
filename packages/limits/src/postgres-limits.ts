import type { Database, Knex } from '@floe/db'
import { RateLimiterPostgres } from 'rate-limiter-flexible'
import type { RateLimits } from './rate-limits.ts'
import { createStoreLimits } from './store-limits.ts'

const TABLE = 'rate_limits'

const SPENDS_BETWEEN_PURGES = 256
const ROWS_PER_PURGE = 1_000

/** The columns, in this order, are the library's; `expire` is in milliseconds since 1970. */
export const limitMigrations = [
  {
    name: '0001-create-rate-limits',
    async up(knex: Knex): Promise<void> {
      // Unlogged: a crash of the server forgets attempts of the last minutes, and no attempt costs
      // a flush to disk. Free space in each page keeps the counting updates off the indexes.
      await knex.raw(
        `create unlogged table rate_limits (
          key text primary key,
          points integer not null,
          expire bigint not null
        ) with (fillfactor = 70)`,
      )
      await knex.raw('create index rate_limits_expire on rate_limits (expire)')
    },
  },
]

/** Counts in PostgreSQL, one statement a call. Windows end by the clocks of the replicas. */
export function createPostgresLimits({ database: { knex } }: { database: Database }): RateLimits {
  const limits = createStoreLimits({
    openLimiter: ({ name, points, windowSeconds }) =>
      new RateLimiterPostgres({
        storeClient: knex,
        storeType: 'knex',
        tableName: TABLE,
        // Ours by migration; the library would create it on each start, and purge on timers.
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix: name,
        points,
        duration: windowSeconds,
      }),
  })
  let spends = 0
  return {
    ...limits,
    spend: async (limit, key, points) => {
      const state = await limits.spend(limit, key, points)
      spends += 1
      if (spends % SPENDS_BETWEEN_PURGES === 0) await purgeExpired(knex)
      return state
    },
  }
}

/** More rows than were made since the last time, so that the table cannot grow for ever. */
async function purgeExpired(knex: Knex): Promise<void> {
  // Rows that another call counts on, or purges, right now are left alone.
  await knex.raw(
    `with expired as materialized (
       select key from rate_limits where expire <= ? limit ? for update skip locked
     )
     delete from rate_limits using expired where rate_limits.key = expired.key`,
    [Date.now(), ROWS_PER_PURGE],
  )
}

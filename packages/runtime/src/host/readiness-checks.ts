import type { Environment } from '@floe/config'
import { HEALTH_READY_PATH } from '@floe/contracts'
import { findPendingMigrations, type MigrateOptions } from '@floe/db'
import { newObjectKey } from '@floe/storage'
import type { Composition } from './compose.ts'
import type { Platform } from './platform.ts'
import type { ReadinessCheck } from './readiness.ts'

export const DATABASE_CHECK = 'database'

/** What the services of this process cannot work without. */
export function listReadinessChecks(
  environment: Environment,
  { database, limits, objects }: Platform,
  {
    queue,
    migrations,
    owners,
  }: Pick<Composition, 'queue' | 'owners'> & { migrations: readonly MigrateOptions[] },
): ReadinessCheck[] {
  const runs = (...names: string[]) => environment.services.some((name) => names.includes(name))
  const elsewhere = Object.entries(environment.serviceUrls).filter(
    ([name]) => !owners.some((owner) => owner.name === name),
  )
  return [
    { name: DATABASE_CHECK, check: () => database.knex.raw('select 1') },
    {
      name: 'migrations',
      check: async () => {
        for (const one of migrations) {
          const [missing] = await findPendingMigrations(database, one)
          if (missing !== undefined) throw new Error(`${one.service} lacks ${missing}`)
        }
      },
    },
    ...(queue === null ? [] : [{ name: 'queue', check: () => queue.counts() }]),
    ...(environment.redisUrl !== null && runs('auth', 'share')
      ? [{ name: 'limits', check: () => limits.peek(probedLimit, 'readiness') }]
      : []),
    ...(runs('file', 'worker')
      ? [
          {
            name: 'objects',
            check: async () => {
              const key = newObjectKey()
              await objects.putSmall(key, [Buffer.alloc(1)])
              await objects.remove([key])
            },
          },
        ]
      : []),
    ...(runs('gateway')
      ? elsewhere.map(([name, url]) => ({ name, check: () => askService(url ?? '') }))
      : []),
  ]
}

const probedLimit = { name: 'readiness', points: 1, windowSeconds: 1 }

async function askService(url: string): Promise<void> {
  const response = await fetch(`${url}${HEALTH_READY_PATH}`, { signal: AbortSignal.timeout(2_500) })
  await response.text()
  if (!response.ok) throw new Error(`status ${response.status}`)
}

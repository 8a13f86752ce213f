import type { Database } from '@floe/db'
import type { RateLimits } from '@floe/limits'
import type { Log } from '@floe/log'
import type { Passwords } from '@floe/passwords'
import { defineService, type Ports, type Service } from '@floe/runtime'
import { createAttempts } from './domain/attempts.ts'
import { createEditing } from './domain/editing.ts'
import { createListing } from './domain/listing.ts'
import { createOwnership } from './domain/ownership.ts'
import { createShareKey } from './domain/share-key.ts'
import { createSharePort } from './domain/share-port.ts'
import { createVisitTokens } from './domain/visit-tokens.ts'
import { createVisits } from './domain/visits.ts'
import { createConsumers } from './jobs/consumers.ts'
import { createShareRoutes } from './routes/share-routes.ts'
import { createSecretStore } from './stores/secret-store.ts'
import { createShareStore } from './stores/share-store.ts'
import { createVisitStore } from './stores/visit-store.ts'

export { migrations } from './stores/migrations.ts'

export interface SharePlatform {
  database: Database
  limits: RateLimits
  passwords: Passwords
  log: Log
  clock: () => Date
}

type Needs = 'auth' | 'file' | 'admin'

/** Shares: who may read them, who may change them, and when they end. */
export const shareService = defineService<'share', Needs, SharePlatform>({
  name: 'share',
  paths: ['/api/shares', '/api/reverseShares'],
  needs: ['auth', 'file', 'admin'],
  create: async ({ platform, ports }) => createShareService(platform, ports),
})

function createShareService(
  { database, limits, passwords, clock, log }: SharePlatform,
  { auth, file: files, admin }: Pick<Ports, Needs>,
): Service<'share'> {
  const { knex } = database
  const shares = createShareStore(database)
  const visitStore = createVisitStore({ knex })
  const key = createShareKey({ secrets: createSecretStore({ knex }) })
  const tokens = createVisitTokens({ key, clock })
  const ownership = createOwnership({ auth })
  const attempts = createAttempts({ limits })
  const visits = createVisits({
    shares,
    visits: visitStore,
    tokens,
    passwords,
    attempts,
    ownership,
    key,
    clock,
    prepareDownload: (grant) => {
      // Whoever enters may soon download all; laying the archive out now keeps that prompt.
      files.archiveStatus({ grant }).catch((err: unknown) => {
        log.debug({ err }, 'the archive was not laid out ahead')
      })
    },
  })
  const editing = createEditing({ shares, files, admin, ownership, passwords, clock })
  const listing = createListing({ shares, files, auth, ownership, visits, clock })
  return {
    routes: createShareRoutes({ editing, listing, visits, attempts }),
    consumers: createConsumers({ shares, visits: visitStore, clock }),
    port: createSharePort({ shares, visits, ownership, admin, clock }),
    // Nothing here outlives a request.
    stop: () => Promise.resolve(),
  }
}

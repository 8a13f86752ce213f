import { resolve } from 'node:path'

import { StartError } from '../start-error.ts'
import { findPostgresPackage } from './binaries.ts'
import { addressOf, describeCluster, hasCluster, readPassword, superuser } from './cluster.ts'
import { findPostmaster } from './postmaster.ts'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './server.ts'

/** Was a Floe ever started on this data directory? */
export async function hasEmbeddedDatabase(dataDir: string): Promise<boolean> {
  return hasCluster(describeCluster(resolve(dataDir), (await findPostgresPackage()).major))
}

/**
 * The database of a data directory for a tool that only reads: that of the Floe that runs, which
 * `stop` leaves alone, or one started for as long as it is borrowed. Never makes one. Rejects with
 * a `StartError` where there is none.
 */
export async function borrowEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  const paths = describeCluster(dataDir, (await findPostgresPackage()).major)
  if (!(await hasCluster(paths))) {
    throw new StartError(
      `No Floe database found in ${dataDir}; use the same DATA_DIR or DATABASE_URL as the server.`,
    )
  }
  const running = await findPostmaster(paths.clusterDir)
  if (running === undefined || running.port === 0) return startEmbeddedPostgres(options)
  return {
    url: addressOf(superuser, running.port, await readPassword(paths)),
    stop: () => Promise.resolve(),
  }
}

import { access, constants, mkdir } from 'node:fs/promises'
import type { Environment, ProviderUrls } from '@floe/config'
import type { Demo } from '@floe/contracts'
import {
  type Database,
  type MigrateOptions,
  openDatabase,
  openPresence,
  type Presence,
  StartError,
  startEmbeddedPostgres,
} from '@floe/db'
import { createPostgresLimits, createRedisLimits, type RateLimits } from '@floe/limits'
import type { Log } from '@floe/log'
import { createMailer, createMailerToNowhere, type Mailer } from '@floe/mail'
import type { Metrics } from './metrics/metrics.ts'
import { createPasswords, type Passwords } from '@floe/secrets'
import { createPostgresQueue, createRedisQueue, type JobQueue } from '@floe/queue'
import { createSecrets, loadSecretKey, secretKeyOf, type Secrets } from '@floe/secrets'
import type { ObjectStore } from '@floe/storage'
import { createTransferMemory, type TransferMemory } from '@floe/transfer'
import { meterMailer } from './metrics/metering.ts'
import { listObjectMigrations, openObjects } from './objects.ts'
import type { Shutdown } from './shutdown.ts'
import { planUpgrade, type Upgrade } from './upgrade.ts'

/** What the environment lends the services: one adapter for each need, chosen here and only here. */
export interface Platform {
  database: Database
  databaseUrl: string
  presence: Presence
  objects: ObjectStore
  memory: TransferMemory
  limits: RateLimits
  secrets: Secrets
  mailer: Mailer
  passwords: Passwords
  providerUrls: ProviderUrls
  webhookNetworks: readonly string[]
  clamav: Environment['clamav']
  publicUrl: string | null
  /** Settings that the operator has fixed. */
  settings: Environment['settings']
  /** The same, as texts; where `settings` say nothing else. */
  foreignSettings: readonly { key: string; value: string }[]
  firstUser: Environment['firstUser']
  /** This process's own; each service in it gets one by its name. */
  log: Log
  logFor(service: string): Log
  metrics: Metrics
  /** Null unless this is one. */
  demo: Demo | null
  clock: () => Date
  /** The same each time; opened when it is first asked for. */
  openQueue(): Promise<JobQueue>
}

export type OpenPlatformOptions = Pick<Platform, 'log' | 'logFor' | 'metrics' | 'demo'> & {
  /** Of the services in this process. */
  migrations: readonly MigrateOptions[]
  shutdown: Shutdown
}

export async function openPlatform(
  environment: Environment,
  { log, logFor, metrics, demo, migrations, shutdown }: OpenPlatformOptions,
): Promise<Platform> {
  const keepsFiles =
    environment.s3 === null &&
    ['file', 'worker'].some((name) => environment.services.some((service) => service === name))
  const needsDirectory = environment.databaseUrl === null || keepsFiles
  if (needsDirectory) await prepareDirectory(environment.dataDirectory)
  const upgrade = planUpgrade(environment, {
    migrations: [...migrations, ...(await listObjectMigrations(environment))],
    log,
  })
  const databaseUrl =
    environment.databaseUrl ?? (await startPostgres(environment, { log, shutdown, upgrade }))

  // One core needs few at a time; a machine of many would use up those of PostgreSQL.
  const maxConnections = environment.processes > 1 ? 10 : 20
  const database = openDatabase({ url: databaseUrl, maxConnections })
  shutdown.add('database', () => database.close())
  metrics.watchPool(() => database.poolState())
  await assertReachable(database)
  await upgrade.apply(database)
  const presence = await openPresence({
    url: databaseUrl,
    onTrouble: (error) => log.warn({ err: error }, 'notification connection lost'),
  })
  shutdown.add('presence', () => presence.close())

  const memory = createTransferMemory()
  return {
    database,
    databaseUrl,
    presence,
    objects: await openObjects(environment, { database, memory, shutdown }),
    memory,
    limits: openLimits(environment, database, shutdown),
    secrets: createSecrets({ key: await openSecretKey(environment) }),
    mailer: meterMailer(demo === null ? createMailer() : createMailerToNowhere(), metrics),
    passwords: createPasswords(),
    providerUrls: environment.providerUrls,
    webhookNetworks: environment.webhookNetworks,
    clamav: environment.clamav,
    publicUrl: environment.publicUrl ?? ownUrl(environment),
    settings: environment.settings,
    foreignSettings: await readForeignSettings(environment),
    firstUser: environment.firstUser,
    log,
    logFor,
    metrics,
    demo,
    clock: () => new Date(),
    openQueue: openOnce(async () => {
      const queue = await (environment.redisUrl === null
        ? createPostgresQueue({ databaseUrl, log: logFor('worker') })
        : createRedisQueue({ redisUrl: environment.redisUrl, log: logFor('worker') }))
      shutdown.add('queue', () => queue.close())
      return queue
    }),
  }
}

/** Only operators who came from another product need what reads its settings. */
export async function readForeignSettings({
  foreignSettings,
}: Environment): Promise<Platform['foreignSettings']> {
  if (foreignSettings.length === 0) return []
  const { translateSettings } = await import('@floe/import')
  return translateSettings(foreignSettings)
}

/** The next call tries again what failed. */
function openOnce<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | null = null
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = null
      throw error
    })
    return opened
  }
}

function openLimits(environment: Environment, database: Database, shutdown: Shutdown): RateLimits {
  if (environment.redisUrl === null) return createPostgresLimits({ database })
  const limits = createRedisLimits({ redisUrl: environment.redisUrl })
  shutdown.add('limits', () => limits.close())
  return limits
}

/** Parts that run apart share INTERNAL_SECRET; one process keeps a key beside its data. */
export function openSecretKey({
  internalSecret,
  dataDirectory,
}: Environment): Promise<Buffer> | Buffer {
  return internalSecret === null ? loadSecretKey(dataDirectory) : secretKeyOf(internalSecret)
}

/** Where this process is reached unless a public URL is set. */
function ownUrl({ services, port }: Environment): string | null {
  return services.includes('gateway') && port !== 0 ? `http://localhost:${port}` : null
}

async function startPostgres(
  environment: Environment,
  { log, shutdown, upgrade }: { log: Log; shutdown: Shutdown; upgrade: Upgrade },
) {
  const postgres = await startEmbeddedPostgres({
    dataDir: environment.dataDirectory,
    log,
    chooseCopy: (url) => upgrade.chooseCopy(url),
    onLost: (error) => {
      log.fatal({ err: error }, 'another process took over the database')
      process.kill(process.pid, 'SIGTERM')
    },
  })
  shutdown.add('postgres', () => postgres.stop())
  return postgres.url
}

async function prepareDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true })
    await access(directory, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new StartError(
      `The data directory ${directory} cannot be created or written to: check its owner and its disk, or set DATA_DIR to another folder.`,
      cause,
    )
  }
}

async function assertReachable(database: Database): Promise<void> {
  try {
    await database.knex.raw('select 1')
  } catch (cause) {
    throw new StartError(
      `The database cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}.`,
      cause,
    )
  }
}

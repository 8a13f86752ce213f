import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { StartError } from '../start-error.ts'
import type { SteadyConnection } from '../steady-connection.ts'
import { type Binaries, findPostgresPackage, locateBinaries } from './binaries.ts'
import {
  addressOf,
  type ClusterPaths,
  describeCluster,
  makeServerFolder,
  prepareCluster,
  superuser,
} from './cluster.ts'
import { copyCluster } from './copy-cluster.ts'
import { type DirectoryLock, lockDirectory } from './directory-lock.ts'
import { alreadyRunning, explainFileError } from './failures.ts'
import { createLauncher, type Launcher } from './launcher.ts'
import { claimOwnership, isNotReady, OwnedByAnother } from './ownership.ts'
import { assertClusterOwner, chooseServerUser, type ServerUser } from './server-user.ts'
import type { ServerSettings } from './settings.ts'

/** The part of a logger this needs. */
export interface EmbeddedPostgresLog {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

export interface EmbeddedPostgresOptions {
  /** Floe's data directory; the cluster lives below it. */
  dataDir: string
  log: EmbeddedPostgresLog
  /** PostgreSQL settings that replace ours, for tests. */
  settings?: ServerSettings
  /**
   * Called once if another Floe took the database over after ours had failed; this process must
   * not go on writing to the same data directory.
   */
  onLost?: (error: StartError) => void
  /**
   * Asked with the address before anybody else gets it: the folder that the cluster is copied to
   * first, or null. Nothing else can change the database between the question and the copy.
   */
  chooseCopy?: (url: string) => Promise<string | null>
}

export interface EmbeddedPostgres {
  /** With the password in it; the port changes from start to start. */
  readonly url: string
  /** Closes every connection and ends the server; bounded to about ten seconds. */
  stop(): Promise<void>
}

/**
 * Starts PostgreSQL on a cluster in the data directory, or takes over the server that a killed
 * Floe left behind. While this Floe lives a server that dies is started again on the same port.
 * Rejects with a `StartError` for everything the person starting Floe can do something about.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  let lock: DirectoryLock | undefined
  try {
    const postgresPackage = await findPostgresPackage()
    const paths = describeCluster(dataDir, postgresPackage.major)
    await assertClusterOwner(paths.clusterDir)
    const user = await chooseServerUser(paths.clusterDir)
    const binaries = await locateBinaries({ postgresPackage, user, log: options.log })
    await makeServerFolder(paths)
    lock = await lockDirectory({ dir: paths.serverDir, log: options.log })
    const password = await prepareCluster({
      paths,
      major: postgresPackage.major,
      binaries,
      user,
      durable: options.settings?.['fsync'] !== 'off',
      log: options.log,
    })
    const { major } = postgresPackage
    const server = await openServerOrCopy({ ...options, paths, major, binaries, user, password })
    const kept = lock
    let stopping: Promise<void> | undefined
    const stop = async () => {
      await server.stop()
      await kept.release()
    }
    return {
      url: server.url,
      stop: () => {
        stopping ??= stop()
        return stopping
      },
    }
  } catch (error) {
    await lock?.release()
    if (error instanceof OwnedByAnother) throw alreadyRunning(dataDir)
    throw (error instanceof StartError ? undefined : explainFileError(error, dataDir)) ?? error
  }
}

interface ServerOptions extends EmbeddedPostgresOptions {
  paths: ClusterPaths
  binaries: Binaries
  user: ServerUser
  password: string
}

async function openServerOrCopy(
  options: ServerOptions & { major: string },
): Promise<EmbeddedPostgres> {
  const { chooseCopy, paths, major } = options
  const server = await openServer(options)
  if (chooseCopy === undefined) return server
  const target = await chooseCopy(server.url).catch(async (error: unknown) => {
    await server.stop()
    throw error
  })
  if (target === null) return server
  await server.stop()
  await copyCluster({ ...paths, major }, target)
  return openServer(options)
}

/**
 * The process that holds the ownership lock inside the running server owns it, even if another one
 * launched it. On one machine the directory lock would do; where the kernel offers none, this one
 * decides.
 */
async function openServer(options: ServerOptions): Promise<EmbeddedPostgres> {
  const launcher = createLauncher({ ...options, settings: options.settings ?? {} })
  try {
    const { ownership, port } = await claimWhenReady(options, launcher)
    options.log.info(`PostgreSQL is ready on 127.0.0.1:${port}`)
    return {
      url: addressOf(superuser, port, options.password),
      stop: () => stopServer(launcher, ownership),
    }
  } catch (error) {
    if (!(error instanceof OwnedByAnother)) await launcher.stopOwnChild()
    throw error
  }
}

/** Locks are kept until the server is gone, so that no process adopts a server about to stop. */
async function stopServer(launcher: Launcher, ownership: SteadyConnection): Promise<void> {
  ownership.release()
  await launcher.stop()
  await ownership.close()
}

/** Replaying the log after a crash can take a while; the process being alive is what counts. */
const patienceMs = 180_000
const silenceMs = 5_000

async function claimWhenReady(
  options: ServerOptions,
  launcher: Launcher,
): Promise<{ ownership: SteadyConnection; port: number }> {
  const { paths, log } = options
  const startedAt = Date.now()
  let told = false
  for (;;) {
    const { pid, port } = await launcher.ensureRunning()
    try {
      const ownership = await claim(options, launcher, port)
      launcher.pinPort(port)
      return { ownership, port }
    } catch (error) {
      if (!isNotReady(error)) throw error
      if (Date.now() - startedAt > patienceMs) {
        throw new StartError(
          `The embedded PostgreSQL in ${paths.dataDir} (process ${pid}) does not respond; stop that process and start Floe again.`,
          error,
        )
      }
    }
    if (!told && Date.now() - startedAt > silenceMs) {
      told = true
      log.info('PostgreSQL is still starting')
    }
    await sleep(25)
  }
}

async function claim(
  options: ServerOptions,
  launcher: Launcher,
  port: number,
): Promise<SteadyConnection> {
  const { paths, log } = options
  try {
    return await claimOwnership({
      url: addressOf('postgres', port, options.password),
      beforeReconnect: async () => {
        const postmaster = await launcher.ensureRunning()
        if (postmaster.port !== port) throw new OwnedByAnother('The server listens elsewhere now')
      },
      onTrouble: (error) => log.warn(`Reconnecting to the database: ${messageOf(error)}`),
      onTakenOver: () => {
        log.error('Another Floe has taken over the database')
        options.onLost?.(alreadyRunning(paths.dataDir))
      },
    })
  } catch (error) {
    if ((error as { code?: string }).code !== '28P01') throw error
    throw new StartError(
      `The database in ${paths.dataDir} refuses the password in ${paths.passwordFile}; restore that file from the same backup as the database.`,
      error,
    )
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

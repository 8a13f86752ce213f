import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmod,
  chown,
  lchown,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { join } from 'node:path'

import { StartError } from '../start-error.ts'
import type { Binaries } from './binaries.ts'
import { explainServerOutput } from './failures.ts'
import type { EmbeddedPostgresLog } from './server.ts'
import { nameOurselves, type ServerUser } from './server-user.ts'

/**
 * `<dataDir>/postgres/<major>/` holds `cluster` (what PostgreSQL calls its data directory),
 * `password` and `server.log`. The folder is made aside and renamed into place, so an interrupted
 * first start leaves nothing that looks like a database.
 */
export interface ClusterPaths {
  dataDir: string
  /** Everything of the server, of any version. */
  serverDir: string
  homeDir: string
  clusterDir: string
  passwordFile: string
  logFile: string
}

export const superuser = 'floe'

export function describeCluster(dataDir: string, major: string): ClusterPaths {
  const serverDir = join(dataDir, 'postgres')
  const homeDir = join(serverDir, major)
  return {
    dataDir,
    serverDir,
    homeDir,
    clusterDir: join(homeDir, 'cluster'),
    passwordFile: join(homeDir, 'password'),
    logFile: join(homeDir, 'server.log'),
  }
}

/**
 * The cluster's name on a command line. The server user may be unable to resolve the path of a
 * folder below a private one, while the folder a process stands in can always be named like this,
 * even if its parents are private; server processes never leave the cluster folder.
 */
export function clusterArgument(clusterDir: string, user: ServerUser): string {
  return user && process.platform === 'linux' ? '/proc/self/cwd' : clusterDir
}

/** The server listens on loopback and nowhere else. */
export function addressOf(database: string, port: number, password: string): string {
  return `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`
}

export interface PrepareOptions {
  paths: ClusterPaths
  major: string
  binaries: Binaries
  user: ServerUser
  /** Whether the new cluster is flushed to disk before it counts. */
  durable: boolean
  log: EmbeddedPostgresLog
}

export async function makeServerFolder({ dataDir, serverDir }: ClusterPaths): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  // One level at a time: on a read-only file system only that fails with the true reason.
  await mkdir(serverDir, { mode: passageMode }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

/** Elsewhere than on Linux the server user has to pass through by path. */
export const passageMode = process.platform === 'linux' ? 0o700 : 0o711

/** Makes the cluster unless it exists, and returns its password. */
export async function prepareCluster(options: PrepareOptions): Promise<string> {
  const { paths, major, user } = options
  if (!(await hasCluster(paths))) {
    await refuseOtherMajor(paths.serverDir, major)
    await createCluster(options)
  }
  await handOver(paths.clusterDir, user)
  await (await open(paths.logFile, 'a', 0o600)).close()
  return readPassword(paths)
}

export function hasCluster({ clusterDir }: ClusterPaths): Promise<boolean> {
  return exists(join(clusterDir, 'PG_VERSION'))
}

async function refuseOtherMajor(serverDir: string, major: string): Promise<void> {
  const other = (await readdir(serverDir)).find((name) => /^\d+$/.test(name) && name !== major)
  if (other === undefined) return
  throw new StartError(
    `The database in ${serverDir} was created by PostgreSQL ${other}, but this version of Floe includes PostgreSQL ${major}, which cannot read it; go back to the previous version of Floe and move the data with a backup.`,
  )
}

async function createCluster(options: PrepareOptions): Promise<void> {
  const { paths, major, user, log } = options
  log.info('Creating the database')
  const stagingDir = join(paths.serverDir, `.new-${major}-${randomBytes(6).toString('hex')}`)
  const staging = {
    clusterDir: join(stagingDir, 'cluster'),
    passwordFile: join(stagingDir, 'password'),
  }
  try {
    await mkdir(stagingDir, { mode: passageMode })
    await mkdir(staging.clusterDir, { mode: 0o700 })
    await handOver(staging.clusterDir, user)
    const password = await open(staging.passwordFile, 'wx', 0o600)
    try {
      await password.writeFile(randomBytes(24).toString('base64url'))
      if (user) await password.chown(user.uid, user.gid)
      await runInitdb({ ...options, ...staging })
      if (user) await password.chown(0, 0)
      await password.sync()
    } finally {
      await password.close()
    }
    await rename(stagingDir, paths.homeDir).catch(async (error: unknown) => {
      // Another first start was faster: its cluster is as good as this one.
      if (!(await exists(join(paths.clusterDir, 'PG_VERSION')))) throw error
    })
  } finally {
    await rm(stagingDir, { recursive: true, force: true })
  }
}

interface InitdbOptions extends Pick<PrepareOptions, 'binaries' | 'user' | 'paths' | 'durable'> {
  clusterDir: string
  passwordFile: string
}

async function runInitdb({
  binaries,
  user,
  paths,
  durable,
  clusterDir,
  passwordFile,
}: InitdbOptions): Promise<void> {
  const password = await open(passwordFile, 'r')
  try {
    const args = [
      `--pgdata=${clusterArgument(clusterDir, user)}`,
      `--username=${superuser}`,
      '--pwfile=/dev/fd/3',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The built-in provider sorts alike on every system and survives libc upgrades.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      ...(durable ? [] : ['--no-sync']),
    ]
    const child = spawn(binaries.initdb, args, {
      ...user,
      cwd: clusterDir,
      env: { ...serverEnvironment(), ...(!user && (await nameOurselves())) },
      stdio: ['ignore', 'pipe', 'pipe', password.fd],
    })
    let output = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text))
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    if (exitCode !== 0) throw explainServerOutput(output, paths.dataDir)
  } finally {
    await password.close()
  }
}

/** Nothing of ours: secrets in our environment are no business of the server user. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }
}

/** A cluster restored by root from a backup belongs to root; PostgreSQL wants it for itself. */
async function handOver(clusterDir: string, user: ServerUser): Promise<void> {
  const { uid, mode } = await stat(clusterDir)
  if (user && uid !== user.uid) {
    await giveTree(clusterDir, user)
    await chown(clusterDir, user.uid, user.gid)
  }
  if ((mode & 0o777) !== 0o700) await chmod(clusterDir, 0o700)
}

async function giveTree(dir: string, user: { uid: number; gid: number }): Promise<void> {
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) await giveTree(path, user)
    await lchown(path, user.uid, user.gid)
  }
}

/** Fails with a `StartError` where the file is missing. */
export async function readPassword({ passwordFile, clusterDir }: ClusterPaths): Promise<string> {
  try {
    return (await readFile(passwordFile, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new StartError(
      `The database in ${clusterDir} cannot be opened, because its password file ${passwordFile} is missing; restore it from the same backup.`,
      error,
    )
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw error
    },
  )
}

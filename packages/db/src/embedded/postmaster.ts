import { execFile, spawn } from 'node:child_process'
import { open, readFile, readlink, realpath, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

import type { Binaries } from './binaries.ts'
import { clusterArgument, type ClusterPaths, serverEnvironment } from './cluster.ts'
import type { ServerUser } from './server-user.ts'
import { serverSettings, type ServerSettings } from './settings.ts'

/** The running server process, found or started. */
export interface Postmaster {
  pid: number
  port: number
}

/** Marks our servers on their command line, so that a reused process id is never mistaken for one. */
export async function clusterMark(clusterDir: string): Promise<string> {
  const { dev, ino } = await stat(clusterDir)
  return `floe-${dev.toString(36)}-${ino.toString(36)}`
}

/** The live server of this cluster, as its `postmaster.pid` tells and the process list confirms. */
export async function findPostmaster(clusterDir: string): Promise<Postmaster | undefined> {
  const lines = await readLockFile(clusterDir)
  const pid = Number(lines[0])
  const port = Number(lines[3])
  if (!Number.isInteger(pid) || pid <= 1) return undefined
  if ((await identify(pid, clusterDir)) !== 'ours') return undefined
  // The port follows the process id within milliseconds; without it there is nothing to talk to.
  return { pid, port: Number.isInteger(port) ? port : 0 }
}

/** Above every possible process id, so no such process is found when PostgreSQL looks for it. */
const impossiblePid = 2_000_000_000

/**
 * After a crash the process id in `postmaster.pid` may belong to some other program, or to a dead
 * process that was not reaped, and PostgreSQL would take either for a running server. Only the id is
 * replaced: the rest lets PostgreSQL still notice processes that hold the old shared memory.
 */
export async function disownDeadLock(clusterDir: string): Promise<void> {
  const lines = await readLockFile(clusterDir)
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 1 || !isSignalable(pid)) return
  const identity = await identify(pid, clusterDir)
  if (identity !== 'foreign' && identity !== 'dead') return
  const file = await open(join(clusterDir, 'postmaster.pid'), 'r+')
  try {
    // A server started meanwhile has put a new file in place, which is not ours to change.
    if ((await file.readFile('utf8')) !== lines.join('\n')) return
    // Longer than before and in one write, so that no reader sees a mixture.
    await file.write([String(impossiblePid), ...lines.slice(1)].join('\n'), 0)
  } finally {
    await file.close()
  }
}

/** The way PostgreSQL asks whether a process exists; true for one that waits to be reaped. */
function isSignalable(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function readLockFile(clusterDir: string): Promise<string[]> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      throw error
    },
  )
  return text.split('\n')
}

type Identity = 'ours' | 'foreign' | 'dead' | 'unknown'

/** `unknown` is a PostgreSQL we did not start: what it serves is left for PostgreSQL to judge. */
async function identify(pid: number, clusterDir: string): Promise<Identity> {
  const command = await readCommand(pid)
  if (command === undefined) return 'dead'
  if (command.includes(`cluster_name=${await clusterMark(clusterDir)}`)) return 'ours'
  if (command.includes('cluster_name=floe-')) return 'foreign'
  if (!/postgres|postmaster/.test(command)) return 'foreign'
  const workingDir = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
  return workingDir !== undefined && workingDir !== (await realpath(clusterDir))
    ? 'foreign'
    : 'unknown'
}

const run = promisify(execFile)

/** The command line of a live process; undefined for one that is gone or only waits to be reaped. */
async function readCommand(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const command = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')
    return command === '' ? undefined : command
  }
  const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }))
  return stdout.trim() === '' ? undefined : stdout
}

export interface SpawnOptions {
  paths: ClusterPaths
  binaries: Binaries
  user: ServerUser
  port: number
  settings: ServerSettings
}

export interface SpawnedPostmaster extends Postmaster {
  /** What it has written to its log since it was started. */
  readOutput(): Promise<string>
  hasExited(): boolean
}

/**
 * Starts the server in a process group of its own, because Ctrl-C reaches every process of the
 * terminal's group and would stop the database under an orderly stop that still needs it. It logs
 * to a file rather than to a pipe of ours, so it can outlive us.
 */
export async function spawnPostmaster(options: SpawnOptions): Promise<SpawnedPostmaster> {
  const { paths, binaries, user, port } = options
  const mark = await clusterMark(paths.clusterDir)
  await rotateLog(paths.logFile)
  const logFile = await open(paths.logFile, 'a', 0o600)
  const { size: logStart } = await logFile.stat()
  try {
    const child = spawn(
      binaries.postgres,
      [
        '-D',
        clusterArgument(paths.clusterDir, user),
        ...serverSettings({ ...options.settings, port: String(port), cluster_name: mark }),
      ],
      {
        ...user,
        cwd: paths.clusterDir,
        env: serverEnvironment(),
        detached: true,
        stdio: ['ignore', logFile.fd, logFile.fd],
      },
    )
    child.unref()
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    })
    return {
      pid: child.pid ?? 0,
      port,
      hasExited: () => child.exitCode !== null || child.signalCode !== null,
      readOutput: () => readFrom(paths.logFile, logStart),
    }
  } finally {
    await logFile.close()
  }
}

const logLimitBytes = 4 * 1024 * 1024

async function rotateLog(logFile: string): Promise<void> {
  const current = await stat(logFile).catch(() => undefined)
  if (current && current.size > logLimitBytes) await rename(logFile, `${logFile}.1`)
}

async function readFrom(path: string, offset: number): Promise<string> {
  const content = await readFile(path).catch(() => Buffer.alloc(0))
  return content.subarray(offset).toString('utf8')
}

/** Harsher each time the one before was not enough; a crash-stop is repaired at the next start. */
const stopSteps = [
  { signal: 'SIGINT', waitMs: 8_000 },
  { signal: 'SIGQUIT', waitMs: 3_000 },
  { signal: 'SIGKILL', waitMs: 2_000 },
] as const

/** Ends client connections, writes a checkpoint and waits until the process is gone. */
export async function stopPostmaster(pid: number, clusterDir: string): Promise<void> {
  for (const { signal, waitMs } of stopSteps) {
    if ((await identify(pid, clusterDir)) !== 'ours') return
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return
      throw error
    }
    const deadline = Date.now() + waitMs
    while (Date.now() < deadline) {
      await sleep(20)
      if ((await identify(pid, clusterDir)) !== 'ours') return
    }
  }
}

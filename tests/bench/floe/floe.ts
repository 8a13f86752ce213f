import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  freePort,
  listenerPid,
  startProcess,
  treeCpuSeconds,
  waitUntil,
  type Running,
} from '../harness/process.ts'
import type { Scratch } from '../harness/scratch.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

export type Arrangement = 'embedded' | 'split'

export interface Floe {
  arrangement: Arrangement
  port: number
  /** The process that listens on the port: everything, or in the split arrangement the gateway. */
  pid: number
  /** The process that was started; all of Floe's processes descend from it. */
  rootPid: number
  dataDir: string
  /** From the start of the process to the first good response of the health route. */
  startSeconds: number
  stop: () => Promise<void>
}

const programs: Record<Arrangement, string> = {
  embedded: join(root, 'bin/start.mjs'),
  split: join(root, 'bin/split.mjs'),
}

export function canStart(arrangement: Arrangement): boolean {
  return existsSync(programs[arrangement])
}

/** Those that `npm start` gives to Node. */
function flagsOfStart(): string[] {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: { start: string }
  }
  return manifest.scripts.start.split(' ').filter((word) => word.startsWith('--'))
}

interface FloeOptions {
  arrangement?: Arrangement
  dataDir?: string
  env?: Record<string, string>
}

const ATTEMPTS = 3

/** A free port may be taken by somebody else before Floe listens; then with another. */
export async function startFloe(scratch: Scratch, options: FloeOptions = {}): Promise<Floe> {
  const complete = { dataDir: scratch.folder('floe'), ...options }
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(scratch, complete)
    } catch (error) {
      const isTaken = error instanceof Error && error.message.includes('already in use')
      if (!isTaken || attempt === ATTEMPTS) throw error
    }
  }
}

async function startOnce(
  scratch: Scratch,
  { arrangement = 'embedded', dataDir, env = {} }: FloeOptions & { dataDir: string },
): Promise<Floe> {
  const port = await freePort()
  const startedAt = performance.now()
  const running = startProcess({
    command: process.execPath,
    args: [...flagsOfStart(), programs[arrangement]],
    cwd: root,
    env: { PORT: `${port}`, HOST: '127.0.0.1', DATA_DIR: dataDir, ...env },
    logFile: scratch.file(`floe-${arrangement}-${port}.log`),
    stopTimeoutMs: 30_000,
  })
  try {
    await waitUntil(() => isHealthy(port), running, 'the health route', 180_000)
  } catch (error) {
    await stopAll(running, dataDir)
    throw error
  }
  return {
    arrangement,
    port,
    pid: listenerPid(port),
    rootPid: running.pid,
    dataDir,
    startSeconds: (performance.now() - startedAt) / 1000,
    stop: () => stopAll(running, dataDir),
  }
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/health`)
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

/** A database that outlives its parent would keep the scratch folder busy. */
async function stopAll(running: Running, dataDir: string): Promise<void> {
  await running.stop()
  for (const { pid } of postmasters(dataDir)) {
    try {
      process.kill(pid, 'SIGINT')
    } catch {
      // It stopped by itself; only its file is left.
    }
  }
}

interface Postmaster {
  pid: number
  port: number
  password: string
}

/** `<dataDir>/postgres/<major>/` holds `cluster` and `password`. */
function postmasters(dataDir: string): Postmaster[] {
  const parent = join(dataDir, 'postgres')
  if (!existsSync(parent)) return []
  return readdirSync(parent).flatMap((major) => {
    const file = join(parent, major, 'cluster/postmaster.pid')
    if (!existsSync(file)) return []
    const lines = readFileSync(file, 'utf8').split('\n')
    const password = readFileSync(join(parent, major, 'password'), 'utf8').trim()
    return [{ pid: Number(lines[0]), port: Number(lines[3]), password }]
  })
}

/** The PostgreSQL this Floe brought along. */
export function databaseUrl({ dataDir }: Floe): string {
  const [postmaster] = postmasters(dataDir)
  if (!postmaster) throw new Error('Floe runs without a database of its own')
  return `postgres://floe:${postmaster.password}@127.0.0.1:${postmaster.port}/floe`
}

/** Waits until jobs that follow a transfer (hashing, deleting) no longer take processor time. */
export async function waitUntilQuiet({ rootPid }: Floe, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  let quietChecks = 0
  while (quietChecks < 2 && performance.now() < deadline) {
    const before = treeCpuSeconds(rootPid)
    await delay(200)
    quietChecks = treeCpuSeconds(rootPid) - before <= 0.03 ? quietChecks + 1 : 0
  }
}

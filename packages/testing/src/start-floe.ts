import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePort } from './free-port.ts'

export type Arrangement = 'embedded' | 'split'

export interface RunningFloe {
  readonly arrangement: Arrangement
  /** `http://127.0.0.1:<port>`; stays the same over restarts. */
  readonly url: string
  /** The process that was started; every other process of this Floe descends from it. */
  readonly pid: number
  readonly dataDirectory: string
  /** What all its processes printed since the last start, the end of it. */
  output(): string
  /** Ends in order and removes the data. */
  stop(): Promise<void>
  /** Ends in order; the data stays. */
  shutDown(): Promise<void>
  /** SIGKILL to every process at once, databases included; the data stays. */
  kill(): Promise<void>
  /** SIGKILL to the process that was started alone: what it had started lives on as an orphan. */
  crash(): Promise<void>
  /**
   * Starts again over the same data; a Floe that still runs is asked to end first, and what is
   * left of it is killed unless `keepsOrphans`.
   */
  restart(options?: { keepsOrphans?: boolean }): Promise<void>
}

export interface StartFloeOptions {
  arrangement: Arrangement
  environment?: Readonly<Record<string, string>>
  /** A data directory to begin with a copy of, which saves a new cluster and its migrations. */
  template?: string | undefined
  /** Is shown the data directory before the first start. */
  prepare?: (dataDirectory: string) => Promise<void>
  /** Runs in place of the product: what the environment cannot say. */
  program?: string
  /** Gets all that its processes print, from every start. */
  onOutput?: ((chunk: Buffer) => void) | undefined
}

const programs: Record<Arrangement, string> = {
  embedded: fileURLToPath(new URL('../../../bin/dist/main.js', import.meta.url)),
  split: fileURLToPath(new URL('../../dev/dist/cluster-process.js', import.meta.url)),
}

const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 30_000
const OUTPUT_LIMIT = 64_000
const MOST_PORTS = 3

/**
 * Runs the built product (`npm run build`) in a process group and data directory of its own, on a
 * free port of 127.0.0.1. Fails with everything it printed when it ends before it is ready.
 */
export async function startFloe({
  arrangement,
  environment = {},
  template,
  prepare = () => Promise.resolve(),
  onOutput = () => undefined,
  program = programs[arrangement],
}: StartFloeOptions): Promise<RunningFloe> {
  if (!existsSync(program)) throw new Error(`${program} is not built: run npm run build first`)
  const dataDirectory = await mkdtemp(join(tmpdir(), `floe-${arrangement}-`))
  if (template !== undefined) await cp(template, dataDirectory, { recursive: true })
  await prepare(dataDirectory)
  let port = await findFreePort()
  const traces = { mark: `FLOE_TEST_RUN=${randomUUID()}`, dataDirectory }
  let current = await launchFirst()

  return {
    arrangement,
    url: `http://127.0.0.1:${port}`,
    get pid() {
      return current.pid
    },
    dataDirectory,
    output: () => current.output(),
    stop: async () => {
      await end()
      await rm(dataDirectory, { recursive: true, force: true, maxRetries: 5 })
    },
    shutDown: end,
    kill: async () => {
      await killAll(current.child, traces)
    },
    crash: async () => {
      const { child } = current
      if (hasEnded(child)) return
      const ended = untilExit(child)
      child.kill('SIGKILL')
      await ended
    },
    restart: async ({ keepsOrphans = false } = {}) => {
      if (!keepsOrphans) await end()
      current = await launch()
    },
  }

  /**
   * Somebody else may have taken the port since it was found free. The data stays for the next try:
   * a bucket that the first one marked is refused to a new database.
   */
  async function launchFirst(): Promise<Launched> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await launch()
      } catch (error) {
        if (tried === MOST_PORTS || !String(error).includes('is already in use')) {
          await rm(dataDirectory, { recursive: true, force: true, maxRetries: 5 })
          throw error
        }
        port = await findFreePort()
      }
    }
  }

  async function launch(): Promise<Launched> {
    const child = spawnFloe(program, { ...environment, PORT: String(port) }, traces)
    const output = collectOutput(child, onOutput)
    try {
      await waitForReadyLine(child, output)
    } catch (error) {
      await killAll(child, traces)
      throw error
    }
    return { child, pid: child.pid ?? 0, output }
  }

  async function end(): Promise<void> {
    await askToEnd(current.child)
    await killAll(current.child, traces)
  }
}

/** What tells the processes of one run, also once their parent is dead. */
interface Traces {
  /** Inherited variable; databases get a clean environment but work inside the directory. */
  mark: string
  dataDirectory: string
}

interface Launched {
  child: ChildProcess
  pid: number
  output: () => string
}

function spawnFloe(
  program: string,
  environment: Readonly<Record<string, string>>,
  { mark, dataDirectory }: Traces,
): ChildProcess {
  const [name = '', value = ''] = mark.split('=')
  return spawn(process.execPath, [program], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_ENV: 'test',
      LOG_LEVEL: 'warn',
      ...environment,
      HOST: '127.0.0.1',
      DATA_DIR: dataDirectory,
      [name]: value,
    },
  })
}

function collectOutput(child: ChildProcess, onOutput: (chunk: Buffer) => void): () => string {
  let text = ''
  const keep = (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-OUTPUT_LIMIT)
    onOutput(chunk)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  return () => text
}

function waitForReadyLine(child: ChildProcess, output: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      clearTimeout(timer)
      reject(new Error(`Floe ${reason}. It printed:\n${output()}`))
    }
    const timer = setTimeout(
      () => fail(`was not ready within ${START_TIMEOUT_MS} ms`),
      START_TIMEOUT_MS,
    )
    child.once('error', (error) => fail(`could not be started: ${error.message}`))
    child.once('close', (code, signal) => fail(`ended with ${signal ?? code}`))
    child.stdout?.on('data', () => {
      if (!output().includes('Floe is ready at')) return
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Resolves when it has ended in order, or has not in time. */
async function askToEnd(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = untilExit(child)
  child.kill('SIGTERM')
  const timeout = new AbortController()
  await Promise.race([
    ended,
    delay(STOP_TIMEOUT_MS, undefined, { signal: timeout.signal }).catch(() => undefined),
  ])
  timeout.abort()
}

function untilExit(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('exit', () => resolve()))
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** Resolves once no process of this run is left. */
async function killAll(child: ChildProcess, traces: Traces): Promise<void> {
  const deadline = Date.now() + STOP_TIMEOUT_MS
  for (;;) {
    const pids = findProcesses(hasEnded(child) ? null : (child.pid ?? null), traces)
    if (pids.length === 0) return
    if (Date.now() > deadline) throw new Error(`processes ${pids.join(', ')} cannot be killed`)
    for (const pid of pids) sendKill(pid)
    await delay(20)
  }
}

function sendKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // It ended between being listed and being killed.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Descendants of `root` and orphans of this run; zombies are dead already. */
function findProcesses(root: number | null, traces: Traces): number[] {
  const processes = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => readProcess(Number(entry), traces))
    .filter((entry) => entry !== null)
  const found = new Set(root === null ? [] : [root])
  for (const { pid, isOurs } of processes) if (isOurs) found.add(pid)
  for (let size = -1; size !== found.size;) {
    size = found.size
    for (const { pid, parent } of processes) if (found.has(parent)) found.add(pid)
  }
  return processes.map(({ pid }) => pid).filter((pid) => found.has(pid))
}

function readProcess(pid: number, { mark, dataDirectory }: Traces) {
  const stat = readText(`/proc/${pid}/stat`)
  // The name in parentheses may itself contain spaces and parentheses.
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (stat === '' || state === 'Z' || state === 'X') return null
  const isOurs =
    readText(`/proc/${pid}/environ`).split('\0').includes(mark) ||
    `${readWorkingDirectory(pid)}/`.startsWith(`${dataDirectory}/`)
  return { pid, parent: Number(parent), isOurs }
}

function readWorkingDirectory(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Ended meanwhile, or another user's.
    return ''
  }
}

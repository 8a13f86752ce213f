import { spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream, readFileSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { createServer, connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Linux counts process time in ticks of 10 ms on every platform Node supports. */
const TICKS_PER_SECOND = 100

export interface Running {
  pid: number
  /** Sends SIGTERM, then SIGKILL when `stopTimeoutMs` have passed, and waits for the end. */
  stop: () => Promise<void>
  /** What the process wrote lately, for messages about its failure. */
  output: () => string
  hasEnded: () => boolean
}

export interface StartOptions {
  command: string
  args: string[]
  env?: Record<string, string>
  cwd?: string
  logFile: string
  stopTimeoutMs?: number
}

/** Starts a server as a process of its own; its output goes to `logFile`. */
export function startProcess(options: StartOptions): Running {
  const { command, args, env, cwd, logFile, stopTimeoutMs = 10_000 } = options
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  })
  const killWithUs = (): void => void child.kill('SIGTERM')
  // Before the listener that removes the scratch folder.
  process.prependOnceListener('exit', killWithUs)
  const log = createWriteStream(logFile, { flags: 'a' })
  child.stdout.pipe(log, { end: false })
  child.stderr.pipe(log, { end: false })
  let failure: Error | undefined
  child.on('error', (error) => (failure = error))
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => {
      process.off('exit', killWithUs)
      log.end(resolve)
    })
    child.on('error', () => resolve())
  })
  if (child.pid === undefined) throw new Error(`${command} cannot be started`)
  return {
    pid: child.pid,
    stop: () => stopChild(child, ended, stopTimeoutMs),
    output: () => (failure ? failure.message : readFileSync(logFile, 'utf8').slice(-2000)),
    hasEnded: () => failure !== undefined || child.exitCode !== null || child.signalCode !== null,
  }
}

async function stopChild(
  child: ChildProcess,
  ended: Promise<void>,
  timeoutMs: number,
): Promise<void> {
  child.kill('SIGTERM')
  const isGone = await Promise.race([
    ended.then(() => true),
    delay(timeoutMs, false, { ref: false }),
  ])
  if (!isGone) child.kill('SIGKILL')
  await ended
}

/** Runs a command to its end and returns its standard output; fails with its error text. */
export async function runCommand(
  command: string,
  args: string[],
  options: { env?: Record<string, string>; cwd?: string; timeoutMs?: number } = {},
): Promise<string> {
  const child = spawn(command, args, {
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    timeout: options.timeoutMs ?? 180_000,
  })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${errors.slice(-1000)}`)
  return output
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return address.port
}

export async function waitForPort(port: number, running: Running): Promise<void> {
  await waitUntil(() => canConnect(port), running, `port ${port}`)
}

/** Polls until `isTrue`; fails when the process ends first or after `timeoutMs`. */
export async function waitUntil(
  isTrue: () => Promise<boolean>,
  running: Running,
  what: string,
  timeoutMs = 60_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await isTrue())) {
    if (running.hasEnded()) throw new Error(`ended before  responded:\n${running.output()}`)
    if (performance.now() > deadline) throw new Error(`no ${what}:\n${running.output()}`)
    await delay(10)
  }
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => socket.destroy()).on('connect', () => resolve(true))
    socket.on('error', () => resolve(false))
  })
}

/** The process that listens on a loopback or wildcard port; a launcher may have started it. */
export function listenerPid(port: number): number {
  const inode = listeningInodes(port)
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (holdsSocket(pid, inode)) return Number(pid)
  }
  throw new Error(`nobody listens on port ${port}`)
}

function listeningInodes(port: number): Set<string> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const tables = readFileSync('/proc/net/tcp', 'utf8') + readFileSync('/proc/net/tcp6', 'utf8')
  const rows = tables.split('\n').map((line) => line.trim().split(/\s+/))
  const listening = rows.filter((row) => row[1]?.endsWith(suffix) && row[3] === '0A')
  return new Set(listening.flatMap((row) => (row[9] === undefined ? [] : [`socket:[${row[9]}]`])))
}

function holdsSocket(pid: string, inodes: Set<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => inodes.has(linkOf(`/proc/${pid}/fd/${fd}`)))
  } catch {
    return false // The process ended while we looked.
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

/** User and system time of all threads so far. */
export function cpuSeconds(pid: number): number {
  const fields = statFields(pid)
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** From the state on: the name in parentheses before it may hold spaces. */
function statFields(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Forgets the peak, so that the next `peakRssBytes` covers only what follows. */
export function resetPeakRss(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

export function peakRssBytes(pid: number): number {
  return statusField(pid, 'VmHWM')
}

export function rssBytes(pid: number): number {
  return statusField(pid, 'VmRSS')
}

function statusField(pid: number, name: string): number {
  const match = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  )
  if (!match) throw new Error(`process ${pid} has no ${name}`)
  return Number(match[1]) * 1024
}

/** A process and all that it started, directly or not. */
export function processTree(root: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const parent = parentOf(Number(name))
    if (parent !== undefined) parents.set(Number(name), parent)
  }
  const tree = [root]
  for (const pid of tree) {
    tree.push(...[...parents].filter(([, parent]) => parent === pid).map(([child]) => child))
  }
  return tree
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(statFields(pid)[1])
  } catch {
    return undefined // It ended while we looked.
  }
}

/** CPU time so far of those processes that still run. */
export function treeCpuSeconds(root: number): number {
  return processTree(root).reduce((sum, pid) => {
    try {
      return sum + cpuSeconds(pid)
    } catch {
      return sum
    }
  }, 0)
}

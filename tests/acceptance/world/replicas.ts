import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ADDED_BY_TEST, findFreePort, findReplicas } from '@floe/testing'
import type { FloeUnderTest } from './start-arrangements.ts'

const program = fileURLToPath(new URL('../../../bin/dist/main.js', import.meta.url))
const owners = ['auth', 'share', 'file', 'admin'] as const

export interface Replica {
  /** Of a gateway of its own. */
  url: string
  stop(): Promise<void>
}

/** A process that a test has started, whatever runs below it. */
export interface StartedProcess extends Replica {
  pid: number
  /** Resolves with the exit code; null where a signal ended it. */
  ended: Promise<number | null>
  /** SIGKILL to this process alone. */
  kill(): void
}

/**
 * One more of each service of a split Floe, behind a gateway of its own. They share the database,
 * Redis and the objects with the others, and never talk to their processes.
 */
export async function startReplica(floe: FloeUnderTest): Promise<Replica> {
  const ports = Object.fromEntries(
    await Promise.all(owners.map(async (name) => [name, await findFreePort()])),
  ) as Record<string, number>
  const peers = peersAt((name) => `http://127.0.0.1:${ports[name]}`)
  const running: Replica[] = []
  const stop = async () => {
    await Promise.all(running.map((replica) => replica.stop()))
  }
  const start = async (name: string, port: number) => {
    const replica = await startProcess(floe, { ...peers, SERVICES: name, PORT: String(port) })
    running.push(replica)
    return replica
  }
  try {
    await Promise.all(owners.map((name) => start(name, ports[name] ?? 0)))
    const { url } = await start('gateway', await findFreePort())
    return { url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** One more gateway of a split Floe, with somebody else in the place of all its services. */
export async function startGatewayTo(floe: FloeUnderTest, url: string): Promise<Replica> {
  const PORT = String(await findFreePort())
  return startProcess(floe, { ...peersAt(() => url), SERVICES: 'gateway', PORT })
}

/** One more file service of a split Floe: several processes behind one port. */
export function startFileService(
  floe: FloeUnderTest,
  environment: { PORT: string; FILE_PROCESSES: string; METRICS_PORT?: string },
): Promise<StartedProcess> {
  return startProcess(floe, { SERVICES: 'file', ...environment })
}

function peersAt(urlOf: (name: string) => string): Record<string, string> {
  return Object.fromEntries(owners.map((name) => [`${name.toUpperCase()}_URL`, urlOf(name)]))
}

async function startProcess(
  floe: FloeUnderTest,
  environment: Record<string, string> & { SERVICES: string; PORT: string },
): Promise<StartedProcess> {
  const shared = findReplicas(floe.dataDirectory, 'gateway')[0]?.environment
  if (!shared) throw new Error(`no gateway in ${floe.dataDirectory}`)
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...shared,
      METRICS_PORT: '',
      ...environment,
      HOST: '127.0.0.1',
      [ADDED_BY_TEST]: 'yes',
    },
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  try {
    await waitUntilReady(child, environment.SERVICES)
  } catch (error) {
    await end(child)
    throw error
  }
  child.stderr.pipe(process.stderr)
  return {
    url: `http://127.0.0.1:${environment.PORT}`,
    pid: child.pid ?? 0,
    ended,
    kill: () => void child.kill('SIGKILL'),
    stop: () => end(child),
  }
}

function waitUntilReady(child: ChildProcess, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`${name} ended with ${code}:\n${output}`)))
    const keep = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('Floe is ready')) resolve()
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
  })
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

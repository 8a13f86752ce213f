import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { findFreePort, findReplicas } from '@floe/testing'
import type { FloeUnderTest } from './start-arrangements.ts'

const program = fileURLToPath(new URL('../../../bin/dist/main.js', import.meta.url))
const owners = ['auth', 'share', 'file', 'admin'] as const

export interface Replica {
  /** Of a gateway of its own. */
  url: string
  stop(): Promise<void>
}

/**
 * One more of each service of a split Floe, behind a gateway of its own. They share the database,
 * Redis and the objects with the others, and never talk to their processes.
 */
export async function startReplica(floe: FloeUnderTest): Promise<Replica> {
  const shared = findReplicas(floe.dataDirectory, 'gateway')[0]?.environment
  if (!shared) throw new Error(`no gateway in ${floe.dataDirectory}`)
  const ports = Object.fromEntries(
    await Promise.all([...owners, 'gateway'].map(async (name) => [name, await findFreePort()])),
  ) as Record<string, number>
  const peers = Object.fromEntries(
    owners.map((name) => [`${name.toUpperCase()}_URL`, `http://127.0.0.1:${ports[name]}`]),
  )
  const children: ChildProcess[] = []
  const start = (name: string) => {
    const child = spawn(process.execPath, [program], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...shared,
        ...peers,
        SERVICES: name,
        PORT: String(ports[name]),
        HOST: '127.0.0.1',
        METRICS_PORT: '',
      },
    })
    children.push(child)
    return waitUntilReady(child, name)
  }
  const stop = async () => {
    await Promise.all(children.map(end))
  }
  try {
    await Promise.all(owners.map(start))
    await start('gateway')
  } catch (error) {
    await stop()
    throw error
  }
  return { url: `http://127.0.0.1:${ports['gateway']}`, stop }
}

function waitUntilReady(child: ChildProcess, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}:\n${output}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('Floe is ready')) resolve()
    })
  })
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

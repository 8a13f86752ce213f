import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '@floe/testing'
import type { FloeUnderTest } from './start-arrangements.ts'

const program = fileURLToPath(new URL('../../../bin/dist/main.js', import.meta.url))
const owners = ['auth', 'share', 'file', 'admin'] as const

export interface Replica {
  /** Of a gateway of its own. */
  url: string
  stop(): Promise<void>
}

/**
 * A second one of each service of a split Floe, behind a second gateway. They share the database,
 * Redis and the objects with the first, and never talk to its processes.
 */
export async function startReplica(floe: FloeUnderTest): Promise<Replica> {
  const shared = environmentOf(floe, 'gateway')
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

/** What the process of this service was started with. */
function environmentOf({ dataDirectory }: FloeUnderTest, service: string): NodeJS.ProcessEnv {
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const variables = readVariables(entry)
    if (variables['DATA_DIR'] === dataDirectory && variables['SERVICES'] === service) {
      return variables
    }
  }
  throw new Error(`no process of ${service} in ${dataDirectory}`)
}

function readVariables(pid: string): NodeJS.ProcessEnv {
  try {
    const text = readFileSync(`/proc/${pid}/environ`, 'utf8')
    return Object.fromEntries(
      text
        .split('\0')
        .filter((line) => line.includes('='))
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )
  } catch {
    // It ended meanwhile, or is another user's.
    return {}
  }
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

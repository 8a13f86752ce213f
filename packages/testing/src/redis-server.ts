import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { findFreePort } from './free-port.ts'

export interface RedisServer {
  /** Its databases are numbered 0 to 63: `redis://host:port/7`. */
  url: string
  start(): Promise<void>
  /** Killed: it comes back empty, unless it keeps what it is given. */
  stop(): Promise<void>
}

/** A real `redis-server` from the PATH on a free port of this machine, not yet started. */
export async function reserveRedisServer({
  keepsIn,
}: {
  /** A folder where it keeps what it is given, as every installation's should. */
  keepsIn?: string
} = {}): Promise<RedisServer> {
  const port = await findFreePort()
  let child: ChildProcess | undefined

  return {
    url: `redis://127.0.0.1:${port}`,
    start: async () => {
      child = await startRedisServer(port, keepsIn)
    },
    stop: async () => {
      if (!child) return
      const exited = once(child, 'exit')
      // One that ended by itself is no more to be killed, nor waited for.
      if (child.kill('SIGKILL')) await exited
      child = undefined
    },
  }
}

function startRedisServer(port: number, keepsIn: string | undefined): Promise<ChildProcess> {
  const flags = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--databases', '64']
  const kept = keepsIn === undefined ? ['no'] : ['yes', '--appendfsync', 'always', '--dir', keepsIn]
  const child = spawn('redis-server', [...flags, '--appendonly', ...kept], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    child.once('error', (cause) =>
      reject(new Error('These tests need redis-server on the PATH', { cause })),
    )
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)))
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('Ready to accept connections')) resolve(child)
    })
  })
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { findFreePort } from './free-port.ts'

export interface RedisServer {
  /** Its databases are numbered 0 to 63: `redis://host:port/7`. */
  url: string
  start(): Promise<void>
  /** Nothing is saved: it comes back empty. */
  stop(): Promise<void>
}

/** A real `redis-server` from the PATH on a free port of this machine, not yet started. */
export async function reserveRedisServer(): Promise<RedisServer> {
  const port = await findFreePort()
  let child: ChildProcess | undefined

  return {
    url: `redis://127.0.0.1:${port}`,
    start: async () => {
      child = await startRedisServer(port)
    },
    stop: async () => {
      if (!child) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
      child = undefined
    },
  }
}

function startRedisServer(port: number): Promise<ChildProcess> {
  const flags = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--databases', '64']
  const child = spawn('redis-server', [...flags, '--appendonly', 'no'], {
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

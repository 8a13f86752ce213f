import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import { Redis } from 'ioredis'

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
  const url = `redis://127.0.0.1:${port}`
  let child: ChildProcess | undefined

  return {
    url,
    start: async () => {
      const flags = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--databases', '64']
      child = spawn('redis-server', [...flags, '--appendonly', 'no'], { stdio: 'ignore' })
      const failed = once(child, 'error').then(([error]) => {
        throw new Error('These tests need redis-server on the PATH', { cause: error })
      })
      await Promise.race([waitUntilReady(url), failed])
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

async function waitUntilReady(url: string): Promise<void> {
  const redis = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 20 })
  redis.on('error', () => undefined)
  try {
    await Promise.race([
      redis.ping(),
      sleep(10_000).then(() => {
        throw new Error('redis-server did not answer')
      }),
    ])
  } finally {
    redis.disconnect()
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('No free port')
  return address.port
}

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { reserveRedisServer } from '@floe/testing'
import { Redis } from 'ioredis'
import { expect, it } from 'vitest'
import { createRedisLimits, type RedisLimits } from './redis-limits.ts'
import { describeLimits } from './testing/limits-conformance.ts'

const unavailable = { code: 'upstream_unavailable' }
const limit = { name: 'wrong-password', points: 5, windowSeconds: 60 }

async function openHome() {
  const server = await reserveRedisServer()
  await server.start()
  const opened: RedisLimits[] = []
  const openAt = (redisUrl: string) => {
    const limits = createRedisLimits({ redisUrl })
    opened.push(limits)
    return limits
  }
  return {
    server,
    open: () => openAt(server.url),
    // Nobody listens on port 1.
    openUnreachable: () => openAt('redis://127.0.0.1:1'),
    dump: () => readKeys(server.url),
    remove: async () => {
      await Promise.all(opened.map((limits) => limits.close()))
      await server.stop()
    },
  }
}

async function readKeys(url: string): Promise<string> {
  const redis = new Redis(url)
  try {
    return (await redis.keys('*')).join('\n')
  } finally {
    redis.disconnect()
  }
}

describeLimits('Redis', openHome)

it('fails while Redis is away, and counts again once it is back', async () => {
  const { server, open, remove } = await openHome()
  const limits = open()
  await limits.spend(limit, 'key')
  await server.stop()
  await expect(limits.spend(limit, 'key')).rejects.toMatchObject(unavailable)
  await expect(limits.peek(limit, 'key')).rejects.toMatchObject(unavailable)

  await server.start()
  await expect.poll(() => limits.spend(limit, 'key').catch(() => null)).not.toBeNull()
  await expect(limits.spend(limit, 'another key')).resolves.toMatchObject({ spent: 1 })
  await remove()
})

it('fails in time when Redis takes the connection and says nothing', async () => {
  const sockets: Socket[] = []
  const mute = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
  await once(mute, 'listening')
  const { port } = mute.address() as AddressInfo
  const limits = createRedisLimits({ redisUrl: `redis://127.0.0.1:${port}`, timeoutMs: 200 })

  const startedAt = Date.now()
  await expect(limits.spend(limit, 'key')).rejects.toMatchObject(unavailable)
  await expect(limits.peek(limit, 'key')).rejects.toMatchObject(unavailable)
  expect(Date.now() - startedAt).toBeLessThan(5_000)

  await limits.close()
  sockets.forEach((socket) => socket.destroy())
  mute.close()
})

it('fails once it is closed', async () => {
  const limits = createRedisLimits({ redisUrl: 'redis://127.0.0.1:1' })
  await limits.close()
  await expect(limits.spend(limit, 'key')).rejects.toMatchObject(unavailable)
})

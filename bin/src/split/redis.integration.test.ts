import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createLogs } from '@floe/log'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createShutdown, type Shutdown } from '../shutdown.ts'
import { findFreePorts } from './ports.ts'
import { startRedis } from './redis.ts'

const log = createLogs({ level: 'silent' })('test')
let dataDirectory: string
let shutdown: Shutdown

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'floe-redis-'))
  shutdown = createShutdown({ log })
})
afterEach(async () => {
  await shutdown.run()
  await rm(dataDirectory, { recursive: true })
})

/** What Redis answers to a line; empty where none is there. */
async function ask(port: number, line: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.end(`${line}\r\nQUIT\r\n`)
  return text(socket).catch(() => '')
}

test('Redis comes back when it is killed, with all it acknowledged', async () => {
  const [port = 0] = await findFreePorts(1)
  expect(await startRedis({ dataDirectory, port, log }, shutdown)).toBe(`redis://127.0.0.1:${port}`)
  expect(await ask(port, 'SET job 1')).toContain('+OK')
  const pid = /process_id:(\d+)/.exec(await ask(port, 'INFO server'))?.[1]
  process.kill(Number(pid), 'SIGKILL')
  await expect.poll(() => ask(port, 'GET job'), { timeout: 20_000 }).toMatch(/^\$1\r\n1\r\n/)
  expect(await ask(port, 'INFO server')).not.toContain(`process_id:${pid}\r`)
})

test('a Redis that does not start says how it ended', async () => {
  const [port = 0] = await findFreePorts(1)
  await startRedis({ dataDirectory, port, log }, shutdown)
  const second = startRedis({ dataDirectory, port, log }, shutdown)
  await expect(second).rejects.toThrow(/^The redis service ended with 1\. .+ REDIS_URL\.$/)
})

test('Redis acknowledges nothing before it is on the disk, and evicts nothing', async () => {
  const [port = 0] = await findFreePorts(1)
  await startRedis({ dataDirectory, port, log }, shutdown)
  expect(await ask(port, 'CONFIG GET appendfsync')).toContain('always')
  expect(await ask(port, 'CONFIG GET maxmemory-policy')).toContain('noeviction')
})

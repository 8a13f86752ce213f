import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createLogs } from '@floe/log'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createShutdown, type Shutdown } from '@floe/runtime/host'
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

/** What Redis returns for a line; empty where none is there. */
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

test('Redis is told nothing that we were told', async () => {
  const seen = join(dataDirectory, 'seen')
  const path = process.env['PATH'] ?? ''
  // It paints over its environment, so that nobody sees it from outside.
  const program = join(dataDirectory, 'redis-server')
  await writeFile(program, `#!/bin/sh\nenv > '${seen}'\nPATH='${path}' exec redis-server "$@"\n`)
  await chmod(program, 0o755)
  vi.stubEnv('PATH', `${dataDirectory}:${path}`)
  vi.stubEnv('S3_SECRET_KEY', 'nobody else is to know')
  try {
    const [port = 0] = await findFreePorts(1)
    await startRedis({ dataDirectory, port, log }, shutdown)
  } finally {
    vi.unstubAllEnvs()
  }
  const environment = await readFile(seen, 'utf8')
  expect(environment).toContain(`PATH=${dataDirectory}`)
  expect(environment).not.toContain('nobody else is to know')
})

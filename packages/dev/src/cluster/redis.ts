import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { StartError } from '@floe/db'
import type { Log } from '@floe/log'
import { type Shutdown, supervise } from '@floe/runtime/host'

/**
 * What keeps a queue. With the customary `everysec` a Redis that is killed has forgotten what it
 * acknowledged while its disk was busy, for up to two seconds: jobs that nobody would ask for again.
 */
const flags = [
  ...['--save', '', '--appendonly', 'yes', '--appendfsync', 'always'],
  ...['--maxmemory-policy', 'noeviction'],
]

/** A Redis of its own that keeps what it is given in the data directory, and is started again. */
export async function startRedis(
  { dataDirectory, port, log }: { dataDirectory: string; port: number; log: Log },
  shutdown: Shutdown,
): Promise<string> {
  const place = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', dataDirectory]
  const redis = supervise({
    name: 'redis',
    log,
    start: () =>
      spawn('redis-server', [...place, ...flags], {
        // Our secrets are none of its business.
        env: { PATH: process.env['PATH'] },
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      }),
    isReady: async ({ stdout }) => {
      if (stdout === null) return
      const lines = createInterface({ input: stdout })
      await new Promise<void>((resolve) => {
        lines.on('line', (line) => {
          if (line.includes('Ready to accept connections')) resolve()
        })
      })
    },
  })
  shutdown.add('redis', () => redis.stop())
  await redis.ready.catch((cause: Error) => {
    const needs = 'The split arrangement needs redis-server on the PATH, or REDIS_URL.'
    throw new StartError(`${cause.message} ${needs}`, cause)
  })
  return `redis://127.0.0.1:${port}`
}

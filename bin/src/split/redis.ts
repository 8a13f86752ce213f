import { spawn } from 'node:child_process'
import { StartError } from '@floe/db'
import type { Shutdown } from '../shutdown.ts'
import { stopChild } from './supervise.ts'

/** A Redis of its own that keeps what it is given in the data directory. */
export async function startRedis(
  { dataDirectory, port }: { dataDirectory: string; port: number },
  shutdown: Shutdown,
): Promise<string> {
  const child = spawn(
    'redis-server',
    ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'yes'].concat([
      '--dir',
      dataDirectory,
      '--maxmemory-policy',
      'noeviction',
    ]),
    { stdio: ['ignore', 'pipe', 'inherit'], detached: true },
  )
  shutdown.add('redis', () => stopChild(child))
  await new Promise<void>((resolve, reject) => {
    child.once('error', (cause) =>
      reject(
        new StartError(
          'The split arrangement needs redis-server on the PATH, or REDIS_URL.',
          cause,
        ),
      ),
    )
    child.once('exit', (code) => reject(new StartError(`redis-server ended with ${code}.`)))
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('Ready to accept connections')) resolve()
    })
  })
  return `redis://127.0.0.1:${port}`
}

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { readEnvironment } from '@floe/config'
import { StartError, startEmbeddedPostgres } from '@floe/db'
import { createLog } from '@floe/log'
import { loadSecretKey } from '@floe/secrets'
import { createShutdown, type Shutdown, stopOnSignals } from './shutdown.ts'

const program = join(dirname(fileURLToPath(import.meta.url)), 'main.js')
const owners = ['auth', 'share', 'file', 'admin'] as const
/** METRICS_PORT is the first one's; the others have the ports that follow. */
const everyService: readonly string[] = ['gateway', ...owners, 'worker']

/**
 * The split arrangement on one machine, for development and tests: a process for each service,
 * PostgreSQL and Redis beside them, everything on loopback. PORT and DATA_DIR mean what they mean
 * for `npm start`; FLOE_SPLIT_LOGS keeps the services' own lines.
 */
async function main(): Promise<void> {
  const result = readEnvironment(process.env)
  if ('problems' in result) {
    throw new StartError(result.problems.map((p) => `${p.variable} ${p.message}`).join('\n'))
  }
  const { environment } = result
  const log = createLog({ level: environment.logLevel, service: 'split' })
  const shutdown = createShutdown({ log })
  stopOnSignals(shutdown, log)
  try {
    const { dataDirectory } = environment
    await mkdir(dataDirectory, { recursive: true })
    const postgres = await startEmbeddedPostgres({ dataDir: dataDirectory, log })
    shutdown.add('postgres', () => postgres.stop())
    const redisUrl = environment.redisUrl ?? (await startRedis(dataDirectory, shutdown))
    const ports = Object.fromEntries(
      await Promise.all([...owners, 'worker'].map(async (name) => [name, await findFreePort()])),
    ) as Record<string, number>
    const shared = {
      ...process.env,
      DATA_DIR: dataDirectory,
      DATABASE_URL: postgres.url,
      REDIS_URL: redisUrl,
      INTERNAL_SECRET: (await loadSecretKey(dataDirectory)).toString('hex'),
      ...Object.fromEntries(
        owners.map((name) => [`${name.toUpperCase()}_URL`, `http://127.0.0.1:${ports[name]}`]),
      ),
    }
    const metricsPortOf = (name: string) =>
      environment.metrics && environment.metrics.port + everyService.indexOf(name)
    const address = environment.publicUrl ?? `http://localhost:${environment.port}`
    // Owners together, then the gateway: it answers only what is there to be answered. It alone
    // knows where it listens, but trusts as its own origin only what the operator called it.
    await Promise.all(
      [...owners, 'worker'].map((name) =>
        startService(
          name,
          {
            ...shared,
            PUBLIC_URL: address,
            SERVICES: name,
            PORT: String(ports[name]),
            HOST: '127.0.0.1',
            METRICS_PORT: String(metricsPortOf(name) ?? ''),
          },
          shutdown,
        ),
      ),
    )
    await startService(
      'gateway',
      { ...shared, SERVICES: 'gateway', PORT: String(environment.port) },
      shutdown,
    )
    console.log(`Floe is ready at ${address}`)
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error)
    await shutdown.run()
    process.exit(1)
  }
}

function startService(
  name: string,
  environment: NodeJS.ProcessEnv,
  shutdown: Shutdown,
): Promise<void> {
  const child = spawn(
    process.execPath,
    ['--no-memory-reducer', '--max-semi-space-size=4', program],
    {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
      // A Ctrl-C in the terminal reaches this process only; it stops the services in order.
      detached: true,
    },
  )
  shutdown.add(name, () => stopChild(child))
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      // All of it is ready when this process says so.
      if (line.startsWith('Floe is ready')) resolve()
      else if (process.env['FLOE_SPLIT_LOGS']) process.stdout.write(`${line}\n`)
    })
    child.once('exit', (code) => reject(new StartError(`The ${name} service ended with ${code}.`)))
  })
}

async function startRedis(dataDirectory: string, shutdown: Shutdown): Promise<string> {
  const port = await findFreePort()
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
        new StartError('The split arrangement needs redis-server on the PATH, or REDIS_URL.', {
          cause,
        }),
      ),
    )
    child.once('exit', (code) => reject(new StartError(`redis-server ended with ${code}.`)))
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('Ready to accept connections')) resolve()
    })
  })
  return `redis://127.0.0.1:${port}`
}

function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

await main()

import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { type Environment, readEnvironment } from '@floe/config'
import { StartError, startEmbeddedPostgres } from '@floe/db'
import { createLog, type Log } from '@floe/log'
import { loadSecretKey } from '@floe/secrets'
import {
  createShutdown,
  PROCESS_STOP_MS,
  type Shutdown,
  stopOnSignals,
  supervise,
  type SupervisedProcess,
  v8Flags,
} from '@floe/runtime/host'
import { findFreePorts } from './ports.ts'
import { startRedis } from './redis.ts'
import { startLoadBalancer } from './load-balancer.ts'

const owners = ['auth', 'share', 'file', 'admin'] as const
/** METRICS_PORT is the first process's; the others have the ports that follow, service by service. */
const everyService = ['gateway', ...owners, 'worker'] as const
type ServiceName = (typeof everyService)[number]

/** One process of a service. */
interface Replica {
  service: ServiceName
  name: string
  host: string | null
  port: number
  metricsPort: number | null
  /** Ready, and not about to stop. */
  isServing: boolean
}

/**
 * The split arrangement on one machine, for development and tests: a process for each service, or
 * FLOE_SPLIT_REPLICAS of each behind an address that spreads connections over them, everything on
 * loopback. A process that ends is started again. PostgreSQL and Redis run beside them where
 * DATABASE_URL and REDIS_URL name none. PORT and DATA_DIR mean what they mean for `npm start`;
 * FLOE_SPLIT_LOGS keeps the services' own lines.
 */
export async function runCluster({ program }: { program: string }): Promise<void> {
  const result = readEnvironment(process.env)
  if ('problems' in result) {
    throw new StartError(result.problems.map((p) => `${p.variable} ${p.message}`).join('\n'))
  }
  const { environment } = result
  const log = createLog({ level: environment.logLevel, service: 'split' })
  const shutdown = createShutdown({ log })
  // All its processes stop together, and then the databases.
  stopOnSignals(shutdown, log, { mostMs: PROCESS_STOP_MS + 5_000 })
  try {
    const replicas = await placeReplicas(environment, readReplicaCount())
    const shared = await openShared(environment, log, shutdown)
    const urls = await openAddresses(replicas, shutdown)
    const address = environment.publicUrl ?? `http://localhost:${environment.port}`
    const processes: SupervisedProcess[] = []
    const stopAll = async () => void (await Promise.all(processes.map((one) => one.stop())))
    shutdown.add('services', stopAll, PROCESS_STOP_MS + 500)
    const start = (service: ServiceName) => {
      // The gateway alone knows where it listens, but trusts as its own origin only what the
      // operator called it.
      const publicUrl = service === 'gateway' ? {} : { PUBLIC_URL: address }
      const started = replicas
        .filter((replica) => replica.service === service)
        .map((replica) =>
          startReplica(replica, { program, variables: { ...shared, ...urls, ...publicUrl }, log }),
        )
      processes.push(...started)
      return Promise.all(started.map(({ ready }) => ready))
    }
    // Services start together, then the gateway, which needs them all.
    await Promise.all([...owners, 'worker' as const].map(start))
    await start('gateway')
    await openFront(environment, replicas, shutdown)
    console.log(`Floe is ready at ${address}`)
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error)
    await shutdown.run()
    process.exit(1)
  }
}

function readReplicaCount(): number {
  const text = process.env['FLOE_SPLIT_REPLICAS'] ?? '1'
  if (!/^[1-9]$/.test(text))
    throw new StartError('FLOE_SPLIT_REPLICAS must be a number from 1 to 9')
  return Number(text)
}

async function placeReplicas(environment: Environment, count: number): Promise<Replica[]> {
  const ports = await findFreePorts(everyService.length * count)
  return everyService.flatMap((service, serviceIndex) =>
    Array.from({ length: count }, (_, index) => {
      const place = serviceIndex * count + index
      // A gateway alone needs nothing in front.
      const isFront = service === 'gateway' && count === 1
      return {
        service,
        name: count === 1 ? service : `${service}-${index + 1}`,
        host: isFront ? environment.host : '127.0.0.1',
        port: isFront ? environment.port : (ports[place] ?? 0),
        metricsPort: environment.metrics && environment.metrics.port + place,
        isServing: false,
      }
    }),
  )
}

/** The environment shared by all processes. */
async function openShared(
  environment: Environment,
  log: Log,
  shutdown: Shutdown,
): Promise<NodeJS.ProcessEnv> {
  const { dataDirectory } = environment
  await mkdir(dataDirectory, { recursive: true })
  let { databaseUrl, redisUrl, internalSecret } = environment
  if (databaseUrl === null) {
    const postgres = await startEmbeddedPostgres({ dataDir: dataDirectory, log })
    shutdown.add('postgres', () => postgres.stop())
    databaseUrl = postgres.url
  }
  if (redisUrl === null) {
    const [port = 0] = await findFreePorts(1)
    redisUrl = await startRedis({ dataDirectory, port, log }, shutdown)
  }
  internalSecret ??= (await loadSecretKey(dataDirectory)).toString('base64')
  return {
    ...process.env,
    DATA_DIR: dataDirectory,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    INTERNAL_SECRET: internalSecret,
    // One of each service is enough for development.
    FILE_PROCESSES: process.env['FILE_PROCESSES'] || '1',
  }
}

/** `AUTH_URL` and the like, each one address for all replicas of its service. */
async function openAddresses(
  replicas: readonly Replica[],
  shutdown: Shutdown,
): Promise<Record<string, string>> {
  const addresses = owners.map(async (service) => {
    const ofService = replicas.filter((replica) => replica.service === service)
    const port =
      ofService.length === 1
        ? ofService[0]?.port
        : await balance(ofService, { host: '127.0.0.1', port: 0 }, shutdown)
    return [`${service.toUpperCase()}_URL`, `http://127.0.0.1:${port}`] as const
  })
  return Object.fromEntries(await Promise.all(addresses))
}

async function openFront(
  { host, port }: Environment,
  replicas: readonly Replica[],
  shutdown: Shutdown,
): Promise<void> {
  const gateways = replicas.filter(({ service }) => service === 'gateway')
  if (gateways.length > 1) await balance(gateways, { host, port }, shutdown)
}

async function balance(
  replicas: readonly Replica[],
  { host, port }: { host: string | null; port: number },
  shutdown: Shutdown,
): Promise<number> {
  const listPorts = () => {
    const serving = replicas.filter(({ isServing }) => isServing)
    return (serving.length > 0 ? serving : replicas).map((replica) => replica.port)
  }
  try {
    const listen = { port, ...(host !== null && { host }) }
    const loadBalancer = await startLoadBalancer({ listPorts, listen })
    shutdown.add('load balancer', () => loadBalancer.close())
    return loadBalancer.port
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause
    throw new StartError(`Port ${port} is already in use.`, cause)
  }
}

function startReplica(
  replica: Replica,
  { program, variables, log }: { program: string; variables: NodeJS.ProcessEnv; log: Log },
): SupervisedProcess {
  const { service, name, host, port, metricsPort } = replica
  const env = {
    ...variables,
    SERVICES: service,
    PORT: String(port),
    HOST: host ?? '',
    METRICS_PORT: String(metricsPort ?? ''),
  }
  return supervise({
    name,
    log,
    start: () => {
      const child = spawn(process.execPath, [...v8Flags, program], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
        // A Ctrl-C in the terminal reaches this process only; it stops the services together.
        detached: true,
      })
      child.once('exit', () => (replica.isServing = false))
      return child
    },
    isReady: ({ stdout }) =>
      new Promise((resolve) => {
        if (stdout === null) return
        createInterface({ input: stdout }).on('line', (line) => {
          // All of it is ready when this process says so.
          if (line.startsWith('Floe is ready')) {
            replica.isServing = true
            resolve()
          } else if (line === 'Floe is stopping') {
            replica.isServing = false
          } else if (process.env['FLOE_SPLIT_LOGS']) {
            process.stdout.write(`${line}\n`)
          }
        })
      }),
  })
}

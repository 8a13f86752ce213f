import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  findReplicas,
  type S3Server,
  type Random,
  reserveMinioServer,
  reserveRedisServer,
  type RunningFloe,
  startFloe,
} from '@floe/testing'

const SERVICES = ['gateway', 'auth', 'share', 'file', 'admin', 'worker'] as const
const BACK_LIMIT_MS = 60_000

/** Something that dies, and how it comes back. */
export interface Victim {
  name: string
  /** Resolves once it works again. */
  strike(random: Random): Promise<void>
}

/** Two of every service, PostgreSQL, Redis and MinIO, each a process of this machine. */
export interface Cluster {
  floe: RunningFloe
  minio: S3Server
  redisUrl: string
  /** What `npm run verify` needs. */
  environment: Record<string, string> & { DATA_DIR: string }
  /** To be struck one at a time. */
  victims: readonly Victim[]
  stop(): Promise<void>
}

export async function startCluster(): Promise<Cluster> {
  const minio = await reserveMinioServer()
  const redisDirectory = await mkdtemp(join(tmpdir(), 'floe-redis-'))
  const redis = await reserveRedisServer({ keepsIn: redisDirectory })
  let floe: RunningFloe | undefined
  const stop = async () => {
    await floe?.stop()
    await redis.stop()
    await rm(redisDirectory, { recursive: true, force: true })
    await minio.remove()
  }
  try {
    await Promise.all([minio.start(), redis.start()])
    const storage = {
      S3_ENDPOINT: minio.endpoint,
      S3_BUCKET: 'floe',
      S3_ACCESS_KEY: minio.accessKey,
      S3_SECRET_KEY: minio.secretKey,
    }
    floe = await startFloe({
      arrangement: 'split',
      environment: {
        ...storage,
        REDIS_URL: redis.url,
        FLOE_SPLIT_REPLICAS: '2',
        FLOE_SPLIT_LOGS: 'yes',
      },
    })
    const { dataDirectory } = floe
    return {
      floe,
      minio,
      redisUrl: redis.url,
      environment: { ...storage, DATA_DIR: dataDirectory },
      victims: [
        ...SERVICES.map((service) => serviceVictim(dataDirectory, service)),
        { name: 'postgres', strike: () => killPostgres(dataDirectory) },
        {
          name: 'redis',
          strike: (random) =>
            outage(redis, random, async () => {
              if (random.chance(0.5)) await empty(redisDirectory)
            }),
        },
        { name: 'minio', strike: (random) => outage(minio, random) },
      ],
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** One of its replicas is killed; its supervisor starts it again. */
function serviceVictim(dataDirectory: string, service: string): Victim {
  return {
    name: service,
    strike: async (random) => {
      const { pid, url } = random.pick(findReplicas(dataDirectory, service))
      process.kill(pid, 'SIGKILL')
      await eventually(`${service} at ${url}`, async () => {
        const again = findReplicas(dataDirectory, service).find((replica) => replica.url === url)
        if (again === undefined || again.pid === pid) return false
        return (await fetch(`${url}/api/health/live`).catch(() => null))?.ok ?? false
      })
    },
  }
}

/** Floe starts it again; it is back when it says so in its own file. */
async function killPostgres(dataDirectory: string): Promise<void> {
  const before = await readPostmaster(dataDirectory)
  if (before === undefined) throw new Error('no PostgreSQL is running')
  process.kill(before.pid, 'SIGKILL')
  await eventually('PostgreSQL', async () => {
    const now = await readPostmaster(dataDirectory)
    return now !== undefined && now.pid !== before.pid && now.isReady
  })
}

async function readPostmaster(dataDirectory: string) {
  const home = join(dataDirectory, 'postgres')
  for (const version of await readdir(home)) {
    const file = join(home, version, 'cluster', 'postmaster.pid')
    const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
    const pid = Number(lines[0])
    if (pid > 1) return { pid, isReady: lines[7]?.trim() === 'ready' }
  }
  return undefined
}

async function outage(
  server: { stop(): Promise<void>; start(): Promise<void> },
  random: Random,
  meanwhile = async () => {},
): Promise<void> {
  await server.stop()
  await meanwhile()
  await delay(random.between(0, 2_000))
  await server.start()
}

/** What loses its volume begins anew. */
async function empty(directory: string): Promise<void> {
  const names = await readdir(directory)
  await Promise.all(names.map((name) => rm(join(directory, name), { recursive: true })))
}

async function eventually(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + BACK_LIMIT_MS
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`${what} did not come back`)
    await delay(50)
  }
}

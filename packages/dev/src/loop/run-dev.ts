import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Environment, readEnvironment } from '@floe/config'
import { StartError, startEmbeddedPostgres } from '@floe/db'
import { createLog, type Log } from '@floe/log'
import { createShutdown, type Shutdown, stopOnSignals } from '@floe/runtime/host'
import { startLoadBalancer } from '../cluster/load-balancer.ts'
import { findFreePorts } from '../cluster/ports.ts'
import { startRedis } from '../cluster/redis.ts'
import { createPrettyLog } from './pretty-log.ts'
import { openReplacements, type Replacements } from './replacements.ts'
import { startPage } from './start-page.ts'
import { startServer } from './start-server.ts'
import { watchSources } from './watch-sources.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const programs = {
  oneProcess: join(root, 'bin/dist/main.js'),
  split: join(root, 'packages/dev/dist/cluster-process.js'),
}

/** Bundles the server; only what changed is read again. */
export interface ServerBuild {
  rebuild(): Promise<unknown>
  dispose(): Promise<void>
}

export interface DevOptions {
  build: ServerBuild
  /** Each service in a process of its own. */
  isSplit: boolean
}

/**
 * Serves Floe from its sources at PORT. Databases stay up; a changed file of the server starts a new
 * process that takes over once it is ready, so no request is refused meanwhile. Vite serves the
 * page, replaces changed modules in the browser, and passes the API on.
 */
export async function runDev({ build, isSplit }: DevOptions): Promise<void> {
  const result = readEnvironment(process.env)
  if ('problems' in result) {
    for (const { variable, message } of result.problems) console.error(`${variable}: ${message}`)
    process.exit(1)
  }
  const { environment } = result
  const output = createPrettyLog(process.stdout)
  const log = createLog({ level: environment.logLevel, service: 'dev', destination: output })
  const shutdown = createShutdown({ log })
  stopOnSignals(shutdown, log)
  try {
    shutdown.add('build', () => build.dispose())
    const address = environment.publicUrl ?? `http://localhost:${environment.port}`
    const shared = await openDatabases(environment, { isSplit, log, shutdown })
    const program = isSplit ? programs.split : programs.oneProcess
    const servers = openReplacements({
      // One after the other: a build that is asked for while one runs is that one, which may have
      // read a file before it was changed.
      start: async () => {
        await build.rebuild()
        const [port = 0] = await findFreePorts(1)
        return startServer({
          program,
          port,
          env: { ...process.env, ...shared, PUBLIC_URL: address },
          output,
        })
      },
    })
    shutdown.add('server', () => servers.stop())
    const api = await startLoadBalancer({
      listPorts: () => servers.ports(),
      listen: { port: 0, host: '127.0.0.1' },
    })
    shutdown.add('load balancer', () => api.close())
    await servers.replace()
    const page = await startPage({ root, environment, apiPort: api.port })
    shutdown.add('page', () => page.close())
    const sources = watchSources(root, (file) => {
      log.info({ file }, 'changed: starting again')
      void restart(servers, log)
    })
    shutdown.add('sources', () => sources.close())
    console.log(`Floe is ready at ${address}`)
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error)
    await shutdown.run()
    process.exit(1)
  }
}

async function restart(servers: Replacements, log: Log): Promise<void> {
  const startedAt = performance.now()
  try {
    await servers.replace()
    log.info({ durationMs: Math.round(performance.now() - startedAt) }, 'ready again')
  } catch (err) {
    log.error({ err }, 'the change does not start; the previous server keeps running')
  }
}

/** PostgreSQL, and Redis for services apart, where the environment names none. */
async function openDatabases(
  { dataDirectory, databaseUrl, redisUrl }: Environment,
  { isSplit, log, shutdown }: { isSplit: boolean; log: Log; shutdown: Shutdown },
): Promise<NodeJS.ProcessEnv> {
  await mkdir(dataDirectory, { recursive: true })
  const openPostgres = async () => {
    const postgres = await startEmbeddedPostgres({ dataDir: dataDirectory, log })
    shutdown.add('postgres', () => postgres.stop())
    return postgres.url
  }
  const openRedis = async () => {
    const [port = 0] = await findFreePorts(1)
    return startRedis({ dataDirectory, port, log }, shutdown)
  }
  return {
    DATABASE_URL: databaseUrl ?? (await openPostgres()),
    ...(isSplit && { REDIS_URL: redisUrl ?? (await openRedis()), FLOE_SPLIT_LOGS: '1' }),
  }
}

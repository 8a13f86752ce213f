import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Environment } from '@floe/config'
import { type MigrateOptions, StartError } from '@floe/db'
import {
  type PortContract,
  portPath,
  RELEASE_VERSION,
  routes as publicRoutes,
  VERSION,
} from '@floe/contracts'
import {
  type CompletedRequest,
  assignRequestId,
  createHealthRoutes,
  createHttpServer,
  createPatternFinder,
  createRouter,
  errorHandler,
  type Health,
  notFoundHandler,
  plainClientAddress,
  refuseDoubtful,
  requestIdOf,
  type RequestHandlers,
  watchRequests,
} from '@floe/http'
import { MOST_IDLE_MS } from '@floe/transfer'
import express from 'express'
import { createDrain } from './drain.ts'
import type { ComposedOwner, Composition } from './compose.ts'
import type { Platform } from './platform.ts'
import { portContracts } from './port-table.ts'
import { createReadiness } from './readiness.ts'
import { DATABASE_CHECK, listReadinessChecks } from './readiness-checks.ts'
import type { OwnerName, ServiceTable } from './service-table.ts'
import type { Shutdown } from './shutdown.ts'

/**
 * Where others can take over, requests are still taken for so long after the process was asked to
 * stop: longer than a gateway keeps a connection that it does not use.
 */
const LINGER_MS = MOST_IDLE_MS + 500
/** How long responses under way may go on then. */
const DRAIN_MS = 6_000

/** Longer than the idle time of common load balancers, which would reuse a closed connection. */
const CLIENT_KEEP_ALIVE_MS = 65_000
const GATEWAY_KEEP_ALIVE_MS = 120_000

export interface ServeOptions {
  environment: Environment
  platform: Platform
  composition: Composition
  /** What was applied before anything else began. */
  migrations: readonly MigrateOptions[]
  shutdown: Shutdown
  services: ServiceTable
  webDirectory: string
  /** The built command line, one file. */
  commandLineFile: string
}

/** Listens, and returns the port. */
export async function serve(options: ServeOptions): Promise<number> {
  const { environment, shutdown } = options
  const { platform, composition, migrations } = options
  const readiness = createReadiness({
    checks: listReadinessChecks(environment, platform, { ...composition, migrations }),
    log: platform.log,
  })
  const health: Health = {
    isUp: () => readiness.passes([DATABASE_CHECK]),
    isReady: () => readiness.isReady(),
    version: RELEASE_VERSION,
  }
  const isGateway = environment.services.includes('gateway')
  const server = createHttpServer(
    isGateway ? await openGateway(options, health) : createService(options, health),
    {
      maxConnections: environment.maxConnections,
      keepAliveMs: isGateway ? CLIENT_KEEP_ALIVE_MS : GATEWAY_KEEP_ALIVE_MS,
    },
  )
  const drain = createDrain(server)
  const port = await listen(server, environment)
  const lengths = { lingerMs: hasPeers(options) ? LINGER_MS : 0, mostMs: DRAIN_MS }
  shutdown.add('server', () => drain.finish(lengths), LINGER_MS + DRAIN_MS + 500)
  shutdown.add('readiness', () => readiness.stop())
  return port
}

/** A process with an embedded database is alone, and no requests are sent to a worker. */
function hasPeers({ environment, composition }: ServeOptions): boolean {
  const isAsked = environment.services.includes('gateway') || composition.owners.length > 0
  return environment.databaseUrl !== null && isAsked
}

async function openGateway(
  {
    environment,
    platform,
    composition,
    shutdown,
    services,
    webDirectory,
    commandLineFile,
  }: ServeOptions,
  health: Health,
): Promise<RequestHandlers> {
  const { createGateway } = await services.loadGateway()
  const gateway = createGateway({
    upstreams: [
      ...composition.owners.map(asLocal),
      ...remoteUpstreams(environment, composition, services),
    ],
    ports: composition.ports,
    webDirectory,
    commandLineFile,
    trustedProxies: environment.trustedProxies,
    publicUrl: environment.publicUrl,
    log: platform.logFor('gateway'),
    memory: platform.memory,
    version: VERSION,
    ...(platform.demo && { demo: platform.demo }),
    health,
    onResponse: (completed) => platform.metrics.requestCompleted(metricsOf(completed)),
  })
  shutdown.add('gateway', () => gateway.stop())
  return gateway
}

function asLocal({ name, paths, routes }: ComposedOwner) {
  return { name, paths, local: routes }
}

/** The services that run elsewhere. */
function remoteUpstreams(
  { serviceUrls }: Environment,
  { owners: here }: Composition,
  { owners }: ServiceTable,
) {
  return (Object.keys(owners) as OwnerName[])
    .filter((name) => !here.some((owner) => owner.name === name))
    .map((name) => {
      const url = serviceUrls[name]
      if (url === null) {
        throw new StartError(`The gateway needs ${name.toUpperCase()}_URL to reach that service.`)
      }
      return { name, paths: owners[name].paths, url }
    })
}

/** A part of the split arrangement: its public paths as they are, and its ports for its peers. */
function createService(
  { environment, platform, composition }: ServeOptions,
  health: Health,
): RequestHandlers {
  const app = express()
  app.disable('x-powered-by')
  // Only the gateway is in front, and it has dropped what it does not trust itself.
  app.set('trust proxy', 1)
  const findRoute = createPatternFinder([...Object.values(publicRoutes), ...portRoutes()])
  app.use(
    plainClientAddress(),
    assignRequestId(() => true),
    watchRequests({
      nameRoute: (path) => findRoute(path) ?? '/*',
      // The gateway tells of each request; this one is a step on its way.
      onResponse: (completed) => {
        const metrics = metricsOf(completed)
        platform.metrics.requestCompleted(metrics)
        platform.log.debug({ requestId: requestIdOf(completed.req), ...metrics }, 'request')
      },
    }),
  )
  app.use(refuseDoubtful(), createRouter(createHealthRoutes(health)))
  for (const router of composition.portRouters(environment.internalSecret ?? '')) app.use(router)
  for (const { routes } of composition.owners) {
    app.use(createRouter(routes, composition.ports.auth))
  }
  app.use(notFoundHandler())
  app.use(errorHandler(platform.log))
  return { onRequest: app }
}

function metricsOf({ req, route, status, durationMs }: CompletedRequest) {
  return { method: req.method, route, status, durationMs }
}

function portRoutes(): { path: string }[] {
  return Object.values<PortContract>(portContracts).flatMap((contract) =>
    Object.keys(contract.methods).map((method) => ({ path: portPath(contract, method) })),
  )
}

function listen(server: Server, { port, host }: Environment): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reasons: Record<string, string> = {
        EADDRINUSE: `Port ${port} is already in use: stop what uses it, or set PORT to another.`,
        EACCES: `Port ${port} needs more rights than this user has: set PORT to one above 1024.`,
        ENOTFOUND: `Nothing is known by the name ${host}: set HOST to an address of this machine.`,
        EADDRNOTAVAIL: `This machine has no address ${host}: set HOST to one it has.`,
      }
      reject(new StartError(reasons[error.code ?? ''] ?? `Cannot listen: ${error.message}.`, error))
    })
    server.listen({ port, ...(host !== null && { host }) }, () => {
      resolve((server.address() as AddressInfo).port)
    })
  })
}

import type { Environment } from '@floe/config'
import { jobs } from '@floe/contracts'
import { type Knex, type MigrateOptions, outboxMigrations, StartError } from '@floe/db'
import { createPortRouter, type ImplementedRoute } from '@floe/http'
import { limitMigrations } from '@floe/limits'
import { type JobQueue, startRelay } from '@floe/queue'
import type { JobConsumer, PortName, Ports, ServiceName } from '@floe/runtime'
import type { Router } from 'express'
import { meterJobs } from './metrics/metering.ts'
import type { Platform } from './platform.ts'
import { createPortTable, portContracts, type PortTable } from './port-table.ts'
import type { OwnerName, OwnerTable, ServiceTable } from './service-table.ts'
import type { Shutdown } from './shutdown.ts'

/** What the tables of these services, and those that all of them share, consist of. */
export async function listMigrations(
  owners: OwnerTable,
  names: readonly OwnerName[] = listOwners(owners),
): Promise<MigrateOptions[]> {
  const listed = names.map(async (service) => {
    const { migrations } = await owners[service].load()
    return { service, migrations }
  })
  return [
    { service: 'platform', migrations: outboxMigrations },
    { service: 'limits', migrations: limitMigrations },
    ...(await Promise.all(listed)),
  ]
}

function listOwners(owners: OwnerTable): OwnerName[] {
  return Object.keys(owners) as OwnerName[]
}

/** Those that this process serves or does the jobs of. */
export function listBuilt(owners: OwnerTable, { services }: Environment): OwnerName[] {
  return listOwners(owners).filter((name) => runs(services, name) || runs(services, 'worker'))
}

/** For what the page starts with. */
const gatewayNeeds: readonly PortName[] = ['auth', 'admin', 'share']

export interface ComposeOptions {
  environment: Environment
  platform: Platform
  shutdown: Shutdown
}

export interface ComposedOwner {
  name: OwnerName
  paths: readonly string[]
  /** Empty where the owner is built only for its jobs. */
  routes: readonly ImplementedRoute[]
}

export interface Composition {
  ports: Ports
  owners: readonly ComposedOwner[]
  /** Null where no job runs. */
  queue: JobQueue | null
  /** The server half of the ports offered here. */
  portRouters(secret: string): Router[]
}

/**
 * Builds the services this process runs. A port is the local object where its service is built
 * here, else a client of the address the environment names. The worker also builds the owners of
 * the jobs, without their routes.
 */
export async function compose(
  { owners, loadWorker }: ServiceTable,
  { environment, platform, shutdown }: ComposeOptions,
): Promise<Composition> {
  const served = environment.services
  const table = createPortTable({ checked: environment.checksPorts })
  shutdown.add('ports', () => table.close())
  const built = listBuilt(owners, environment)

  const modules = await Promise.all(built.map((name) => owners[name].load()))

  const needed = new Set(modules.flatMap(({ definition }) => definition.needs))
  if (runs(served, 'gateway')) gatewayNeeds.forEach((name) => needed.add(name))
  connectRemote(
    environment,
    table,
    [...needed].filter((name) => !built.includes(name)),
  )

  const composed: ComposedOwner[] = []
  const consumers: JobConsumer[] = []
  const offered: { name: OwnerName; port: Ports[OwnerName] }[] = []
  for (const [index, { definition }] of modules.entries()) {
    const name = built[index] as OwnerName
    const service = await definition.create({
      platform: { ...platform, log: platform.logFor(name) },
      ports: table.ports,
    })
    shutdown.add(name, () => service.stop())
    table.bind(name, service.port)
    consumers.push(...service.consumers)
    const routes = runs(served, name) ? service.routes : []
    composed.push({ name, paths: definition.paths, routes })
    if (runs(served, name)) offered.push({ name, port: service.port })
  }
  const republishEvents = async (trx: Knex.Transaction) => {
    for (const module of modules) await module.republishEvents?.(trx)
  }
  const queue = runs(served, 'worker')
    ? await startWorker(platform, shutdown, { loadWorker, consumers, republishEvents })
    : null

  return {
    ports: table.ports,
    owners: composed.filter(({ name }) => runs(served, name)),
    queue,
    portRouters: (secret) =>
      offered.map(({ name, port }) => createPortRouter(portContracts[name], port, secret)),
  }
}

async function startWorker(
  platform: Platform,
  shutdown: Shutdown,
  {
    loadWorker,
    consumers,
    republishEvents,
  }: {
    loadWorker: ServiceTable['loadWorker']
    consumers: readonly JobConsumer[]
    republishEvents(trx: Knex.Transaction): Promise<void>
  },
): Promise<JobQueue> {
  const { workerService } = await loadWorker()
  const queue = await platform.openQueue()
  const log = platform.logFor('worker')
  const { database, presence, metrics } = platform
  metrics.watchJobs(() => queue.countByName())
  const recover = async (trx: Knex.Transaction) => {
    await queue.schedule(Object.values(jobs))
    await republishEvents(trx)
  }
  const worker = await workerService.create({
    platform: {
      consumers: consumers.map((consumer) => meterJobs(consumer, metrics)),
      queue,
      log,
      startRelay: () =>
        startRelay({
          ...{ database, presence, queue, recover, log },
          unwanted: platform.clamav === null ? [jobs.scanShareFiles] : [],
        }),
    },
    ports: {},
  })
  shutdown.add('worker', () => worker.stop())
  return queue
}

function connectRemote(environment: Environment, table: PortTable, names: readonly PortName[]) {
  const missing = names.filter((name) => environment.serviceUrls[name] === null)
  if (missing.length > 0) {
    const variables = missing.map((name) => `${name.toUpperCase()}_URL`).join(', ')
    throw new StartError(`This process needs services that run elsewhere: set ${variables}.`)
  }
  for (const name of names) {
    table.connect(name, {
      url: environment.serviceUrls[name] ?? '',
      secret: environment.internalSecret ?? '',
    })
  }
}

function runs(services: readonly ServiceName[], name: ServiceName): boolean {
  return services.includes(name)
}

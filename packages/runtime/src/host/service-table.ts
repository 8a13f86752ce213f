import type { AdminPort, AuthPort, Demo, SharePort } from '@floe/contracts'
import type { Knex, Migration } from '@floe/db'
import type { CompletedRequest, Health, ImplementedRoute, RequestHandlers } from '@floe/http'
import type { JobQueue, Relay } from '@floe/queue'
import type { JobConsumer, PortName, Ports, Service } from '@floe/runtime'
import type { Log } from '@floe/log'
import type { TransferMemory } from '@floe/transfer'
import type { Platform } from './platform.ts'

/** A service that owns tables and offers a port. */
export type OwnerName = PortName

interface OwnerDefinition<N extends OwnerName> {
  paths: readonly string[]
  needs: readonly PortName[]
  create(deps: { platform: Platform; ports: Ports }): Promise<Service<N>>
}

export interface OwnerModule<N extends OwnerName> {
  definition: OwnerDefinition<N>
  migrations: readonly Migration[]
  /** Publishes the events of what is still to be done, for a queue that has lost its jobs. */
  republishEvents?(trx: Knex.Transaction): Promise<void>
  /** What is wrong with settings that the operator fixed, one sentence each. */
  findSettingProblems?(given: Pick<Platform, 'settings' | 'foreignSettings'>): string[]
}

export type OwnerTable = {
  [N in OwnerName]: {
    /** Public paths, for a gateway that does not load the owner. */
    paths: readonly string[]
    load(): Promise<OwnerModule<N>>
  }
}

export interface WorkerModule {
  workerService: {
    create(deps: {
      platform: {
        consumers: readonly JobConsumer[]
        queue: JobQueue
        log: Log
        startRelay(): Promise<Relay>
      }
      ports: object
    }): Promise<Service<'worker'>>
  }
}

export interface GatewayModule {
  createGateway(options: {
    /** Services of this process by their routes, the others by their address. */
    upstreams: readonly ({ name: string; paths: readonly string[] } & (
      { local: readonly ImplementedRoute[] } | { url: string }
    ))[]
    ports: { auth: AuthPort; admin: AdminPort; share: SharePort }
    webDirectory: string
    commandLineFile: string
    trustedProxies: readonly string[]
    publicUrl: string | null
    memory: TransferMemory
    log: Log
    version: string
    demo?: Demo
    health: Health
    onResponse(completed: CompletedRequest): void
  }): RequestHandlers & { stop(): Promise<void> }
}

/**
 * Every service, each loaded only where it runs: a worker never loads the page, a gateway never
 * loads the password hashes.
 */
export interface ServiceTable {
  owners: OwnerTable
  loadGateway(): Promise<GatewayModule>
  loadWorker(): Promise<WorkerModule>
}

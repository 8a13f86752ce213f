import type { AdminPort, AuthPort, FilePort, JobContract, SharePort } from '@floe/contracts'
import type { ImplementedRoute } from '@floe/http'

/** Every port there is, by the service that offers it. */
export interface Ports {
  auth: AuthPort
  share: SharePort
  file: FilePort
  admin: AdminPort
}
export type PortName = keyof Ports

export type ServiceName = 'gateway' | 'auth' | 'share' | 'file' | 'admin' | 'worker'

export interface JobRun {
  /** Aborted when the process stops: finish the step at hand and throw, the job is run again. */
  signal: AbortSignal
}

/** The one handler of a job, kept with the owner of its data and hosted by the worker. */
export interface JobConsumer {
  job: JobContract
  handle(payload: unknown, run: JobRun): Promise<void>
}

/** What a service gives its host. It never listens and never asks how it was deployed. */
export interface Service<N extends ServiceName = ServiceName> {
  routes: readonly ImplementedRoute[]
  consumers: readonly JobConsumer[]
  /** What it offers the other services. */
  port: N extends PortName ? Ports[N] : null
  /** Ends what it began: transfers drain, timers stop. */
  stop(): Promise<void>
}

/**
 * A service before it is wired: the public paths it owns (most specific wins), the ports it needs,
 * and how it is made from them. `platform` is what its environment lends it.
 */
export interface ServiceDefinition<N extends ServiceName, Needs extends PortName, Platform> {
  name: N
  paths: readonly string[]
  needs: readonly Needs[]
  create(deps: { platform: Platform; ports: Pick<Ports, Needs> }): Promise<Service<N>>
}

export function defineService<N extends ServiceName, Needs extends PortName, Platform>(
  definition: ServiceDefinition<N, Needs, Platform>,
): ServiceDefinition<N, Needs, Platform> {
  return definition
}

/** Binds a handler to its job's schema: a payload that does not fit fails the job. */
export function consume<J extends JobContract>(
  job: J,
  handle: (payload: ReturnType<J['schema']['parse']>, run: JobRun) => Promise<void>,
): JobConsumer {
  return {
    job,
    handle: (payload, run) =>
      handle(job.schema.parse(payload) as ReturnType<J['schema']['parse']>, run),
  }
}

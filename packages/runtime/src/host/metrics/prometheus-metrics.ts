import cluster from 'node:cluster'
import type { Registry } from 'prom-client'
import { createInstruments, type PrometheusClient } from './instruments.ts'
import type { JobMetrics, Metrics, PoolState } from './metrics.ts'

export interface MetricsReader {
  /** The metrics as they are now, in the text format of Prometheus. */
  read(): Promise<{ contentType: string; text: string }>
}

export type PrometheusMetrics = Metrics & MetricsReader

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const jobStates = ['waiting', 'active', 'delayed', 'failed', 'completed'] as const
const poolStates = ['used', 'free', 'waiting'] as const

/** Counting jobs costs the queue work: however often metrics are scraped, it is asked this often. */
const jobsFreshMs = 10_000

/**
 * Metrics in a registry of their own: nothing is shared between two of these. The library is loaded
 * only where metrics are kept.
 */
export async function createPrometheusMetrics(): Promise<PrometheusMetrics> {
  const client = await import('prom-client')
  const registry = new client.Registry()
  client.collectDefaultMetrics({ register: registry })
  const { requests, durations, transferred, transfers, jobRuns, jobDurations, jobsRunning, mails } =
    createInstruments(client, registry)
  if (cluster.isWorker) tellPrimary(client, registry)
  for (const direction of ['upload', 'download']) {
    transferred.inc({ direction }, 0)
    transfers.set({ direction }, 0)
  }

  return {
    requestCompleted: ({ method, route, status, durationMs }) => {
      const labels = { method: methods.includes(method) ? method : 'other', route }
      requests.inc({ ...labels, status: `${Math.floor(status / 100)}xx` })
      durations.observe(labels, durationMs / 1000)
    },
    transferBegins: (direction) => {
      transfers.inc({ direction })
      return {
        moved: (bytes) => transferred.inc({ direction }, bytes),
        end: () => transfers.dec({ direction }),
      }
    },
    jobStarts: (job) => {
      jobsRunning.inc({ job })
      const stopTimer = jobDurations.startTimer({ job })
      return (outcome) => {
        jobsRunning.dec({ job })
        stopTimer()
        jobRuns.inc({ job, outcome })
      }
    },
    mailEnds: (outcome) => mails.inc({ outcome }),
    watchPool: (read) => watchPool(client, registry, read),
    watchJobs: (read) => watchJobs(client, registry, read),
    read: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}

/** Responds when the process that started this one collects, as `readAllProcesses` does. */
function tellPrimary({ AggregatorRegistry }: PrometheusClient, registry: Registry): void {
  AggregatorRegistry.setRegistries(registry)
  // It begins to listen as it is made.
  void new AggregatorRegistry()
}

/** The metrics of the processes that this one started, added up; averages for delays. */
export async function readAllProcesses(): Promise<MetricsReader> {
  const { AggregatorRegistry } = await import('prom-client')
  const all = new AggregatorRegistry()
  return {
    read: async () => ({ contentType: all.contentType, text: await all.clusterMetrics() }),
  }
}

function watchPool({ Gauge }: PrometheusClient, registry: Registry, read: () => PoolState): void {
  const connections = new Gauge({
    name: 'floe_database_connections',
    help: 'Pool connections in use and free, and requests waiting for one',
    labelNames: ['state'],
    registers: [registry],
    collect: () => {
      const pool = read()
      for (const state of poolStates) connections.set({ state }, pool[state])
    },
  })
}

/** While the queue cannot be asked there is no value, rather than an old one. */
function watchJobs(
  { Gauge }: PrometheusClient,
  registry: Registry,
  read: () => Promise<readonly JobMetrics[]>,
): void {
  let readAt = -Infinity
  const jobs = new Gauge({
    name: 'floe_jobs',
    help: 'Jobs of the whole installation by state; finished jobs while they are kept',
    labelNames: ['job', 'state'],
    registers: [registry],
    collect: async () => {
      if (performance.now() - readAt < jobsFreshMs) return
      const counts = await read().catch(() => null)
      jobs.reset()
      if (counts === null) return
      readAt = performance.now()
      for (const { name: job, ...byState } of counts) {
        for (const state of jobStates) jobs.set({ job, state }, byState[state])
      }
    },
  })
}

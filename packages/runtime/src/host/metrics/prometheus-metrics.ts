import type { Registry } from 'prom-client'
import type { JobCounts, Metrics, PoolState } from './metrics.ts'

export interface PrometheusMetrics extends Metrics {
  /** The figures of now, in the text format of Prometheus. */
  read(): Promise<{ contentType: string; text: string }>
}

type Client = typeof import('prom-client')

const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]
const jobSeconds = [0.01, 0.05, 0.25, 1, 5, 30, 120, 600]
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const jobStates = ['waiting', 'active', 'delayed', 'failed', 'completed'] as const
const poolStates = ['used', 'free', 'waiting'] as const

/** Looking through the queue is work: however often somebody scrapes, it is looked at this often. */
const jobsFreshMs = 10_000

/**
 * Figures in a registry of their own: nothing is shared between two of these. The library is loaded
 * only where figures are kept.
 */
export async function createPrometheusMetrics(): Promise<PrometheusMetrics> {
  const client = await import('prom-client')
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = client
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const requests = new Counter({
    name: 'floe_http_requests_total',
    help: 'HTTP requests by method, route and status class',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'floe_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its response',
    labelNames: ['method', 'route'],
    buckets: requestSeconds,
    registers,
  })
  const transferred = new Counter({
    name: 'floe_transferred_bytes_total',
    help: 'Bytes of files received and sent',
    labelNames: ['direction'],
    registers,
  })
  const transfers = new Gauge({
    name: 'floe_transfers_running',
    help: 'Uploads and downloads in progress',
    labelNames: ['direction'],
    registers,
  })
  const jobRuns = new Counter({
    name: 'floe_job_runs_total',
    help: 'Job attempts that ended in this process',
    labelNames: ['job', 'outcome'],
    registers,
  })
  const jobDurations = new Histogram({
    name: 'floe_job_duration_seconds',
    help: 'Duration of job attempts',
    labelNames: ['job'],
    buckets: jobSeconds,
    registers,
  })
  const jobsRunning = new Gauge({
    name: 'floe_jobs_running',
    help: 'Jobs running in this process',
    labelNames: ['job'],
    registers,
  })
  const mails = new Counter({
    name: 'floe_mails_total',
    help: 'Attempts to send an email to the mail server',
    labelNames: ['outcome'],
    registers,
  })
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

function watchPool({ Gauge }: Client, registry: Registry, read: () => PoolState): void {
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

/** While the queue cannot be asked there is no figure, rather than an old one. */
function watchJobs(
  { Gauge }: Client,
  registry: Registry,
  read: () => Promise<readonly JobCounts[]>,
): void {
  let readAt = -Infinity
  const jobs = new Gauge({
    name: 'floe_jobs',
    help: 'Jobs of the whole installation by state; finished jobs while they are kept',
    labelNames: ['job', 'state'],
    registers: [registry],
    collect: async () => {
      if (performance.now() - readAt < jobsFreshMs) return
      const tallies = await read().catch(() => null)
      jobs.reset()
      if (tallies === null) return
      readAt = performance.now()
      for (const { name: job, ...counts } of tallies) {
        for (const state of jobStates) jobs.set({ job, state }, counts[state])
      }
    },
  })
}

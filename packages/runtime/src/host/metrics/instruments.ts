import type { Registry } from 'prom-client'

export type PrometheusClient = typeof import('prom-client')

const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]
const jobSeconds = [0.01, 0.05, 0.25, 1, 5, 30, 120, 600]

/** What counts and measures the work of this process. */
export function createInstruments(
  { Counter, Gauge, Histogram }: PrometheusClient,
  registry: Registry,
) {
  const registers = [registry]
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
  return { requests, durations, transferred, transfers, jobRuns, jobDurations, jobsRunning, mails }
}

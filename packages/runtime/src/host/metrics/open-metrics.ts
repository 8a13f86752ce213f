import cluster from 'node:cluster'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Environment } from '@floe/config'
import { StartError } from '@floe/db'
import type { Log } from '@floe/log'
import type { Shutdown } from '../shutdown.ts'
import { type Metrics, noMetrics } from './metrics.ts'
import {
  createPrometheusMetrics,
  type MetricsReader,
  readAllProcesses,
} from './prometheus-metrics.ts'

interface Context {
  log: Pick<Log, 'info' | 'error'>
  shutdown: Shutdown
}

/** Serves the metrics at a port of their own, out of the gateway's reach; without a port, none. */
export async function openMetrics(
  { metrics: place }: Environment,
  context: Context,
): Promise<Metrics> {
  if (place === null) return noMetrics
  const metrics = await createPrometheusMetrics()
  // Where processes share a port, the one that started them serves the metrics of all.
  if (!cluster.isWorker) await serveMetrics(metrics, place, context)
  return metrics
}

/** The same for the processes that this one starts: sums of what they count. */
export async function openMetricsOfAll(
  { metrics: place }: Environment,
  context: Context,
): Promise<void> {
  if (place !== null) await serveMetrics(await readAllProcesses(), place, context)
}

async function serveMetrics(
  metrics: MetricsReader,
  place: { port: number; host: string },
  { log, shutdown }: Context,
): Promise<void> {
  const server = createMetricsServer(metrics, log)
  await listen(server, place)
  shutdown.add('metrics', () => {
    server.closeAllConnections()
    server.close()
  })
  const { port, address } = server.address() as AddressInfo
  log.info({ port, address }, 'metrics endpoint started')
}

function createMetricsServer(metrics: MetricsReader, log: Pick<Log, 'error'>): Server {
  return createServer((req, res) => {
    if (req.method !== 'GET' || req.url?.split('?', 1)[0] !== '/metrics') {
      res.writeHead(404).end()
      return
    }
    metrics.read().then(
      ({ contentType, text }) => res.writeHead(200, { 'Content-Type': contentType }).end(text),
      (err: unknown) => {
        log.error({ err }, 'could not collect metrics')
        res.writeHead(500).end()
      },
    )
  })
}

function listen(server: Server, place: { port: number; host: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new StartError(
          `Cannot listen on METRICS_PORT ${place.port} of ${place.host}: ${cause.message}.`,
          cause,
        ),
      ),
    )
    server.listen(place, resolve)
  })
}

import { readEnvironment } from '@floe/config'
import { StartError } from '@floe/db'
import { createLogs } from '@floe/log'
import { compose } from './compose.ts'
import { openMetrics } from './metrics/open-metrics.ts'
import { openPlatform } from './platform.ts'
import { serve } from './serve.ts'
import type { ServiceTable } from './service-table.ts'
import { createShutdown, endOnUnexpected, stopOnSignals } from './shutdown.ts'

export interface FloeOptions {
  services: ServiceTable
  /** The built web application. */
  webDirectory: string
}

/** Starts what the environment names; each part registers its own end as it begins. */
export async function runFloe({ services, webDirectory }: FloeOptions): Promise<void> {
  const result = readEnvironment(process.env)
  if ('problems' in result) {
    for (const { variable, message } of result.problems) console.error(`${variable}: ${message}`)
    process.exit(1)
  }
  const { environment } = result
  const service = environment.services.length === 1 ? environment.services[0] : 'floe'
  const logFor = createLogs({ level: environment.logLevel })
  const log = logFor(service ?? 'floe')
  const shutdown = createShutdown({ log })
  stopOnSignals(shutdown, log)
  endOnUnexpected(log)
  try {
    const metrics = await openMetrics(environment, { log, shutdown })
    const platform = await openPlatform(environment, { log, logFor, metrics, shutdown })
    const composition = await compose(services, { environment, platform, shutdown })
    const port = await serve({
      environment,
      platform,
      composition,
      shutdown,
      services,
      webDirectory,
    })
    // A load balancer reads this line and stops sending requests here.
    shutdown.add('notice', () => console.log('Floe is stopping'))
    log.info({ port, services: environment.services }, 'ready')
    console.log(`Floe is ready at ${environment.publicUrl ?? `http://localhost:${port}`}`)
  } catch (error) {
    if (error instanceof StartError) console.error(error.message)
    else log.fatal({ err: error }, 'could not start')
    await shutdown.run()
    process.exit(1)
  }
}

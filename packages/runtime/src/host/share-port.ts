import cluster from 'node:cluster'
import type { Environment } from '@floe/config'
import type { Log } from '@floe/log'
import { PROCESS_STOP_MS, type Shutdown } from './shutdown.ts'
import { supervise, type SupervisedProcess } from './supervise.ts'

/** Longer than any of its processes takes to stop. */
export const PRIMARY_STOP_MS = PROCESS_STOP_MS + 250

/** Does this process do nothing itself, but start those that share its port? */
export function isPrimary({ processes }: Environment): boolean {
  return cluster.isPrimary && processes > 1
}

/**
 * Starts processes that each do what this one would do alone, and starts again what ends. New
 * connections go to each in turn. Should this process be killed, they end by themselves. Returns the
 * port.
 */
export async function startProcesses(
  { processes, services }: Environment,
  { log, shutdown }: { log: Log; shutdown: Shutdown },
): Promise<number> {
  const started: SupervisedProcess[] = []
  let port = 0
  const start = (number: number): Promise<void> => {
    let worker: ReturnType<typeof cluster.fork>
    const one = supervise({
      name: `${services.join()}-${number}`,
      log,
      start: () => {
        worker = cluster.fork()
        // Such as a connection that was handed to it as it died; its end is seen in any case.
        worker.on('error', (err) => log.warn({ err }, 'a process cannot be reached'))
        return worker.process
      },
      // Listening is the last thing that a start does.
      isReady: () =>
        new Promise((resolve) => {
          worker.once('listening', (address) => {
            port = address.port
            resolve()
          })
        }),
    })
    started.push(one)
    return one.ready
  }
  const stopAll = async () => void (await Promise.all(started.map((one) => one.stop())))
  shutdown.add('processes', stopAll, PRIMARY_STOP_MS)
  // The first one migrates the database and, where a start must fail, tells why: once.
  await start(1)
  await Promise.all(Array.from({ length: processes - 1 }, (_, index) => start(index + 2)))
  return port
}

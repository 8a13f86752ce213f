import type { JobContract } from '@floe/contracts'
import { type Database, type Knex, OUTBOX_CHANNEL, type Presence } from '@floe/db'

import type { JobQueue, QueueLog } from './job-queue.ts'
import { relayEvents } from './relay-events.ts'
import { createNotifier } from './notifier.ts'

export interface RelayOptions {
  database: Pick<Database, 'knex'>
  presence: Pick<Presence, 'listen' | 'onRestored'>
  queue: Pick<JobQueue, 'enqueue' | 'memory'>
  /** Restores what the queue has lost: schedules, and the events of what is still to be done. */
  recover(trx: Knex.Transaction): Promise<void>
  log: QueueLog
  /** Jobs that would find nothing to do here, and are not asked for by events. */
  unwanted?: readonly JobContract[]
  /** Looks at least this often: bursts send no notification, and one can be lost. */
  pollMs?: number
}

export interface Relay {
  /** Waits for the events at hand; what is left in the outbox waits for the next start. */
  stop(): Promise<void>
}

/** Events of a burst that come within this time are relayed together; it grows while they come. */
const firstSettleMs = 250
const lastSettleMs = 1_000
const firstRetryMs = 500
const lastRetryMs = 10_000

/**
 * Turns the outbox into jobs. Rows leave the outbox in a transaction that commits after the queue
 * has their jobs, so nothing is lost while the queue is away; a queue that comes back and has
 * forgotten them gets them again. Any number of relays may run: rows held by one are skipped by the
 * others.
 */
export async function startRelay({
  database,
  presence,
  queue,
  recover,
  log,
  unwanted = [],
  pollMs = 1_000,
}: RelayOptions): Promise<Relay> {
  const notifier = createNotifier()
  let stopped = false
  const stopListening = await presence.listen(OUTBOX_CHANNEL, notifier.notify)
  const forgetRestored = presence.onRestored(notifier.notify)

  async function run(): Promise<void> {
    let settleMs = firstSettleMs
    let retryMs = firstRetryMs
    while (!stopped) {
      try {
        const more = await relayEvents({ database, queue, recover, unwanted, log })
        retryMs = firstRetryMs
        if (more) continue
        if (await notifier.notifiedWithin(settleMs)) settleMs = Math.min(settleMs * 2, lastSettleMs)
        else {
          settleMs = firstSettleMs
          await notifier.nextNotification(pollMs)
        }
      } catch (error) {
        log.warn({ err: error, retryMs }, 'could not relay events; they stay in the outbox')
        await notifier.pause(retryMs)
        retryMs = Math.min(retryMs * 2, lastRetryMs)
      }
    }
  }
  const running = run()

  return {
    stop: async () => {
      stopped = true
      notifier.end()
      await running
      forgetRestored()
      await stopListening().catch(() => undefined)
    },
  }
}

import { type JobContract, jobs } from '@floe/contracts'
import type { JobQueue, Relay } from '@floe/queue'
import type { JobConsumer } from '@floe/runtime'

export interface WorkerOptions {
  /** Those of every service. */
  consumers: readonly JobConsumer[]
  queue: Pick<JobQueue, 'consume' | 'schedule'>
  /** Begins to turn events into jobs. */
  startRelay(): Promise<Relay>
  log: { info(fields: object, message: string): void }
  /** Jobs run side by side. */
  concurrency?: number
}

export interface Worker {
  /** Events stay in the outbox from now on; running jobs are told to end and waited for. */
  stop(): Promise<void>
}

/**
 * Runs every job and schedule of the product. Rejects unless each job of the contracts has exactly
 * one consumer: a job nobody runs would wait for ever without a word.
 */
export async function startWorker({
  consumers,
  queue,
  startRelay,
  log,
  concurrency = 4,
}: WorkerOptions): Promise<Worker> {
  const contracts = Object.values(jobs)
  assertOneConsumerEach(contracts, consumers)

  await queue.schedule(contracts)
  const consumption = queue.consume(consumers, { concurrency })
  const relay = await startRelay().catch(async (error: unknown) => {
    await consumption.stop()
    throw error
  })
  log.info({ jobs: contracts.length, concurrency }, 'worker started')

  return {
    stop: async () => {
      await relay.stop()
      await consumption.stop()
    },
  }
}

/** Throws one error that names every job without a consumer, with two, or unknown to contracts. */
export function assertOneConsumerEach(
  contracts: readonly JobContract[],
  consumers: readonly Pick<JobConsumer, 'job'>[],
): void {
  const names = consumers.map(({ job }) => job.name)
  const known = new Set(contracts.map(({ name }) => name))
  const problems = [
    ...[...known].filter((name) => !names.includes(name)).map((name) => `${name} has no consumer`),
    ...[...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map(
      (name) => `${name} has more than one consumer`,
    ),
    ...names.filter((name) => !known.has(name)).map((name) => `${name} is not a known job`),
  ]
  if (problems.length > 0)
    throw new Error(`Jobs and consumers do not match: ${problems.join('; ')}`)
}

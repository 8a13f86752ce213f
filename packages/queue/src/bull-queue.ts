import type { JobContract } from '@floe/contracts'
import { AppError, isAppError } from '@floe/errors'
import { ErrorCode, type Job, type Queue, type Worker, type WorkerOptions } from 'bullmq'

import {
  backoffMs,
  callOptions,
  equalWork,
  type JobEnvelope,
  standingOptions,
} from './job-options.ts'
import type {
  Consumption,
  FailedJob,
  JobCounts,
  JobQueue,
  QueueConsumer,
  QueueLog,
  QueueMemory,
} from './job-queue.ts'
import { createJobRunner, type JobRunner } from './run-job.ts'
import { limitRepeats } from './limit-repeats.ts'
import { withDeadline } from './with-deadline.ts'

/** The parts of BullMQ used here; both backends have them. */
export type BullQueue = Pick<
  Queue<JobEnvelope, void, string>,
  | 'add'
  | 'upsertJobScheduler'
  | 'getJobScheduler'
  | 'getJobCounts'
  | 'getFailed'
  | 'getJob'
  | 'close'
> & { on(event: 'error', listener: (error: Error) => void): unknown }

export type BullWorker = Pick<Worker<JobEnvelope, void, string>, 'close' | 'disconnect'> & {
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'lockRenewalFailed', listener: (jobIds: string[]) => void): unknown
  on(event: 'failed', listener: (job: FailedAttempt | undefined, error: Error) => void): unknown
}

type FailedAttempt = Pick<
  Job<JobEnvelope, void, string>,
  'id' | 'name' | 'data' | 'attemptsMade' | 'finishedOn'
>

export interface NameCount {
  name: string
  state: keyof JobCounts
  count: number
}

/** What differs between PostgreSQL and Redis. */
export interface BullBackend {
  openQueue(): BullQueue
  openWorker(process: JobRunner['run'], options: Omit<WorkerOptions, 'connection'>): BullWorker
  /**
   * Runs one process after another where the backend itself does not: two at once would leave a
   * schedule with two next runs, or none.
   */
  oneAtATime(work: () => Promise<void>): Promise<void>
  /** How many jobs there are of each name in each state. */
  countByName(): Promise<NameCount[]>
  /** Without deadlines. */
  memory: QueueMemory | null
  /** After the queue and all workers were told to close. */
  close(): Promise<void>
}

export interface BullQueueOptions {
  log: QueueLog
  /**
   * A job whose process died is run again at most two and a half times this later. A process that
   * blocks its event loop for as long loses its jobs to others.
   */
  lockMs?: number
  /** How long a call to the queue may take before it counts as failed. */
  timeoutMs?: number
}

const startDelayMs = 2_000
const closeTimeoutMs = 3_000

export function createBullQueue(
  backend: BullBackend,
  { log, lockMs = 8_000, timeoutMs = 5_000 }: BullQueueOptions,
): JobQueue {
  const consumptions = new Set<Consumption>()
  const { memory } = backend
  const queue = backend.openQueue()
  const reportTrouble = limitRepeats((error: Error) =>
    log.warn({ error: error.message }, 'job queue connection error'),
  )
  queue.on('error', reportTrouble)

  const reach = <T>(call: Promise<T>) =>
    withDeadline(call, timeoutMs).catch((error: unknown) => {
      if (isAppError(error)) throw error
      throw new AppError('upstream_unavailable', { cause: error, detail: 'The job queue failed' })
    })

  return {
    memory: memory && {
      recall: () => reach(memory.recall()),
      remember: (mark, run) => reach(memory.remember(mark, run)),
    },
    enqueue: async (job, payload, { requestId = null, id } = {}) => {
      const data = { payload: job.schema.parse(payload), requestId }
      await reach(queue.add(job.name, data, callOptions(job, data.payload, id)))
    },
    schedule: async (jobs) => {
      await backend.oneAtATime(async () => {
        for (const job of jobs) await reach(scheduleJob(queue, job))
      })
    },
    consume: (consumers, { concurrency = 4 } = {}) => {
      const consumption = startConsuming(backend, consumers, {
        concurrency,
        lockMs,
        log,
        reportTrouble,
      })
      consumptions.add(consumption)
      return consumption
    },
    counts: async () => {
      const counts = await reach(
        queue.getJobCounts('waiting', 'active', 'delayed', 'failed', 'completed'),
      )
      return {
        waiting: counts['waiting'] ?? 0,
        active: counts['active'] ?? 0,
        delayed: counts['delayed'] ?? 0,
        failed: counts['failed'] ?? 0,
        completed: counts['completed'] ?? 0,
      }
    },
    countByName: async () => groupByName(await reach(backend.countByName())),
    retry: async (id) => {
      const job = await reach(queue.getJob(id))
      if (job === undefined) throw new AppError('job_not_found')
      await reach(retryFailed(job))
      return { name: job.name }
    },
    listFailed: async (limit) => (await reach(queue.getFailed(0, limit - 1))).map(presentFailed),
    close: async () => {
      await Promise.all([...consumptions].map((consumption) => consumption.stop()))
      await withDeadline(queue.close(), closeTimeoutMs).catch(reportTrouble)
      await withDeadline(backend.close(), closeTimeoutMs).catch(reportTrouble)
    },
  }
}

/** The state is judged where the job is moved: of two calls at once, one is told that it runs again. */
async function retryFailed(job: Pick<Job, 'retry'>): Promise<void> {
  try {
    await job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true })
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === ErrorCode.JobNotExist) throw new AppError('job_not_found', { cause: error })
    if (code === ErrorCode.JobNotInState) throw new AppError('job_not_failed', { cause: error })
    throw error
  }
}

function groupByName(counts: readonly NameCount[]): ({ name: string } & JobCounts)[] {
  const byName = new Map<string, { name: string } & JobCounts>()
  for (const { name, state, count } of counts) {
    const group = byName.get(name) ?? {
      name,
      waiting: 0,
      active: 0,
      delayed: 0,
      failed: 0,
      completed: 0,
    }
    byName.set(name, { ...group, [state]: group[state] + count })
  }
  return [...byName.values()].sort((a, b) => a.name.localeCompare(b.name))
}

async function scheduleJob(queue: BullQueue, job: JobContract): Promise<void> {
  if (job.everyMs === undefined) return
  const data: JobEnvelope = { payload: job.schema.parse({}), requestId: null }
  const isNew = !(await queue.getJobScheduler(job.name))
  await queue.upsertJobScheduler(
    job.name,
    { every: job.everyMs },
    { name: job.name, data, opts: standingOptions(job) },
  )
  // A schedule set up for the first time runs at once by itself. The delay lets processes that
  // start together ask for one run; the key differs from none of the schedule's own runs, which
  // have no key, so a run due in an hour does not swallow this one.
  if (!job.atStart || isNew) return
  await queue.add(job.name, data, {
    ...standingOptions(job),
    delay: startDelayMs,
    deduplication: equalWork(`${job.name}/at-start`),
  })
}

interface ConsumingOptions {
  concurrency: number
  lockMs: number
  log: QueueLog
  reportTrouble: (error: Error) => void
}

function startConsuming(
  backend: BullBackend,
  consumers: readonly QueueConsumer[],
  { concurrency, lockMs, log, reportTrouble }: ConsumingOptions,
): Consumption {
  const runner = createJobRunner(consumers, { log })
  // The contract of this release counts, not the one the job was stored by; a job without one is
  // never tried here.
  const contracts = new Map(consumers.map(({ job }) => [job.name, job]))
  const termsOf = (job?: { name: string }) => contracts.get(job?.name ?? '') ?? { backoffMs: 1_000 }
  const worker = backend.openWorker(runner.run, {
    concurrency,
    lockDuration: lockMs,
    stalledInterval: lockMs / 2,
    // Being killed is not the job's fault, however often it happens.
    maxStalledCount: 1_000_000,
    drainDelay: 10,
    runRetryDelay: 1_000,
    settings: {
      backoffStrategy: (attemptsMade, _type, _error, job) => backoffMs(termsOf(job), attemptsMade),
    },
  })
  worker.on('error', reportTrouble)
  worker.on('lockRenewalFailed', (jobIds) => jobIds.forEach(runner.abandon))
  worker.on('failed', (job, error) => reportFailure(log, job, error))

  let stopped: Promise<void> | undefined
  return {
    stop: ({ timeoutMs = 10_000 } = {}) => {
      stopped ??= (async () => {
        const closing = worker.close()
        runner.stop()
        await withDeadline(closing, timeoutMs).catch((error: Error) => {
          reportTrouble(error)
          return withDeadline(worker.disconnect(), closeTimeoutMs).catch(reportTrouble)
        })
      })()
      return stopped
    },
  }
}

function reportFailure(log: QueueLog, job: FailedAttempt | undefined, error: Error): void {
  const fields = {
    job: job?.name,
    jobId: job?.id,
    requestId: job?.data.requestId,
    attempts: job?.attemptsMade,
    err: error.cause ?? error,
  }
  if (job?.finishedOn) log.error(fields, 'job failed permanently')
  else log.warn(fields, 'job attempt failed')
}

function presentFailed(job: Job<JobEnvelope, void, string>): FailedJob {
  return {
    id: job.id ?? '',
    name: job.name,
    payload: job.data.payload,
    requestId: job.data.requestId,
    attempts: job.attemptsMade,
    reason: job.failedReason,
    failedAt: new Date(job.finishedOn ?? job.timestamp),
  }
}

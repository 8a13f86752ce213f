import type { ErrorCode } from '@floe/contracts'
import { isAppError, isOutage } from '@floe/errors'
import { inRequest } from '@floe/log'
import { DelayedError, type Job, UnrecoverableError, WaitingError } from 'bullmq'

import type { JobEnvelope } from './job-options.ts'
import type { QueueConsumer, QueueLog } from './job-queue.ts'

/** How long a job that is unknown here waits before it is offered again. */
const unknownJobDelayMs = 10_000

/** How long a job waits for a backend that is away: from the first to the last, doubling. */
const firstOutageDelayMs = 1_000
const lastOutageDelayMs = 60_000
/** A backend that is away for longer than this after a job was made is away for good. */
const longestOutageMs = 24 * 60 * 60 * 1000

export interface JobRunner {
  /** The processor given to BullMQ. */
  run(job: Job<JobEnvelope, void, string>, token?: string): Promise<void>
  /** Aborts one run whose lock was lost: another process has the job now. */
  abandon(jobId: string): void
  /** Aborts all runs, and hands back jobs that are fetched from now on. */
  stop(): void
}

export function createJobRunner(
  consumers: readonly QueueConsumer[],
  { log }: { log: QueueLog },
): JobRunner {
  const byName = new Map(consumers.map((consumer) => [consumer.job.name, consumer]))
  const running = new Map<string, AbortController>()
  let stopping = false

  async function run(job: Job<JobEnvelope, void, string>, token?: string): Promise<void> {
    const consumer = byName.get(job.name)
    if (!consumer) {
      // A newer release may know it; failing it here would lose work during a rollout.
      log.warn({ job: job.name, jobId: job.id }, 'unknown job left for other workers')
      await job.moveToDelayed(Date.now() + unknownJobDelayMs, token)
      throw new DelayedError()
    }
    if (stopping) await handBack(job, token)

    const abort = new AbortController()
    const runId = job.id ?? ''
    running.set(runId, abort)
    const startedAt = performance.now()
    try {
      await consumer.handle(job.data.payload, { signal: abort.signal })
      reportDone(log, job, performance.now() - startedAt)
    } catch (error) {
      if (stopping) await handBack(job, token)
      if (isAway(error) && Date.now() - job.timestamp < longestOutageMs) {
        log.warn(
          { err: error, tries: job.attemptsStarted },
          'job postponed: a dependency is unavailable',
        )
        await postpone(job, token)
      }
      throw asJobFailure(error)
    } finally {
      if (running.get(runId) === abort) running.delete(runId)
    }
  }

  return {
    // What the job logs, records or asks for belongs to the request that caused it.
    run: (job, token) =>
      inRequest(
        {
          requestId: job.data.requestId,
          job: job.name,
          ...(job.id !== undefined && { jobId: job.id }),
        },
        () => run(job, token),
      ),
    abandon: (jobId) => running.get(jobId)?.abort(new Error('Another process took the job over')),
    stop: () => {
      stopping = true
      for (const abort of running.values()) abort.abort(new Error('The process is stopping'))
    },
  }
}

/** Schedules run all day and mostly find nothing to do. */
function reportDone(
  log: QueueLog,
  { data: { requestId } }: Job<JobEnvelope, void, string>,
  tookMs: number,
): void {
  const fields = { durationMs: Math.round(tookMs) }
  if (requestId === null) log.debug(fields, 'job done')
  else log.info(fields, 'job done')
}

/** Back to the waiting jobs without counting an attempt. */
async function handBack(job: Job, token?: string): Promise<never> {
  await job.moveToWait(token)
  throw new WaitingError()
}

/**
 * Database, objects or a service cannot be reached, which no job can help. A mail server is its
 * job's own matter.
 */
function isAway(error: unknown): boolean {
  if (!isAppError(error)) return isOutage(error)
  return (
    error.code === 'upstream_unavailable' || (error.code === 'internal' && isOutage(error.cause))
  )
}

/** To be tried again without counting an attempt. */
async function postpone(job: Job, token?: string): Promise<never> {
  const delayMs = Math.min(firstOutageDelayMs * 2 ** (job.attemptsStarted - 1), lastOutageDelayMs)
  await job.moveToDelayed(Date.now() + delayMs, token)
  throw new DelayedError()
}

/** What no further attempt can change: everything else is worth its attempts. */
const hopelessCodes: readonly ErrorCode[] = ['validation_failed', 'mail_refused']

function asJobFailure(error: unknown): Error {
  const failure = error instanceof Error ? error : new Error(String(error))
  const isHopeless = isAppError(failure)
    ? hopelessCodes.includes(failure.code)
    : failure.name.endsWith('ZodError')
  if (!isHopeless) return failure
  const unrecoverable = new UnrecoverableError(failure.message)
  unrecoverable.cause = failure
  return unrecoverable
}

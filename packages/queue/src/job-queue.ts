import type { JobContract, JobPayload } from '@floe/contracts'

export interface EnqueueOptions {
  /** Carried along so that the log of a job names the request that caused it. */
  requestId?: string | null
  /**
   * Makes the call repeatable: while a job with this id is kept, another is not added. Letters,
   * digits, `-` and `_`, not digits alone. Jobs with a `key` ignore it, their key does the same.
   */
  id?: string
}

/** What a consumer needs to offer; services build theirs with `consume` of the runtime package. */
export interface QueueConsumer {
  job: JobContract
  handle(payload: unknown, run: { signal: AbortSignal }): Promise<void>
}

export interface ConsumeOptions {
  /** Jobs this process runs side by side. */
  concurrency?: number
}

export interface Consumption {
  /**
   * Takes no further job, aborts the signals of running ones and waits for them, but not for
   * longer than `timeoutMs`. A handler that throws after the abort costs its job no attempt; one
   * that does not return in time is run again elsewhere once its lock has expired.
   */
  stop(options?: { timeoutMs?: number }): Promise<void>
}

export interface JobCounts {
  waiting: number
  active: number
  /** Waiting for their time: a retry or a schedule. */
  delayed: number
  failed: number
  completed: number
}

export interface FailedJob {
  id: string
  name: string
  payload: unknown
  requestId: string | null
  attempts: number
  reason: string
  failedAt: Date
}

/**
 * What a queue remembers that is stored elsewhere than the events its jobs follow from. It may
 * forget jobs that it took: when a Redis that writes late is killed, or one that writes nothing is
 * started again.
 */
export interface QueueMemory {
  /** The last mark it remembers, `null` without any, and what tells this run of its server. */
  recall(): Promise<{ mark: number | null; run: string }>
  /**
   * Rejects with `upstream_unavailable` where the server was started again since `run`: jobs that
   * it took meanwhile may be forgotten, and the mark remembered.
   */
  remember(mark: number, run: string): Promise<void>
}

/**
 * Jobs that survive the death of any process. A job runs at least once, so handlers are safe to
 * repeat. Equal work (same job, same `key`) that waits is one job; when it arrives while its equal
 * already runs, it runs once more afterwards, never beside it.
 */
export interface JobQueue {
  /** Resolves when the job is stored; rejects with `upstream_unavailable` when it may not be. */
  enqueue<J extends JobContract>(
    job: J,
    payload: JobPayload<J>,
    options?: EnqueueOptions,
  ): Promise<void>
  /** `null` where it cannot forget jobs without their events being forgotten too. */
  readonly memory: QueueMemory | null
  /** Sets up jobs with `everyMs`; safe to call from every process at every start. */
  schedule(jobs: readonly JobContract[]): Promise<void>
  /** Starts running jobs. A job without a consumer here is left to other processes. */
  consume(consumers: readonly QueueConsumer[], options?: ConsumeOptions): Consumption
  counts(): Promise<JobCounts>
  /**
   * How many there are of each name. Beyond ten thousand in one state some backends leave the
   * oldest out.
   */
  countByName(): Promise<({ name: string } & JobCounts)[]>
  /**
   * Runs a job that failed for good again, with all its attempts. Fails with job_not_found,
   * job_not_failed.
   */
  retry(id: string): Promise<{ name: string }>
  /** Newest first. */
  listFailed(limit: number): Promise<FailedJob[]>
  /** Stops consuming and closes every connection. */
  close(): Promise<void>
}

/** The part of a logger used here. */
export interface QueueLog {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

import type { JobContract } from '@floe/contracts'
import type { JobsOptions } from 'bullmq'

const daySeconds = 24 * 60 * 60
const longestBackoffMs = 60 * 60 * 1000

/** Every job of the product lives in one queue: connections and idle polls count per queue. */
export const queueName = 'floe'

/** What is stored of a job. */
export interface JobEnvelope {
  payload: unknown
  requestId: string | null
}

/** How a contract's promises are expressed to BullMQ, without what is special to one call. */
export function standingOptions(job: JobContract): JobsOptions {
  return {
    attempts: job.attempts,
    backoff: { type: 'bounded', delay: job.backoffMs },
    // PostgreSQL looks through all kept ones each time a job finishes.
    removeOnComplete: { count: 200, age: daySeconds },
    removeOnFail: { count: 1000, age: 7 * daySeconds },
    stackTraceLimit: 5,
  }
}

/**
 * The options of one call. A key and an id are never given together: the PostgreSQL backend would
 * let the key point at a finished job of that id, and drop all equal work from then on.
 */
export function callOptions(job: JobContract, payload: unknown, id?: string): JobsOptions {
  if (job.key) {
    return { ...standingOptions(job), deduplication: equalWork(`${job.name}/${job.key(payload)}`) }
  }
  return id === undefined ? standingOptions(job) : { ...standingOptions(job), jobId: id }
}

/** `keepLastIfActive`: work that arrives while its equal runs is stored and run afterwards. */
export function equalWork(id: string): NonNullable<JobsOptions['deduplication']> {
  return { id, keepLastIfActive: true }
}

/** Doubles from the contract's first delay up to its last: an hour unless it says otherwise. */
export function backoffMs(
  { backoffMs: firstMs, maxBackoffMs = longestBackoffMs }: BackoffTerms,
  attemptsMade: number,
): number {
  return Math.min(firstMs * 2 ** (attemptsMade - 1), maxBackoffMs)
}

export type BackoffTerms = Pick<JobContract, 'backoffMs' | 'maxBackoffMs'>

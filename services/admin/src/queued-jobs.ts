import type { JobQueue } from '@floe/queue'
import type { QueuedJobs } from './domain/overviews.ts'

/** The queue as administrators see it. It is opened when somebody first looks. */
export function createQueuedJobs({
  openQueue,
}: {
  openQueue: () => Promise<Pick<JobQueue, 'countByName' | 'listFailed' | 'retry'>>
}): QueuedJobs {
  return {
    counts: async () => (await openQueue()).countByName(),
    listFailed: async (limit) => {
      const failed = await (await openQueue()).listFailed(limit)
      return failed.map(({ id, name, reason, attempts, failedAt }) => ({
        id,
        name,
        reason,
        attempts,
        failedAt: failedAt.toISOString(),
      }))
    },
    retry: async (id) => (await (await openQueue()).retry(id)).name,
  }
}

import { jobs } from '@floe/contracts'
import { consume, type JobConsumer, type JobRun } from '@floe/runtime'
import type { ShareStore, VisitStore } from '../domain/ports.ts'

const BATCH_SIZE = 500
const abandonedAfterMs = 24 * 3_600_000

export interface ConsumersDeps {
  shares: ShareStore
  visits: VisitStore
  clock: () => Date
}

export function createConsumers({ shares, visits, clock }: ConsumersDeps): JobConsumer[] {
  return [
    consume(jobs.expireShares, async (_payload, run) => {
      const now = clock()
      const abandonedBefore = new Date(now.getTime() - abandonedAfterMs)
      await repeatWhileFull(run, () =>
        shares.removeExpired({ now, abandonedBefore, limit: BATCH_SIZE }),
      )
      await visits.prune(now)
    }),
    consume(jobs.deleteUserShares, ({ userId }, run) =>
      repeatWhileFull(run, () => shares.removeByCreator(userId, BATCH_SIZE)),
    ),
  ]
}

/** Small transactions: a stopping process waits for one batch, not for all. */
async function repeatWhileFull(run: JobRun, removeBatch: () => Promise<number>): Promise<void> {
  let removed = BATCH_SIZE
  while (removed === BATCH_SIZE) {
    run.signal.throwIfAborted()
    removed = await removeBatch()
  }
}

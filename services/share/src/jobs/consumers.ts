import { type AdminPort, type FilePort, jobs } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'
import { CREATOR_ADDRESS_MS } from '../domain/creator-addresses.ts'
import { openScanned } from '../domain/held-shares.ts'
import type { Editing } from '../domain/editing.ts'
import type { ReverseShareStore, ShareStore, VisitStore } from '../domain/ports.ts'
import type { RecipientCodes } from '../domain/recipient-codes.ts'
import { keptAt } from '../domain/retention.ts'
import { endStalledUploads } from '../domain/stalled-uploads.ts'
import { BATCH_SIZE, repeatWhileFull } from './repeat-while-full.ts'

const abandonedAfterMs = 24 * 3_600_000

export interface ConsumersDeps {
  shares: ShareStore
  files: Pick<FilePort, 'measureShares'>
  editing: Pick<Editing, 'completeShare'>
  reverseShares: ReverseShareStore
  visits: VisitStore
  codes: RecipientCodes
  admin: AdminPort
  clock: () => Date
}

export function createConsumers(deps: ConsumersDeps): JobConsumer[] {
  const { shares, reverseShares, visits, codes, admin, clock } = deps
  return [
    consume(jobs.expireShares, async (_payload, run) => {
      const now = clock()
      const kept = keptAt(await admin.settings({}), now)
      const abandonedBefore = new Date(now.getTime() - abandonedAfterMs)
      await repeatWhileFull(run, () => shares.tellExpired(now, BATCH_SIZE))
      await repeatWhileFull(run, () =>
        shares.removeExpired({ ...kept, abandonedBefore, limit: BATCH_SIZE }),
      )
      await endStalledUploads(deps, { idleSince: abandonedBefore, signal: run.signal })
      await reverseShares.removeExpired(now)
      await visits.prune(now)
      await codes.purge()
      await shares.forgetCreatorAddresses(new Date(now.getTime() - CREATOR_ADDRESS_MS))
    }),
    consume(jobs.openScannedShares, (_payload, { signal }) => openScanned(deps, signal)),
    consume(jobs.deleteUserShares, async ({ userId }, run) => {
      while (await reverseShares.removeOneByCreator(userId)) run.signal.throwIfAborted()
      await repeatWhileFull(run, () => shares.removeByCreator(userId, BATCH_SIZE))
    }),
  ]
}

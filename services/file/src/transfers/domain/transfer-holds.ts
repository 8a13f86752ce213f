import { AppError } from '@floe/errors'
import type { ObjectReader } from '@floe/storage'
import type { ShareRemovalStore } from '../../removals/domain/share-removals.ts'

/**
 * A transfer that began before its share expired or was deleted runs to its end: for that long the
 * share's objects stay. One hold for each share and process, however many transfers.
 */
export interface TransferHolds {
  /**
   * Opens what a transfer reads; closing it ends the hold. Fails with `share_not_found` when the
   * share went between the grant and now.
   */
  open(shareUid: string, openReader: () => Promise<ObjectReader>): Promise<ObjectReader>
  /** Resolves once what was ended until now is written. */
  stop(): Promise<void>
}

export interface TransferHoldsDependencies {
  removals: Pick<ShareRemovalStore, 'hold' | 'release'>
  log: { warn(fields: object, text: string): void }
}

interface Hold {
  transfers: number
  isTaken: Promise<boolean>
}

export function createTransferHolds({ removals, log }: TransferHoldsDependencies): TransferHolds {
  const holds = new Map<string, Hold>()
  /** A new hold of a share is taken after the former one is gone, never beside its end. */
  const releases = new Map<string, Promise<void>>()

  function join(shareUid: string): Hold {
    const known = holds.get(shareUid)
    if (known) {
      known.transfers += 1
      return known
    }
    const released = releases.get(shareUid) ?? Promise.resolve()
    const hold = { transfers: 1, isTaken: released.then(() => removals.hold(shareUid)) }
    holds.set(shareUid, hold)
    return hold
  }

  function leave(shareUid: string, hold: Hold): void {
    hold.transfers -= 1
    if (hold.transfers > 0) return
    holds.delete(shareUid)
    const release = releaseOnceTaken(shareUid, hold).finally(() => {
      if (releases.get(shareUid) === release) releases.delete(shareUid)
    })
    releases.set(shareUid, release)
  }

  async function releaseOnceTaken(shareUid: string, { isTaken }: Hold): Promise<void> {
    try {
      if (await isTaken) await removals.release(shareUid)
    } catch (err) {
      log.warn({ err, shareUid }, 'could not record the end of a transfer')
    }
  }

  return {
    open: async (shareUid, openReader) => {
      const hold = join(shareUid)
      let isOpen = true
      const end = () => {
        if (isOpen) leave(shareUid, hold)
        isOpen = false
      }
      try {
        if (!(await hold.isTaken)) throw new AppError('share_not_found')
        const reader = await openReader()
        return {
          read: reader.read,
          close: async () => {
            try {
              await reader.close()
            } finally {
              end()
            }
          },
        }
      } catch (error) {
        end()
        throw error
      }
    },

    stop: async () => {
      await Promise.all(releases.values())
    },
  }
}

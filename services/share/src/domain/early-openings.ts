import type { FilePort, OpenEarlyInput } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { type Completing, requireCompleted } from './editing.ts'
import type { ShareStore } from './ports.ts'
import { grantWorkingRead } from './read-grant.ts'
import { archiveLevelOf, type Share } from './share.ts'
import { readFirstTerms, type ShareChangesDeps } from './share-changes.ts'

/** Shares that visitors see while their files are uploaded. */
export interface EarlyOpenings {
  /**
   * Opens a share that its maker may complete; safe to repeat without terms. Fails like
   * `Editing.completeShare`, and with forbidden for what is sent through a reverse share.
   */
  openShareEarly(held: Completing, input: OpenEarlyInput): Promise<Share>
}

export interface EarlyOpeningsDeps extends ShareChangesDeps {
  shares: ShareStore
  files: Pick<FilePort, 'measureShares' | 'listUnfinished'>
}

export function createEarlyOpenings(deps: EarlyOpeningsDeps): EarlyOpenings {
  const { shares, files, admin, clock } = deps

  /** A link that would lead to nothing for good is not given away. */
  async function requireUploads(found: Share, stored: number) {
    const { fileCount } = await files.listUnfinished({ grant: grantWorkingRead(found) })
    if (fileCount + stored === 0) throw new AppError('share_without_files')
  }

  return {
    openShareEarly: async ({ share: found, maker }, { announced, ...input }) => {
      if (found.receiverId !== null) {
        const message = 'The receiver of a share sees it once it is complete'
        throw new AppError('forbidden', { message })
      }
      if (found.state === 'completed' || found.state === 'reopened') {
        throw new AppError('share_already_completed')
      }
      const terms = await readFirstTerms(deps, { share: found, caller: maker }, input)
      if (found.state === 'uploading') {
        if (announced) await shares.announce(found.uid, announced)
        return found
      }
      const [measured] = await files.measureShares({ shareUids: [found.uid] })
      if (!announced?.files.length) await requireUploads(found, measured?.fileCount ?? 0)
      // Where files are held, visitors wait for the last one.
      const isHeld = measured?.waiting !== undefined
      const archiveLevel = archiveLevelOf(found, await admin.settings({}))
      const opening = { now: clock(), archiveLevel, terms, isHeld, announced: announced ?? null }
      return requireCompleted(await shares.openEarly(found, opening))
    },
  }
}

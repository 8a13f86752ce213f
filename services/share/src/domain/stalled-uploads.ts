import { isAppError } from '@floe/errors'
import type { Editing } from './editing.ts'
import type { ShareStore } from './ports.ts'

const BATCH_SIZE = 100

export interface StalledUploadsDeps {
  shares: Pick<ShareStore, 'listStalled' | 'remove'>
  editing: Pick<Editing, 'completeShare'>
}

/**
 * Completes shares that were opened early and whose sender did not come back: people have the link,
 * so what arrived stays. One without any file goes as a draft does.
 */
export async function endStalledUploads(
  { shares, editing }: StalledUploadsDeps,
  { idleSince, signal }: { idleSince: Date; signal: AbortSignal },
): Promise<void> {
  for (;;) {
    const stalled = await shares.listStalled(idleSince, BATCH_SIZE)
    for (const share of stalled) {
      signal.throwIfAborted()
      try {
        await editing.completeShare({ share, maker: null }, {})
      } catch (error) {
        if (isAppError(error, 'share_without_files')) await shares.remove(share.uid, [])
        // Its sender or its owner did so a moment ago.
        else if (!endedMeanwhile.some((code) => isAppError(error, code))) throw error
      }
    }
    if (stalled.length < BATCH_SIZE) return
  }
}

const endedMeanwhile = ['share_already_completed', 'share_not_found'] as const

import type { ObjectStore } from '@floe/storage'
import type { SegmentListing } from '../../archive/domain/segment-ports.ts'
import type { ShareFiles } from '../../files/domain/file-ports.ts'
import type { ThumbnailListing } from '../../thumbnails/domain/thumbnail-ports.ts'

/** A transfer that takes longer than this may lose its share before its end. */
export const LONGEST_TRANSFER_MS = 24 * 3_600_000

/**
 * The removal of shares that are gone, and the transfers it waits for. What is asked here holds for
 * every process: a hold counts for as long as its process is present.
 */
export interface ShareRemovalStore {
  /**
   * Keeps the objects of a share while this process reads them. False if their removal was asked
   * for: then nothing may begin.
   */
  hold(shareUid: string): Promise<boolean>
  /** Ends the hold of this process; tells, as an event, where a removal waits for it. */
  release(shareUid: string): Promise<void>
  /** From now on nothing begins. When it was asked for first; null without anything to remove. */
  request(shareUid: string): Promise<Date | null>
  /** Does any present process hold it? */
  isHeld(shareUid: string): Promise<boolean>
  /** Which of these shares are being removed, since then at the earliest. */
  underWay(shareUids: readonly string[], since: Date): Promise<string[]>
  /** Holds of processes that are no more. */
  forgetDead(): Promise<void>
}

const BATCH = 500

export interface ShareRemovalDependencies {
  files: Pick<ShareFiles, 'objectKeysOf' | 'removeShare'>
  segments: Pick<SegmentListing, 'objectKeysOf'>
  thumbnails: Pick<ThumbnailListing, 'objectKeysOf'>
  objects: Pick<ObjectStore, 'remove'>
  removals: Pick<ShareRemovalStore, 'request' | 'isHeld'>
  clock: () => Date
}

/**
 * Removes what a share left behind, unless a transfer that began before still reads it; the end of
 * the last one asks again. Objects first: should the process die in between, the rows still say
 * what is left to do. False if it has to wait.
 */
export async function removeShare(
  dependencies: ShareRemovalDependencies,
  shareUid: string,
): Promise<boolean> {
  const { files, segments, thumbnails, objects, removals, clock } = dependencies
  const requestedAt = await removals.request(shareUid)
  const isPatient =
    requestedAt !== null && clock().getTime() - requestedAt.getTime() < LONGEST_TRANSFER_MS
  if (isPatient && (await removals.isHeld(shareUid))) return false
  const owners = [segments, thumbnails, files]
  const keys = (await Promise.all(owners.map((owner) => owner.objectKeysOf(shareUid)))).flat()
  for (let start = 0; start < keys.length; start += BATCH) {
    await objects.remove(keys.slice(start, start + BATCH))
  }
  await files.removeShare(shareUid)
  return true
}

import type { Thumbnailer } from '@floe/pictures'
import type { ObjectStore } from '@floe/storage'
import type { ThumbnailListing, ThumbnailWork } from './thumbnail-ports.ts'

const BATCH = 500

export interface ThumbnailCareDependencies {
  thumbnails: Pick<ThumbnailListing, 'readyKeys'> &
    Pick<ThumbnailWork, 'forget' | 'sharesWaiting' | 'request'>
  thumbnailer: Pick<Thumbnailer, 'isAvailable'>
  objects: Pick<ObjectStore, 'storedBytes'>
}

/**
 * Thumbnails whose objects were lost are made again, and so are those of pictures that were there
 * before thumbnails were, or whose job gave up. Tells how many were lost.
 */
export async function restoreThumbnails(
  dependencies: ThumbnailCareDependencies,
  signal: AbortSignal,
): Promise<number> {
  const lost = await forgetLost(dependencies, signal)
  await requestMissing(dependencies, signal)
  return lost
}

async function forgetLost({ thumbnails, objects }: ThumbnailCareDependencies, signal: AbortSignal) {
  let count = 0
  let after: string | null = null
  for (;;) {
    signal.throwIfAborted()
    const keys: string[] = await thumbnails.readyKeys({ after, limit: BATCH })
    if (keys.length === 0) return count
    const lost: string[] = []
    for (const key of keys) {
      if ((await objects.storedBytes(key)) === null) lost.push(key)
    }
    if (lost.length > 0) await thumbnails.forget(lost)
    count += lost.length
    after = keys.at(-1) ?? null
  }
}

async function requestMissing(
  { thumbnails, thumbnailer }: ThumbnailCareDependencies,
  signal: AbortSignal,
) {
  let after: string | null = null
  for (;;) {
    signal.throwIfAborted()
    const shareUids: string[] = await thumbnails.sharesWaiting({ after, limit: BATCH })
    if (shareUids.length === 0 || !(await thumbnailer.isAvailable())) return
    await thumbnails.request(shareUids)
    after = shareUids.at(-1) ?? null
  }
}

import type { FileServiceParts } from '../../parts.ts'

const BATCH = 500

type Parts = Pick<FileServiceParts, 'thumbnails' | 'thumbnailer' | 'objects'>

/**
 * Thumbnails whose objects were lost are made again, and so are those of pictures that were there
 * before thumbnails were, or whose job gave up. Tells how many were lost.
 */
export async function restoreThumbnails(parts: Parts, signal: AbortSignal): Promise<number> {
  const lost = await forgetLost(parts, signal)
  await requestMissing(parts, signal)
  return lost
}

async function forgetLost({ thumbnails, objects }: Parts, signal: AbortSignal) {
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

async function requestMissing({ thumbnails, thumbnailer }: Parts, signal: AbortSignal) {
  let after: string | null = null
  for (;;) {
    signal.throwIfAborted()
    const shareUids: string[] = await thumbnails.sharesWaiting({ after, limit: BATCH })
    if (shareUids.length === 0 || !(await thumbnailer.isAvailable())) return
    await thumbnails.request(shareUids)
    after = shareUids.at(-1) ?? null
  }
}

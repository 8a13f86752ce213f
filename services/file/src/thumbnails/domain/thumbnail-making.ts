import { crc32 } from 'node:zlib'
import { AppError, isAppError } from '@floe/errors'
import type { Log } from '@floe/log'
import type { Thumbnail, Thumbnailer, ThumbnailOutcome } from '@floe/pictures'
import type { ObjectReader, ObjectStore } from '@floe/storage'
import type { ClaimedThumbnail, ThumbnailStore } from './thumbnail-ports.ts'

/** Makes the thumbnails that shares wait for, each under a claim of its own. */
export interface ThumbnailMaking {
  /**
   * Ends when none is left to make. While this process is at it already, it ends at once: the run
   * under way takes the new ones along. Fails if some could not be made that another attempt may.
   */
  run(options: { signal: AbortSignal }): Promise<void>
}

export interface ThumbnailMakingOptions {
  thumbnails: ThumbnailStore
  objects: ObjectStore
  thumbnailer: Thumbnailer
  log: Pick<Log, 'info' | 'error'>
}

/** While one is decoded, another is read or stored. */
const AT_ONCE = 2
/** A picture whose process died so often is taken for the reason. */
const MOST_ATTEMPTS = 3

type Progress = 'settled' | 'postponed' | 'pointless'

export function createThumbnailMaking(options: ThumbnailMakingOptions): ThumbnailMaking {
  const { thumbnails, log } = options
  const attempt = createAttempt(options)
  const underWay = new Set<ClaimedThumbnail>()
  let isRunning = false
  let isAskedAgain = false

  async function run({ signal }: { signal: AbortSignal }) {
    if (isRunning) {
      isAskedAgain = true
      return
    }
    isRunning = true
    const postponed: ClaimedThumbnail[] = []
    try {
      do {
        isAskedAgain = false
        await makeAll(postponed, signal)
      } while (isAskedAgain)
    } finally {
      isRunning = false
    }
    if (postponed.length > 0) {
      throw new AppError('internal', { detail: `${postponed.length} thumbnails are to be retried` })
    }
  }

  /** Fails only after all have ended: a claim never outlives its run. */
  async function makeAll(postponed: ClaimedThumbnail[], signal: AbortSignal) {
    let claiming: Promise<unknown> = Promise.resolve()

    /** One after another, for a claim of this process is taken for forgotten unless it is named. */
    function claimNext(): Promise<ClaimedThumbnail | null> {
      const claimed = claiming.then(async () => {
        signal.throwIfAborted()
        const claim = await thumbnails.claim({ except: [...postponed, ...underWay] })
        if (claim) underWay.add(claim)
        return claim
      })
      claiming = claimed.catch(() => null)
      return claimed
    }

    async function makeOneByOne() {
      for (;;) {
        const claim = await claimNext()
        if (claim === null) return
        const progress = await attemptOrReport(claim, signal).finally(() => underWay.delete(claim))
        if (progress === 'pointless') return
        if (progress === 'postponed') postponed.push(claim)
      }
    }

    const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, makeOneByOne))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }

  /** One that cannot be made does not keep the others from it. */
  async function attemptOrReport(claim: ClaimedThumbnail, signal: AbortSignal): Promise<Progress> {
    try {
      return await attempt(claim, signal)
    } catch (error) {
      await thumbnails.release(claim, { countsAttempt: false })
      signal.throwIfAborted()
      const { shareUid, fileId } = claim
      log.error({ err: error, shareUid, fileId }, 'could not generate a thumbnail; will retry')
      return 'postponed'
    }
  }

  return { run }
}

function createAttempt({ thumbnails, objects, thumbnailer, log }: ThumbnailMakingOptions) {
  return async function attempt(claim: ClaimedThumbnail, signal: AbortSignal): Promise<Progress> {
    if (claim.formerKey !== null) await objects.remove([claim.formerKey])
    const source = await openPicture(claim)
    if (source === null) return refuse(claim, 'its object is missing')
    try {
      const { sizeBytes } = claim.file
      const read = (buffer: Uint8Array, position: number) => source.read(buffer, position)
      const outcome = await thumbnailer.make({ sizeBytes, read }, { signal })
      return await conclude(claim, outcome)
    } finally {
      await source.close()
    }
  }

  async function conclude(claim: ClaimedThumbnail, outcome: ThumbnailOutcome): Promise<Progress> {
    switch (outcome.state) {
      case 'made':
        return store(claim, outcome.thumbnail)
      case 'refused':
        return refuse(claim, outcome.reason)
      case 'lost':
        if (claim.attempt >= MOST_ATTEMPTS) return refuse(claim, outcome.reason)
        await thumbnails.release(claim, { countsAttempt: true })
        return 'postponed'
      case 'unavailable':
        await thumbnails.release(claim, { countsAttempt: false })
        return 'pointless'
    }
  }

  async function store(claim: ClaimedThumbnail, { bytes, width, height }: Thumbnail) {
    const { objectKey } = claim
    await objects.putSmall(objectKey, [bytes])
    const made = { width, height, sizeBytes: bytes.length, crc32: crc32(bytes) }
    const isSettled = await thumbnails.settle(claim, made)
    if (!isSettled) await objects.remove([objectKey])
    return 'settled' as const
  }

  async function refuse(claim: ClaimedThumbnail, reason: string) {
    const { shareUid, fileId } = claim
    log.info({ shareUid, fileId, reason }, 'no thumbnail for this file')
    await thumbnails.refuse(claim)
    return 'settled' as const
  }

  function openPicture({ file }: ClaimedThumbnail): Promise<ObjectReader | null> {
    const span = { start: 0, end: file.sizeBytes }
    return objects.openReader(file.objectKey, span).catch((error: unknown) => {
      if (isAppError(error, 'file_not_found')) return null
      throw error
    })
  }
}

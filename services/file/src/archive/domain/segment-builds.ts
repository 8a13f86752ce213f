import type { ByteBudget, ObjectReader, ObjectStore, ObjectWriter } from '@floe/storage'
import { AppError, isAppError } from '@floe/errors'
import type { Log } from '@floe/log'
import {
  type Deflater,
  deflateSmall,
  deflateSpan,
  type DeflateProgress,
  isWorthIt,
  looksCompressible,
  SMALL_FILE_BYTES,
} from '../format/index.ts'
import type { ClaimedSegment, SegmentStore } from './segment-ports.ts'

/**
 * Makes the segments that shares wait for, those with least left to do first, so that a small
 * share never waits for the end of a big one. Work goes in steps, each under a claim of its own:
 * after a step, progress is saved and the claim given back. Whoever comes next, here or in another
 * process, goes on from there; a killed worker loses one step.
 *
 * A worker that was taken for dead and wakes up late can still write to an object that another one
 * continues. The same blocks give the same bytes, so that it only repeats what is there, and its
 * token keeps it from saving anything.
 */
export interface SegmentBuilds {
  /**
   * Ends when no segment is left to make. While this process is at it already, it ends at once:
   * the run under way takes the new ones along. Fails if segments of this share could not be made.
   */
  run(options: { shareUid: string; signal: AbortSignal }): Promise<void>
}

export interface SegmentBuildsOptions {
  segments: SegmentStore
  objects: ObjectStore
  budget: ByteBudget
  deflater: Deflater
  log: Pick<Log, 'warn' | 'error'>
}

/** About so much content is deflated before progress is saved. */
const STEP_BYTES = 64 * 1024 * 1024
/** Two big files at once: while one comes to the end of its step, the other keeps the cores busy. */
const CLAIMED_BYTES = STEP_BYTES
const CLAIMED_SEGMENTS = 64
/** Small files wait for the disk more than for the processor. */
const STEPS_AT_ONCE = 8

export function createSegmentBuilds(options: SegmentBuildsOptions): SegmentBuilds {
  const { segments, log } = options
  const step = createBuildStep(options)
  let isRunning = false
  let isAskedAgain = false

  async function run({ shareUid, signal }: { shareUid: string; signal: AbortSignal }) {
    if (isRunning) {
      isAskedAgain = true
      return
    }
    isRunning = true
    const failed: ClaimedSegment[] = []
    try {
      do {
        isAskedAgain = false
        await buildAll(failed, signal)
      } while (isAskedAgain)
    } finally {
      isRunning = false
    }
    const ownFailures = failed.filter((segment) => segment.shareUid === shareUid).length
    if (ownFailures > 0) {
      throw new AppError('internal', { detail: `${ownFailures} segments could not be made` })
    }
  }

  async function buildAll(failed: ClaimedSegment[], signal: AbortSignal) {
    for (;;) {
      signal.throwIfAborted()
      const claims = await segments.claim({
        limit: CLAIMED_SEGMENTS,
        bytes: CLAIMED_BYTES,
        stepBytes: STEP_BYTES,
        except: failed,
      })
      if (claims.length === 0) return
      await forEach(claims, (claim) => buildOrReport(claim, failed, signal))
    }
  }

  /** One that cannot be made does not keep the others from it. */
  async function buildOrReport(
    claim: ClaimedSegment,
    failed: ClaimedSegment[],
    signal: AbortSignal,
  ) {
    try {
      if (signal.aborted) await segments.release(claim)
      else await step(claim, signal)
    } catch (error) {
      const { shareUid, fileId, level } = claim
      log.error(
        { err: error, shareUid, fileId, level },
        'could not compress a file for the archive',
      )
      failed.push(claim)
      await segments.release(claim)
    }
  }

  return { run }
}

function createBuildStep({ segments, objects, budget, deflater, log }: SegmentBuildsOptions) {
  /** Deflates the next part of the file, or finds that it need not be. */
  return async function step(claim: ClaimedSegment, signal: AbortSignal): Promise<void> {
    const source = await openSource(claim)
    if (source === null) return settleAsItIs(claim, 'its object is missing')
    try {
      if (claim.progress.sourceBytes === 0 && !(await isWorthTrying(claim, source))) {
        return await settleAsItIs(claim)
      }
      if (claim.file.sizeBytes <= SMALL_FILE_BYTES) await deflateWhole(claim, source)
      else await deflatePart(claim, source, signal)
    } catch (error) {
      if (!isAppError(error, 'storage_full')) throw error
      await settleAsItIs(claim, 'there is no room')
    } finally {
      await source.close()
    }
  }

  async function openSource({ file, progress }: ClaimedSegment): Promise<ObjectReader | null> {
    const start = progress.sourceBytes
    const end = Math.min(file.sizeBytes, start + STEP_BYTES)
    return objects.openReader(file.objectKey, { start, end }).catch((error: unknown) => {
      if (isAppError(error, 'file_not_found')) return null
      throw error
    })
  }

  async function isWorthTrying({ file, level }: ClaimedSegment, source: ObjectReader) {
    const { sizeBytes } = file
    if (!(await looksCompressible(source, { sizeBytes, level, deflater }))) return false
    if (sizeBytes <= SMALL_FILE_BYTES) return true
    // Uploads come first: a copy for convenience must not take their room.
    const freeBytes = await objects.freeBytes()
    return freeBytes === null || freeBytes > 2 * sizeBytes
  }

  async function deflateWhole(claim: ClaimedSegment, source: ObjectReader): Promise<void> {
    const { file, level, objectKey } = claim
    const { chunks, sizeBytes, sourceCrc32 } = await deflateSmall({
      deflater,
      source,
      level,
      sizeBytes: file.sizeBytes,
    })
    if (sourceCrc32 !== file.crc32) return settleAsItIs(claim, 'its bytes are not those received')
    if (!isWorthIt(sizeBytes, file.sizeBytes)) return settleAsItIs(claim)
    if (claim.token > 1) await objects.remove([objectKey])
    await objects.putSmall(objectKey, chunks)
    await settle(claim, sizeBytes)
  }

  async function deflatePart(claim: ClaimedSegment, source: ObjectReader, signal: AbortSignal) {
    const target = await openTarget(claim)
    if (target === null) {
      await segments.restart(claim)
      return
    }
    try {
      const { level, progress: from, file } = claim
      const { sizeBytes } = file
      const end = Math.min(sizeBytes, from.sourceBytes + STEP_BYTES)
      const work = { deflater, budget, source, target, level, from, end, sizeBytes, signal }
      const progress = await deflateSpan(work)
      if (progress.sourceBytes === sizeBytes) await conclude(claim, progress, target)
      else {
        await target.sync()
        await segments.release(claim, progress)
      }
    } finally {
      await target.close()
    }
  }

  /** Null if what was written before is gone. */
  async function openTarget({ objectKey, token, progress }: ClaimedSegment) {
    const { targetBytes: offsetBytes } = progress
    if (offsetBytes === 0) {
      // What an earlier claim left there before it saved anything.
      if (token > 1) await objects.remove([objectKey])
      await objects.create(objectKey)
    }
    return objects.openWriter(objectKey, { offsetBytes }).catch((error: unknown) => {
      const isGone =
        isAppError(error, 'file_not_found') || isAppError(error, 'upload_offset_conflict')
      if (offsetBytes > 0 && isGone) return null
      throw error
    })
  }

  async function conclude(claim: ClaimedSegment, progress: DeflateProgress, target: ObjectWriter) {
    const { file } = claim
    if (progress.sourceCrc32 !== file.crc32) {
      return settleAsItIs(claim, 'its bytes are not those received')
    }
    if (!isWorthIt(progress.targetBytes, file.sizeBytes)) return settleAsItIs(claim)
    await target.finish()
    await settle(claim, progress.targetBytes)
  }

  async function settle(claim: ClaimedSegment, sizeBytes: number): Promise<void> {
    const { objectKey } = claim
    await segments.settle(claim, { objectKey, sizeBytes })
  }

  /** The archive takes the file's own object. A crash after the row leaves an orphan at most. */
  async function settleAsItIs(claim: ClaimedSegment, reason?: string): Promise<void> {
    const { shareUid, fileId, level, file, objectKey } = claim
    if (reason !== undefined) {
      log.warn({ shareUid, fileId, level, reason }, 'file is stored uncompressed in the archive')
    }
    const { sizeBytes } = file
    const isSettled = await segments.settle(claim, { objectKey: null, sizeBytes })
    if (isSettled) await objects.remove([objectKey])
  }
}

/** A few at once; fails only after all have ended. */
async function forEach(
  claims: readonly ClaimedSegment[],
  work: (claim: ClaimedSegment) => Promise<void>,
): Promise<void> {
  const waiting = claims[Symbol.iterator]()
  const failures: unknown[] = []
  async function take() {
    for (const claim of waiting) {
      await work(claim).catch((error: unknown) => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: Math.min(STEPS_AT_ONCE, claims.length) }, take))
  if (failures.length > 0) throw failures[0]
}

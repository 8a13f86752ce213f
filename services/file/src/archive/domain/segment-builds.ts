import { AppError } from '@floe/errors'
import type { Log } from '@floe/log'
import type { ClaimedSegment, SegmentClaims } from './segment-ports.ts'
import { type SegmentStep, STEP_BYTES } from './segment-step.ts'

/**
 * Makes the segments that shares wait for, those with least left to do first, so that a small
 * share never waits for the end of a big one. Work goes in steps, each under a claim of its own:
 * after a step, progress is saved and the claim given back. The next run, here or in another process,
 * goes on from there; a killed worker loses one step.
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
  segments: Pick<SegmentClaims, 'claim' | 'release'>
  step: SegmentStep
  log: Pick<Log, 'error'>
}

/** Two big files at once: while one comes to the end of its step, the other keeps the cores busy. */
const CLAIMED_BYTES = STEP_BYTES
const CLAIMED_SEGMENTS = 64
/** Small files wait for the disk more than for the processor. */
const STEPS_AT_ONCE = 8

export function createSegmentBuilds({ segments, step, log }: SegmentBuildsOptions): SegmentBuilds {
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

import { isAppError } from '@floe/errors'
import type { Log } from '@floe/log'
import type { ObjectReader, ObjectStore, ObjectWriter } from '@floe/storage'
import type { TransferMemory } from '@floe/transfer'
import {
  type Deflater,
  type DeflateProgress,
  deflateSmall,
  deflateSpan,
  isWorthIt,
  looksCompressible,
  SMALL_FILE_BYTES,
} from '../format/index.ts'
import { openSource, openTarget } from './segment-objects.ts'
import type { ClaimedSegment, SegmentClaims } from './segment-ports.ts'

export interface SegmentStepDependencies {
  segments: Pick<SegmentClaims, 'release' | 'restart' | 'settle'>
  objects: ObjectStore
  memory: TransferMemory
  deflater: Deflater
  log: Pick<Log, 'warn'>
}

/** About so much content is deflated before progress is saved. */
export const STEP_BYTES = 64 * 1024 * 1024

export type SegmentStep = (claim: ClaimedSegment, signal: AbortSignal) => Promise<void>

export function createSegmentStep(dependencies: SegmentStepDependencies): SegmentStep {
  const { segments, objects, memory, deflater } = dependencies
  const { settle, settleAsItIs } = createSettling(dependencies)

  /** Deflates the next part of the file, or finds that it need not be. */
  return async function step(claim: ClaimedSegment, signal: AbortSignal): Promise<void> {
    const source = await openSource(objects, claim, STEP_BYTES)
    if (source === null) return settleAsItIs(claim, 'its object is missing')
    try {
      if (claim.progress.sourceBytes === 0 && !(await isWorthTrying(claim, source))) {
        return await settleAsItIs(claim)
      }
      if (claim.file.sizeBytes <= SMALL_FILE_BYTES) await deflateWhole(claim, source)
      else await deflatePart(claim, source, signal)
    } catch (error) {
      if (!isAppError(error, 'storage_full')) throw error
      await settleAsItIs(claim, 'the storage is full')
    } finally {
      await source.close()
    }
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
    const target = await openTarget(objects, claim)
    if (target === null) {
      await segments.restart(claim)
      return
    }
    try {
      const { level, progress: from, file } = claim
      const { sizeBytes } = file
      const end = Math.min(sizeBytes, from.sourceBytes + STEP_BYTES)
      const work = { deflater, memory, source, target, level, from, end, sizeBytes, signal }
      const progress = await deflateSpan(work)
      if (progress.sourceBytes === sizeBytes) await conclude(claim, progress, target)
      else {
        await target.flush({ maxLagBytes: 0 })
        await segments.release(claim, progress)
      }
    } finally {
      await target.close()
    }
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

  async function isWorthTrying({ file, level }: ClaimedSegment, source: ObjectReader) {
    const { sizeBytes } = file
    if (!(await looksCompressible(source, { sizeBytes, level, deflater }))) return false
    if (sizeBytes <= SMALL_FILE_BYTES) return true
    // Uploads come first: a copy for convenience must not take their space.
    const freeBytes = await objects.freeBytes()
    return freeBytes === null || freeBytes > 2 * sizeBytes
  }
}

function createSettling({
  segments,
  objects,
  log,
}: Pick<SegmentStepDependencies, 'segments' | 'objects' | 'log'>) {
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

  return { settle, settleAsItIs }
}

import { AppError } from '@floe/errors'
import type { Lease, UploadStore } from './upload-ports.ts'
import { type Limits, noLimits } from '../../quotas/domain/quotas.ts'
import type { Upload } from './upload.ts'

/** Bytes that are reserved for one body of an upload. */
export interface BodyReservation {
  /** Most bytes the body may bring. */
  maxBytes: number
  /**
   * To be called before bytes up to there are stored. Fails like `UploadStore.reserve` when they
   * do not fit.
   */
  cover(endBytes: number): Promise<void>
  /** Counts what really came, and gives the rest back. */
  settle(offsetBytes: number): Promise<void>
}

/** How far ahead bytes are reserved for a body that does not tell its length. */
const STEP_BYTES = 8 * 1024 * 1024

/**
 * A declared length was counted at creation. Otherwise each body is counted before it is read, and
 * one of unknown length as it comes, so that parallel uploads cannot pass a limit together.
 * Fails with `upload_length_exceeded`, `share_too_large`, `quota_exceeded`,
 * `instance_quota_exceeded` before a byte is taken.
 */
export async function reserveBody(
  store: Pick<UploadStore, 'reserve'>,
  { lease, upload }: { lease: Lease; upload: Upload },
  { offsetBytes, bodyBytes, limits }: BodyRequest,
): Promise<BodyReservation> {
  if (upload.lengthBytes !== null) {
    const maxBytes = upload.lengthBytes - offsetBytes
    if ((bodyBytes ?? 0) > maxBytes) throw new AppError('upload_length_exceeded')
    return fixedReservation(maxBytes)
  }
  // A partial upload belongs to no share yet, but could not become part of one.
  const isAlone = upload.shareUid === null && limits.maxShareBytes > 0
  const mostBytes = isAlone ? limits.maxShareBytes - offsetBytes : Infinity
  if ((bodyBytes ?? 0) > mostBytes) throw new AppError('share_too_large')
  if (bodyBytes !== null) {
    await store.reserve(lease, offsetBytes + bodyBytes, limits)
    return settledReservation(store, lease, { maxBytes: bodyBytes, offsetBytes })
  }
  return growingReservation(store, lease, { maxBytes: mostBytes, offsetBytes, limits })
}

/** For bytes that were counted before. */
export function fixedReservation(maxBytes: number): BodyReservation {
  return { maxBytes, cover: () => Promise.resolve(), settle: () => Promise.resolve() }
}

function settledReservation(
  store: Pick<UploadStore, 'reserve'>,
  lease: Lease,
  { maxBytes, offsetBytes }: { maxBytes: number; offsetBytes: number },
): BodyReservation {
  return {
    maxBytes,
    cover: () => Promise.resolve(),
    settle: async (endBytes) => {
      if (endBytes !== offsetBytes + maxBytes) await store.reserve(lease, endBytes, noLimits)
    },
  }
}

function growingReservation(
  store: Pick<UploadStore, 'reserve'>,
  lease: Lease,
  { maxBytes, offsetBytes, limits }: { maxBytes: number; offsetBytes: number; limits: Limits },
): BodyReservation {
  let reservedBytes = offsetBytes
  const grow = async (endBytes: number) => {
    await store.reserve(lease, endBytes, limits)
    reservedBytes = endBytes
  }
  return {
    maxBytes,
    cover: async (endBytes) => {
      if (endBytes <= reservedBytes) return
      // Near the limit these bytes may fit where the step ahead does not.
      await grow(endBytes + STEP_BYTES).catch(() => grow(endBytes))
    },
    settle: async (endBytes) => {
      if (endBytes !== reservedBytes) await store.reserve(lease, endBytes, noLimits)
    },
  }
}

export interface BodyRequest {
  offsetBytes: number
  /** Null when the request does not say. */
  bodyBytes: number | null
  limits: Limits
}

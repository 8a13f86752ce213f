import { AppError } from '@floe/errors'
import type { Lease, UploadStore } from './ports.ts'
import type { Upload } from './upload.ts'

/** Room set aside in the share for one body of an upload whose length is not declared. */
export interface BodyReservation {
  /** Most bytes the body may bring. */
  maxBytes: number
  /** Counts what really came, and gives the rest back. */
  settle(offsetBytes: number): Promise<void>
}

/**
 * A declared length was counted against the share at creation. Otherwise each body is counted
 * before it is read, so that parallel uploads cannot pass the limit together.
 * Fails with `upload_length_exceeded` or `share_too_large` before a byte is taken.
 */
export async function reserveBody(
  store: Pick<UploadStore, 'reserve' | 'roomLeft'>,
  { lease, upload }: { lease: Lease; upload: Upload },
  { offsetBytes, bodyBytes, maxShareSizeBytes }: BodyRequest,
): Promise<BodyReservation> {
  if (upload.lengthBytes !== null) {
    const maxBytes = upload.lengthBytes - offsetBytes
    if ((bodyBytes ?? 0) > maxBytes) throw new AppError('upload_length_exceeded')
    return { maxBytes, settle: () => Promise.resolve() }
  }
  if (upload.shareUid === null) {
    const maxBytes = maxShareSizeBytes > 0 ? maxShareSizeBytes - offsetBytes : Infinity
    if ((bodyBytes ?? 0) > maxBytes) throw new AppError('share_too_large')
    return { maxBytes, settle: () => Promise.resolve() }
  }
  const maxBytes =
    bodyBytes ??
    (maxShareSizeBytes > 0
      ? await store.roomLeft(upload, { offsetBytes, maxShareSizeBytes })
      : Infinity)
  return reserveBytes(store, lease, { offsetBytes, maxBytes, maxShareSizeBytes })
}

/** Counts the bytes up to `offsetBytes + maxBytes` against the share, or fails with `share_too_large`. */
export async function reserveBytes(
  store: Pick<UploadStore, 'reserve'>,
  lease: Lease,
  {
    offsetBytes,
    maxBytes,
    maxShareSizeBytes,
  }: { offsetBytes: number; maxBytes: number; maxShareSizeBytes: number },
): Promise<BodyReservation> {
  const reservedBytes = Number.isFinite(maxBytes) ? offsetBytes + maxBytes : null
  if (reservedBytes !== null) await store.reserve(lease, reservedBytes, maxShareSizeBytes)
  return {
    maxBytes,
    settle: async (endBytes) => {
      if (endBytes !== reservedBytes) await store.reserve(lease, endBytes, 0)
    },
  }
}

export interface BodyRequest {
  offsetBytes: number
  /** Null when the request does not say. */
  bodyBytes: number | null
  /** 0 means no limit. */
  maxShareSizeBytes: number
}

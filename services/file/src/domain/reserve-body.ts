import { AppError } from '@floe/errors'
import type { UploadStore } from './ports.ts'
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
  store: UploadStore,
  upload: Upload,
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
    (maxShareSizeBytes > 0 ? await store.roomLeft(upload, maxShareSizeBytes) : Infinity)
  if (Number.isFinite(maxBytes)) {
    await store.reserve(upload, offsetBytes + maxBytes, maxShareSizeBytes)
  }
  return { maxBytes, settle: (endBytes) => store.reserve(upload, endBytes, 0) }
}

export interface BodyRequest {
  offsetBytes: number
  /** Null when the request does not say. */
  bodyBytes: number | null
  /** 0 means no limit. */
  maxShareSizeBytes: number
}

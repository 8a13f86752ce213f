import { newObjectKey, type ObjectStore } from '@floe/storage'

/** What an import will take, for those who plan it. */
export interface Estimate {
  /** To be copied: none of what can be linked. */
  copiedBytes: number
  /** Null where the storage knows no such thing, as in S3. */
  freeBytes: number | null
  seconds: number
}

/** Assumed of any machine; docs/install/from-pingvin-share.md tells them. */
export const FILES_A_SECOND = 500
export const COPIED_BYTES_A_SECOND = 100_000_000
/** Of files that are linked, which are only read. */
export const LINKED_BYTES_A_SECOND = 500_000_000

export interface Amount {
  files: number
  bytes: number
}

export function estimateSeconds({ files, bytes }: Amount, copiedBytes: number): number {
  const linkedBytes = bytes - copiedBytes
  return Math.ceil(
    files / FILES_A_SECOND +
      copiedBytes / COPIED_BYTES_A_SECOND +
      linkedBytes / LINKED_BYTES_A_SECOND,
  )
}

/**
 * Tries it with one file: containers have folders of one disk as file systems of their own, so that
 * nothing else tells.
 */
export async function canLink(objects: ObjectStore, path: string): Promise<boolean> {
  const key = newObjectKey()
  const isLinked = await objects.adopt(key, path)
  if (isLinked) await objects.remove([key])
  return isLinked
}

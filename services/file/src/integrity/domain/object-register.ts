import type { ObjectKey } from '@floe/storage'

/** Which kind of row an object belongs to. */
export const objectOwners = ['file', 'upload', 'segment', 'thumbnail'] as const
export type ObjectOwner = (typeof objectOwners)[number]

/** An object as the row that owns it describes it. */
export interface RegisteredObject {
  key: ObjectKey
  owner: ObjectOwner
  /** Null for a partial upload made without a share. */
  shareUid: string | null
  /** The file that it is, that it will become, or that it was made from. */
  fileId: string
  /** What the sender called that file. */
  name: string
  /** That many bytes are at rest, and with `isExact` no others. */
  sizeBytes: number
  isExact: boolean
  /** Nothing was stored yet, or it is being removed. */
  mayBeMissing: boolean
  /** The checksum of the first `sizeBytes`; null where nobody knows. */
  crc32: number | null
  sha256: Buffer | null
  /** Set where it is the raw deflate (RFC 1951) of this content. */
  inflated: { sizeBytes: number; crc32: number } | null
}

/**
 * Every object that a row owns; any other is an orphan. A row is committed before its object is
 * begun, so a job that finds an object may trust that its row is there already.
 */
export interface ObjectRegister {
  find(keys: readonly ObjectKey[]): Promise<RegisteredObject[]>
  /** In the order of their keys, a page at a time. */
  page(
    owner: ObjectOwner,
    options: { after: ObjectKey | null; limit: number },
  ): Promise<RegisteredObject[]>
}

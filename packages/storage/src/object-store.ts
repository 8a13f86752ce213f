import { randomBytes } from 'node:crypto'

/** Names one object at rest: 32 hexadecimal characters, made here and never taken from a client. */
export type ObjectKey = string

const keyPattern = /^[0-9a-f]{32}$/

export function newObjectKey(): ObjectKey {
  return randomBytes(16).toString('hex')
}

/** Keys of objects that are stored by one `putMany`: they lie together, which spares a disk work. */
export function newObjectKeys(count: number): ObjectKey[] {
  const folder = newObjectKey().slice(0, 2)
  return Array.from({ length: count }, () => folder + newObjectKey().slice(2))
}

export function isObjectKey(value: unknown): value is ObjectKey {
  return typeof value === 'string' && keyPattern.test(value)
}

/** Bytes that can be read at any position: an object, or an archive computed over many. */
export interface ByteSource {
  /**
   * Fills `buffer` from `position` as far as there are bytes and returns how many were placed;
   * 0 only at or past the end (or for an empty buffer). A short read is not the end.
   */
  read(buffer: Uint8Array, position: number): Promise<number>
}

export interface ObjectReader extends ByteSource {
  close(): Promise<void>
}

/**
 * The span a reader will be asked for, in order; a remote adapter fetches ahead within it. It is
 * a hint: any other position can still be read, only slower.
 */
export interface ReadSpan {
  /** First byte. */
  start: number
  /** First byte not needed. */
  end: number
}

/**
 * Writes onward from the offset it was opened at. Calls are made one at a time: the next only
 * after the former has settled. After a failure the writer is only good for `close`; what was
 * stored is found again with `storedBytes`.
 */
export interface ObjectWriter {
  /** CRC-32 up to where the last `write` ended, from storages that compute it anyhow. */
  readonly crc32?: number
  /**
   * Takes all chunks or fails. The chunks may be reused once it resolves; the bytes are durable
   * only after `sync`. Fails with `storage_full` when there is no space.
   *
   * @param signal once it aborts, memory that may soon be free is not waited for.
   */
  write(chunks: readonly Uint8Array[], signal?: AbortSignal): Promise<void>
  /**
   * Once it resolves, every byte written before survives the loss of the process. Resolves to
   * true where that is a `sync`, because there is no memory between the process and the storage.
   */
  keep(): Promise<boolean>
  /** Once it resolves, every byte written before survives the loss of process and machine. */
  sync(): Promise<void>
  /**
   * As `sync`, from storages that would have to be waited for, but the last bytes written may be
   * left out, `lagBytes` of them at most. Resolves to how far it has come.
   */
  syncWithin?(lagBytes: number): Promise<{ offsetBytes: number; crc32: number }>
  /** `sync`, and the object is complete at this length and can be read. Repeating it is harmless. */
  finish(): Promise<void>
  /** Releases what the writer holds; never makes bytes durable. Repeating it is harmless. */
  close(): Promise<void>
}

/** A small object with its bytes and their CRC-32. */
export interface WholeObject {
  objectKey: ObjectKey
  bytes: Uint8Array
  crc32: number
}

/** Headers of the response at a public address. */
export interface AddressHeaders {
  contentType: string
  contentDisposition: string
}

/**
 * Objects by key. Every method refuses a malformed key with `internal` before touching storage,
 * and converts what the storage reports: no space is `storage_full`, a missing object
 * `file_not_found`, anything else `internal` with the cause.
 */
export interface ObjectStore {
  /**
   * Begins an empty object that will grow; it need not survive a crash before the first `sync`.
   * Fails with `internal` if the key is in use. `expectedBytes` is the final size when it is
   * known, for adapters that must plan their parts.
   */
  create(key: ObjectKey, options?: { expectedBytes?: number }): Promise<void>
  /**
   * Continues at `offsetBytes` and discards anything stored past it. Fails with
   * `upload_offset_conflict` if fewer bytes are stored and `file_not_found` if none ever were.
   */
  openWriter(key: ObjectKey, options: { offsetBytes: number }): Promise<ObjectWriter>
  /** Creates, writes, syncs and finishes a small object in as few round trips as possible. */
  putSmall(key: ObjectKey, chunks: readonly Uint8Array[]): Promise<void>
  /**
   * As `putSmall` for many with keys of `newObjectKeys`, made durable in one step. Fails as a
   * whole, and then leaves none of them, as far as the storage still does what it is told.
   */
  putMany(objects: readonly WholeObject[]): Promise<void>
  /**
   * End of the contiguous stored prefix; null if the object is absent. It counts bytes written but
   * not synced, so after the machine was lost only an offset recorded after a `sync` is to be
   * trusted: the upload continues there, never further.
   */
  storedBytes(key: ObjectKey): Promise<number | null>
  /**
   * Where the last `sync` ended and the CRC-32 up to there, from storages that record both and
   * cannot read an object that still grows; null from others, and for an absent object.
   */
  syncedEnd(key: ObjectKey): Promise<{ offsetBytes: number; crc32: number } | null>
  /** Opens a finished object; `file_not_found` if it is absent. */
  openReader(key: ObjectKey, span?: ReadSpan): Promise<ObjectReader>
  /**
   * An address at which this finished object can be read without us. It is valid for a minute, in
   * which the transfer has to begin; the address is the permission. Absent where browsers cannot
   * reach the storage.
   */
  publicAddress?(key: ObjectKey, headers: AddressHeaders): Promise<string>
  /**
   * Makes a finished, durable object from the sources in order, leaving them in place. Harmless
   * to repeat after a crash or a success, and in one process also at the same time. Fails with
   * `internal` if a source has another size.
   */
  concatenate(
    key: ObjectKey,
    sources: readonly { key: ObjectKey; sizeBytes: number }[],
  ): Promise<void>
  /** Deletes; absent keys are fine. */
  remove(keys: readonly ObjectKey[]): Promise<void>
  /** Every object, unfinished ones included, in no particular order. */
  list(): AsyncIterable<{ key: ObjectKey; sizeBytes: number }>
  /** Space left; null where the storage has no such notion. */
  freeBytes(): Promise<number | null>
}

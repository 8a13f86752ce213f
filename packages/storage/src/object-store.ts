import { randomBytes } from 'node:crypto'
import type { ByteSource } from '@floe/transfer'

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

/** Where bytes end, and the CRC-32 of all of them. */
export interface Position {
  offsetBytes: number
  crc32: number
}

export const beginning: Position = { offsetBytes: 0, crc32: 0 }

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
 * stored is found again with `recover`.
 */
export interface ObjectWriter {
  /** Where the last `write` ended. */
  readonly position: Position
  /** Most bytes that one `write` should bring. */
  readonly batchBytes: number
  /**
   * Takes all chunks or fails. The chunks may be reused once it resolves; the bytes are durable
   * only after `flush`. Fails with `storage_full` when there is no space.
   *
   * @param signal once it aborts, memory that may soon be free is not waited for.
   */
  write(chunks: readonly Uint8Array[], signal?: AbortSignal): Promise<void>
  /**
   * Once it resolves, every byte written before survives the loss of the process. Resolves to how
   * far they survive the loss of the machine as well: to `position` where nothing lies between the
   * process and the storage.
   */
  keep(): Promise<Position>
  /**
   * Once it resolves, the bytes up to the position it resolves to survive the loss of process and
   * machine: all that were written but `maxLagBytes` at most, for which a storage need not wait.
   */
  flush(options: { maxLagBytes: number }): Promise<Position>
  /** `flush` of everything, and the object is complete at this length and can be read. Repeating it is harmless. */
  finish(): Promise<void>
  /** Releases what the writer holds; never makes bytes durable. Repeating it is harmless. */
  close(): Promise<void>
}

/** What is known of a growing object whose last writer may have died. */
export interface NotedEnd {
  /** How far it had come when that was noted, */
  noted: Position
  /** and how far a `flush` had by then. */
  flushed: Position
  /** The machine has not been restarted since. */
  isSameBoot: boolean
  /** Bytes past the noted ones may be taken as well: their sender promised nothing about them. */
  takesMore: boolean
  /** Its final size, where that is known. */
  expectedBytes: number | null
}

/** A small object with its bytes and their CRC-32. */
export interface WholeObject {
  objectKey: ObjectKey
  bytes: Uint8Array
  crc32: number
}

/** Headers of the response by which a client gets the object elsewhere. */
export interface HandOffHeaders {
  contentType: string
  contentDisposition: string
}

/**
 * `redirect`: an address that is valid for a minute, in which the transfer has to begin; the address
 * is the permission. `sendfile`: headers by which the proxy in front sends the object as the body of
 * our response.
 */
export type HandOff =
  { kind: 'redirect'; address: string } | { kind: 'sendfile'; headers: Record<string, string> }

export interface DiskUsage {
  usedBytes: number
  /** In use, or free for objects. */
  totalBytes: number
}

/**
 * Objects by key. Every method refuses a malformed key with `internal` before touching storage,
 * and converts what the storage reports: no space is `storage_full`, a missing object
 * `file_not_found`, anything else `internal` with the cause.
 */
export interface ObjectStore {
  /**
   * Begins an empty object that will grow; it need not survive a crash before the first `flush`.
   * Fails with `internal` if the key is in use. `expectedBytes` is the final size when it is
   * known, for adapters that must plan their parts.
   */
  create(key: ObjectKey, options?: { expectedBytes?: number }): Promise<void>
  /**
   * Continues at `offsetBytes` and discards anything stored past it. `crc32` is that of the bytes
   * before, for callers that ask the writer for its position. Fails with `upload_offset_conflict` if
   * fewer bytes are stored and `file_not_found` if none ever were.
   */
  openWriter(key: ObjectKey, from: { offsetBytes: number; crc32?: number }): Promise<ObjectWriter>
  /**
   * Where the bytes of a growing object end that can be trusted, never before what was flushed;
   * one that is absent is begun.
   */
  recover(key: ObjectKey, known: NotedEnd): Promise<Position>
  /** Creates, writes, syncs and finishes a small object in as few round trips as possible. */
  putSmall(key: ObjectKey, chunks: readonly Uint8Array[]): Promise<void>
  /**
   * As `putSmall` for many with keys of `newObjectKeys`, made durable in one step. Fails as a
   * whole, and then leaves none of them, as far as the storage still does what it is told.
   */
  putMany(objects: readonly WholeObject[]): Promise<void>
  /**
   * End of the contiguous stored prefix; null if the object is absent. It counts bytes that were
   * written and not flushed.
   */
  storedBytes(key: ObjectKey): Promise<number | null>
  /** Opens a finished object; `file_not_found` if it is absent. */
  openReader(key: ObjectKey, span?: ReadSpan): Promise<ObjectReader>
  /**
   * How a finished object reaches the client without us, with these headers; null where only we
   * can send it.
   */
  handOff(key: ObjectKey, headers: HandOffHeaders): Promise<HandOff | null>
  /**
   * Makes a finished, durable object from the sources in order, leaving them in place. Harmless
   * to repeat after a crash or a success, and in one process also at the same time. Fails with
   * `internal` if a source has another size.
   */
  concatenate(
    key: ObjectKey,
    sources: readonly { key: ObjectKey; sizeBytes: number }[],
  ): Promise<void>
  /**
   * Makes a finished, durable object of a file of this machine without copying it: it has both names
   * then. False where that cannot be, as on another file system or in a remote storage.
   */
  adopt(key: ObjectKey, path: string): Promise<boolean>
  /** Deletes; absent keys are fine. */
  remove(keys: readonly ObjectKey[]): Promise<void>
  /** Every object, unfinished ones included, in no particular order. */
  list(): AsyncIterable<{ key: ObjectKey; sizeBytes: number }>
  /** Space left; null where the storage has no such notion. */
  freeBytes(): Promise<number | null>
  /** The whole disk, whatever else is on it; null where objects are not on one. */
  measureDisk(): Promise<DiskUsage | null>
}

import type { ArchiveLayout, ArchivePlan } from './archive-plan.ts'
import {
  localRecordBytes,
  makeEndRecords,
  nameBytesOf,
  writeCentralRecord,
  writeLocalRecord,
} from './archive-records.ts'
import type { ByteReader, ByteSpan } from './byte-reader.ts'
import { readFully } from './read-fully.ts'

/**
 * Opens an object for the span it will be asked for, in order; a reader may fetch ahead within it.
 * It is a hint: any other position may still be read.
 */
export type OpenObject<Key> = (key: Key, span: ByteSpan) => Promise<ByteReader>

export interface ArchiveSourceOptions<Key> {
  openObject: OpenObject<Key>
  /** The part of the archive that will be read, so that objects are not fetched beyond it. */
  span?: ByteSpan
}

/** How many objects a read may touch: few at first, so that the first byte comes soon. */
const objectsInFirstRead = 8
const objectsPerRead = 64
const opensAtOnce = 16
/** Objects left open between reads; one is enough to read in order. */
const restingReaders = 4

interface ObjectPiece {
  index: number
  /** Within the object. */
  position: number
  target: Uint8Array
}

/** The bytes of the archive at any position, computed and read as they are asked for. */
export function createArchiveSource<Key>(
  { layout, sizeBytes }: ArchivePlan<Key>,
  { openObject, span }: ArchiveSourceOptions<Key>,
): ByteReader {
  const resting = new Map<number, ByteReader>()
  let objectsNow = objectsInFirstRead
  const spanEnd = span?.end ?? sizeBytes

  async function openPiece({ index, position }: ObjectPiece): Promise<ByteReader> {
    const open = resting.get(index)
    if (open !== undefined) {
      resting.delete(index)
      return open
    }
    const dataStart = dataStartOf(layout, index)
    const end = Math.min(layout.objectSizes[index] ?? 0, spanEnd - dataStart)
    const key = layout.objectKeys[index]
    if (key === undefined) throw new RangeError(`no entry ${index}`)
    return openObject(key, { start: position, end: Math.max(end, position) })
  }

  async function readPiece(piece: ObjectPiece) {
    const { index, position, target } = piece
    const reader = await openPiece(piece)
    try {
      await readFully(reader, target, position)
    } catch (error) {
      closeQuietly(reader)
      throw error
    }
    if (position + target.length === layout.objectSizes[index]) closeQuietly(reader)
    else rest(index, reader)
  }

  function rest(index: number, reader: ByteReader) {
    resting.set(index, reader)
    const [oldest] = resting
    if (oldest === undefined || resting.size <= restingReaders) return
    resting.delete(oldest[0])
    closeQuietly(oldest[1])
  }

  async function read(buffer: Uint8Array, position: number) {
    const end = Math.min(position + buffer.length, sizeBytes)
    const pieces: ObjectPiece[] = []
    let reached = layEntries({ layout, target: buffer, position, end, pieces, objectsNow })
    objectsNow = Math.min(objectsNow * 2, objectsPerRead)
    if (reached >= layout.directoryStart) {
      reached = layDirectory({ layout, target: buffer, position, reached, end })
    }
    await readPieces(pieces, readPiece)
    return Math.max(0, reached - position)
  }

  async function close() {
    const readers = [...resting.values()]
    resting.clear()
    await Promise.all(readers.map((reader) => reader.close()))
  }

  return { read, close }
}

interface Region {
  layout: ArchiveLayout
  target: Uint8Array
  /** Archive position of the target's first byte. */
  position: number
  end: number
}

/**
 * Writes the local headers that lie in the region, lists the pieces of objects, and returns the
 * position reached, which is short of `end` when enough objects are touched.
 */
function layEntries({
  layout,
  target,
  position,
  end,
  pieces,
  objectsNow,
}: Region & { pieces: ObjectPiece[]; objectsNow: number }): number {
  let reached = position
  let index = reached < layout.directoryStart ? findRecord(layout.localStarts, reached) : Infinity
  for (; index < layout.count && reached < end && pieces.length < objectsNow; index += 1) {
    const start = layout.localStarts[index] ?? 0
    const next = layout.localStarts[index + 1] ?? 0
    const dataStart = dataStartOf(layout, index)
    if (reached < dataStart) {
      const write = (into: Uint8Array, at: number) => writeLocalRecord(layout, index, into, at)
      reached += layRecord({ write, start, recordEnd: dataStart, reached, target, position, end })
    }
    const pieceEnd = Math.min(end, next)
    if (reached >= pieceEnd || reached < dataStart) continue
    const piece = target.subarray(reached - position, pieceEnd - position)
    pieces.push({ index, position: reached - dataStart, target: piece })
    reached = pieceEnd
  }
  return reached
}

/** Central records are made as they are asked for: a range seldom needs the directory. */
function layDirectory({ layout, target, position, reached, end }: Region & { reached: number }) {
  const directoryEnd = layout.directoryStart + layout.directoryBytes
  let at = reached
  let index = at < directoryEnd ? findRecord(layout.centralStarts, at) : layout.count
  for (; index < layout.count && at < end; index += 1) {
    const start = layout.centralStarts[index] ?? 0
    const recordEnd = layout.centralStarts[index + 1] ?? 0
    const write = (into: Uint8Array, to: number) => writeCentralRecord(layout, index, into, to)
    at += layRecord({ write, start, recordEnd, reached: at, target, position, end })
  }
  if (at >= directoryEnd && at < end) {
    const records = makeEndRecords(layout).subarray(at - directoryEnd, end - directoryEnd)
    target.set(records, at - position)
    at += records.length
  }
  return at
}

interface RecordPlace {
  write: (into: Uint8Array, at: number) => void
  start: number
  recordEnd: number
  reached: number
  target: Uint8Array
  position: number
  end: number
}

/** Writes as much of one record as the region holds and returns how many bytes that was. */
function layRecord(place: RecordPlace): number {
  const { write, start, recordEnd, reached, target, position, end } = place
  if (reached === start && recordEnd <= end) {
    write(target, start - position)
    return recordEnd - start
  }
  const record = new Uint8Array(recordEnd - start)
  write(record, 0)
  const part = record.subarray(reached - start, Math.min(recordEnd, end) - start)
  target.set(part, reached - position)
  return part.length
}

function dataStartOf(layout: ArchiveLayout, index: number): number {
  const start = layout.localStarts[index] ?? 0
  return start + localRecordBytes(nameBytesOf(layout, index), layout.sizes[index] ?? 0)
}

/** The last record that begins at or before `position`. */
function findRecord(starts: Float64Array, position: number): number {
  let low = 0
  let high = starts.length - 2
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((starts[middle] ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * Settles every piece before it fails: the caller reuses the buffer afterwards, and a read still
 * running would then write into another stream's bytes.
 */
async function readPieces(
  pieces: readonly ObjectPiece[],
  readPiece: (piece: ObjectPiece) => Promise<void>,
) {
  const first = pieces[0]
  if (first !== undefined && pieces.length === 1) return readPiece(first)
  const waiting = pieces[Symbol.iterator]()
  const failures: unknown[] = []
  async function work() {
    for (const piece of waiting) {
      if (failures.length > 0) return
      await readPiece(piece).catch((error: unknown) => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: Math.min(opensAtOnce, pieces.length) }, work))
  if (failures.length > 0) throw failures[0]
}

/** Nothing was written through a reader, so a failed close loses nothing. */
function closeQuietly(reader: ByteReader) {
  reader.close().catch(() => undefined)
}

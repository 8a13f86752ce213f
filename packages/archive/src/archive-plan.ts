import { archivePaths } from './archive-paths.ts'
import {
  centralRecordBytes,
  endRecordsBytes,
  localRecordBytes,
  nameBytesOf,
} from './archive-records.ts'
import { encodeUtf8, utf8Bytes } from './utf8.ts'

/**
 * An archive is never stored. Its bytes are a pure function of the names, sizes, CRC-32s and
 * times of its files, and of the segments some were deflated into, so its length and the
 * place of every byte are known from the manifest alone. Layout: for each entry a local
 * header and an object (the file's own or its segment), then the directory.
 */

/** `Key` is what objects are opened by. */
export interface ArchiveEntry<Key> {
  objectKey: Key
  /** What the sender called it, with folders; any text. */
  path: string
  sizeBytes: number
  crc32: number
  modifiedAt: Date
  /** The same content as raw deflate (RFC 1951), which is then what the archive holds. */
  segment?: ArchiveSegment<Key>
}

export interface ArchiveSegment<Key> {
  objectKey: Key
  sizeBytes: number
  readyAt: Date
}

export interface ArchivePlan<Key = unknown> {
  sizeBytes: number
  /** The latest time of any file or segment; the epoch for an archive without files. */
  lastModifiedAt: Date
  layout: ArchiveLayout<Key>
}

/** Columns instead of objects: ten thousand entries are planned for every range request. */
export interface ArchiveLayout<Key = unknown> {
  count: number
  /** All names in UTF-8, one after the other. */
  names: Uint8Array
  /** Where each name begins in `names`; one more for the end. */
  nameStarts: Uint32Array
  /** What is read for each entry. */
  objectKeys: readonly Key[]
  /** Sizes of the files. */
  sizes: Float64Array
  /** Sizes of the objects. */
  objectSizes: Float64Array
  /** 1 where the object is a deflated segment. */
  deflated: Uint8Array
  crcs: Uint32Array
  /** Date in the upper, time in the lower 16 bits, as DOS has it. */
  dosTimes: Uint32Array
  /** Seconds since 1970. */
  unixTimes: Uint32Array
  /** Where each local header begins; one more for the end of the last object. */
  localStarts: Float64Array
  /** Where each central record begins, from the start of the file; one more for the end. */
  centralStarts: Float64Array
  directoryStart: number
  directoryBytes: number
}

const msPerDay = 24 * 3600 * 1000
const earliestDosMs = Date.UTC(1980, 0, 1)
const earliestDosTime = (1 << 21) | (1 << 16)
const endOfDosMs = Date.UTC(2108, 0, 1)
const latestDosTime = 0xff9fbf7d

/** Part of entity tags: must change whenever the same manifest would give other bytes. */
export const ARCHIVE_FORMAT = 'floe-zip-1'

export function planArchive<Key>(entries: readonly ArchiveEntry<Key>[]): ArchivePlan<Key> {
  const count = entries.length
  const paths = archivePaths(entries.map((entry) => entry.path))
  const { names, nameStarts } = packNames(paths)
  const sizes = new Float64Array(count)
  const objectSizes = new Float64Array(count)
  const deflated = new Uint8Array(count)
  const crcs = new Uint32Array(count)
  const dosTimes = new Uint32Array(count)
  const unixTimes = new Uint32Array(count)
  const localStarts = new Float64Array(count + 1)
  const dosTimeOf = createDosClock()
  let position = 0
  let latestMs = 0
  for (let index = 0; index < count; index += 1) {
    const entry = entries[index]
    if (entry === undefined) continue
    const modifiedMs = entry.modifiedAt.getTime()
    const objectBytes = entry.segment?.sizeBytes ?? entry.sizeBytes
    sizes[index] = entry.sizeBytes
    objectSizes[index] = objectBytes
    deflated[index] = entry.segment === undefined ? 0 : 1
    crcs[index] = entry.crc32
    unixTimes[index] = unixSeconds(modifiedMs)
    dosTimes[index] = dosTimeOf(modifiedMs)
    localStarts[index] = position
    position += localRecordBytes(nameBytesOf({ nameStarts }, index), entry.sizeBytes) + objectBytes
    // A segment makes other bytes of an old file, and `If-Range` may come with nothing but a date.
    const latestOfEntryMs = Math.max(modifiedMs, entry.segment?.readyAt.getTime() ?? 0)
    if (latestOfEntryMs > latestMs) latestMs = latestOfEntryMs
  }
  const directoryStart = position
  localStarts[count] = directoryStart
  const centralStarts = new Float64Array(count + 1)
  for (let index = 0; index < count; index += 1) {
    centralStarts[index] = position
    const offset = localStarts[index] ?? 0
    position += centralRecordBytes(nameBytesOf({ nameStarts }, index), sizes[index] ?? 0, offset)
  }
  centralStarts[count] = position
  const directoryBytes = position - directoryStart
  return {
    sizeBytes: position + endRecordsBytes({ count, directoryStart, directoryBytes }),
    lastModifiedAt: new Date(latestMs),
    layout: {
      count,
      names,
      nameStarts,
      objectKeys: entries.map(({ objectKey, segment }) => segment?.objectKey ?? objectKey),
      sizes,
      objectSizes,
      deflated,
      crcs,
      dosTimes,
      unixTimes,
      localStarts,
      centralStarts,
      directoryStart,
      directoryBytes,
    },
  }
}

/** All names in one array. */
function packNames(paths: readonly string[]): Pick<ArchiveLayout, 'names' | 'nameStarts'> {
  const joined = paths.join('')
  const names = encodeUtf8(joined)
  const isAscii = names.length === joined.length
  const nameStarts = new Uint32Array(paths.length + 1)
  let end = 0
  for (let index = 0; index < paths.length; index += 1) {
    const path = paths[index] ?? ''
    end += isAscii ? path.length : utf8Bytes(path)
    nameStarts[index + 1] = end
  }
  return { names, nameStarts }
}

function unixSeconds(ms: number): number {
  return Math.min(Math.max(0, Math.floor(ms / 1000)), 0xffffffff)
}

/** In UTC, for the server's own zone must not change the bytes. From 1980 to 2107. */
function createDosClock(): (ms: number) => number {
  let lastDay = NaN
  let dosDate = 0
  return (ms) => {
    if (!(ms >= earliestDosMs)) return earliestDosTime
    if (ms >= endOfDosMs) return latestDosTime
    const day = Math.floor(ms / msPerDay)
    if (day !== lastDay) {
      const date = new Date(ms)
      const year = date.getUTCFullYear() - 1980
      dosDate = (year << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()
      lastDay = day
    }
    const seconds = Math.floor((ms - day * msPerDay) / 1000)
    const hours = Math.floor(seconds / 3600)
    const minutes = Math.floor(seconds / 60) % 60
    return ((dosDate << 16) | (hours << 11) | (minutes << 5) | ((seconds % 60) >> 1)) >>> 0
  }
}

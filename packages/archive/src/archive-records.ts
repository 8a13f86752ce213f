import type { ArchiveLayout } from './archive-plan.ts'

/**
 * The records of a ZIP file (PKWARE APPNOTE 6.3.10) for entries that are stored or were deflated
 * before. Sizes and CRC-32 stand in the local header, so no data descriptor follows and everything
 * can be computed before a byte of content is read. A deflated entry is smaller than its file, so
 * whether an entry needs ZIP64 depends on the file alone; then both sizes move to the extra field,
 * as APPNOTE 4.5.3 demands of local headers.
 */

/** From here on a 32-bit field holds this value and the true one is in the ZIP64 extra field. */
export const limit32 = 0xffffffff
export const limit16 = 0xffff

const localHeaderBytes = 30
const centralHeaderBytes = 46
const timestampExtraBytes = 9
const endRecordBytes = 22
const end64RecordBytes = 56
const end64LocatorBytes = 20

const versionStored = 20
const versionZip64 = 45
const madeByUnix = 3 << 8
const flagUtf8 = 1 << 11
const methodStore = 0
const methodDeflate = 8
const regularFile0644 = 0o100644 * 2 ** 16

export function nameBytesOf(
  { nameStarts }: Pick<ArchiveLayout, 'nameStarts'>,
  index: number,
): number {
  return (nameStarts[index + 1] ?? 0) - (nameStarts[index] ?? 0)
}

export function localRecordBytes(nameBytes: number, sizeBytes: number): number {
  const zip64Bytes = sizeBytes >= limit32 ? 20 : 0
  return localHeaderBytes + nameBytes + timestampExtraBytes + zip64Bytes
}

export function centralRecordBytes(nameBytes: number, sizeBytes: number, offset: number): number {
  return centralHeaderBytes + nameBytes + timestampExtraBytes + centralZip64Bytes(sizeBytes, offset)
}

function centralZip64Bytes(sizeBytes: number, offset: number): number {
  const valueBytes = (sizeBytes >= limit32 ? 16 : 0) + (offset >= limit32 ? 8 : 0)
  return valueBytes === 0 ? 0 : 4 + valueBytes
}

export function endRecordsBytes(
  layout: Pick<ArchiveLayout, 'count' | 'directoryStart' | 'directoryBytes'>,
): number {
  return needsEnd64(layout) ? end64RecordBytes + end64LocatorBytes + endRecordBytes : endRecordBytes
}

function needsEnd64({
  count,
  directoryStart,
  directoryBytes,
}: Pick<ArchiveLayout, 'count' | 'directoryStart' | 'directoryBytes'>): boolean {
  return count >= limit16 || directoryStart >= limit32 || directoryBytes >= limit32
}

export function writeLocalRecord(
  layout: ArchiveLayout,
  index: number,
  target: Uint8Array,
  at: number,
) {
  const view = viewOf(target)
  const sizeBytes = layout.sizes[index] ?? 0
  const isZip64 = sizeBytes >= limit32
  view.setUint32(at, 0x04034b50, true)
  writeCommonFields(layout, index, isZip64 ? versionZip64 : versionStored, view, at + 4)
  view.setUint16(at + 28, timestampExtraBytes + (isZip64 ? 20 : 0), true)
  let end = writeName(layout, index, target, at + localHeaderBytes)
  end = writeTimestampExtra(layout, index, view, end)
  if (isZip64) writeZip64Extra([sizeBytes, layout.objectSizes[index] ?? 0], view, end)
}

export function writeCentralRecord(
  layout: ArchiveLayout,
  index: number,
  target: Uint8Array,
  at: number,
) {
  const view = viewOf(target)
  const sizeBytes = layout.sizes[index] ?? 0
  const offset = layout.localStarts[index] ?? 0
  const zip64Bytes = centralZip64Bytes(sizeBytes, offset)
  const version = zip64Bytes > 0 ? versionZip64 : versionStored
  view.setUint32(at, 0x02014b50, true)
  view.setUint16(at + 4, madeByUnix | version, true)
  writeCommonFields(layout, index, version, view, at + 6)
  view.setUint16(at + 30, timestampExtraBytes + zip64Bytes, true)
  // No comment, first disk, no internal attributes.
  target.fill(0, at + 32, at + 38)
  view.setUint32(at + 38, regularFile0644, true)
  view.setUint32(at + 42, Math.min(offset, limit32), true)
  let end = writeName(layout, index, target, at + centralHeaderBytes)
  end = writeTimestampExtra(layout, index, view, end)
  if (zip64Bytes === 0) return
  const values = sizeBytes >= limit32 ? [sizeBytes, layout.objectSizes[index] ?? 0] : []
  if (offset >= limit32) values.push(offset)
  writeZip64Extra(values, view, end)
}

/** Returns where the name ends. */
function writeName(
  { names, nameStarts }: ArchiveLayout,
  index: number,
  target: Uint8Array,
  at: number,
): number {
  const name = names.subarray(nameStarts[index], nameStarts[index + 1])
  target.set(name, at)
  return at + name.length
}

/** The 24 bytes that local and central header share: version needed … length of the name. */
function writeCommonFields(
  layout: ArchiveLayout,
  index: number,
  version: number,
  view: DataView,
  at: number,
) {
  const sizeBytes = layout.sizes[index] ?? 0
  const isZip64 = sizeBytes >= limit32
  const isDeflated = layout.deflated[index] === 1
  const nameBytes = nameBytesOf(layout, index)
  if (nameBytes > limit16) throw new RangeError('name does not fit')
  view.setUint16(at, version, true)
  view.setUint16(at + 2, flagUtf8, true)
  view.setUint16(at + 4, isDeflated ? methodDeflate : methodStore, true)
  view.setUint32(at + 6, layout.dosTimes[index] ?? 0, true)
  view.setUint32(at + 10, layout.crcs[index] ?? 0, true)
  view.setUint32(at + 14, isZip64 ? limit32 : (layout.objectSizes[index] ?? 0), true)
  view.setUint32(at + 18, isZip64 ? limit32 : sizeBytes, true)
  view.setUint16(at + 22, nameBytes, true)
}

/** Extended timestamp: the time of modification in UTC, which DOS times cannot express. */
function writeTimestampExtra(
  layout: ArchiveLayout,
  index: number,
  view: DataView,
  at: number,
): number {
  view.setUint16(at, 0x5455, true)
  view.setUint16(at + 2, 5, true)
  view.setUint8(at + 4, 1)
  view.setUint32(at + 5, layout.unixTimes[index] ?? 0, true)
  return at + timestampExtraBytes
}

function writeZip64Extra(values: readonly number[], view: DataView, at: number) {
  view.setUint16(at, 0x0001, true)
  view.setUint16(at + 2, values.length * 8, true)
  for (const [index, value] of values.entries()) setUint64(view, at + 4 + index * 8, value)
}

export function makeEndRecords(layout: ArchiveLayout): Uint8Array {
  const { count, directoryStart, directoryBytes } = layout
  const records = new Uint8Array(endRecordsBytes(layout))
  const view = viewOf(records)
  const end = records.length - endRecordBytes
  if (needsEnd64(layout)) writeEnd64Records(layout, view)
  view.setUint32(end, 0x06054b50, true)
  view.setUint16(end + 8, Math.min(count, limit16), true)
  view.setUint16(end + 10, Math.min(count, limit16), true)
  view.setUint32(end + 12, Math.min(directoryBytes, limit32), true)
  view.setUint32(end + 16, Math.min(directoryStart, limit32), true)
  return records
}

function writeEnd64Records(
  { count, directoryStart, directoryBytes }: ArchiveLayout,
  view: DataView,
) {
  view.setUint32(0, 0x06064b50, true)
  // "Size of remaining record": without this field and the signature.
  setUint64(view, 4, end64RecordBytes - 12)
  view.setUint16(12, madeByUnix | versionZip64, true)
  view.setUint16(14, versionZip64, true)
  setUint64(view, 24, count)
  setUint64(view, 32, count)
  setUint64(view, 40, directoryBytes)
  setUint64(view, 48, directoryStart)
  const locator = end64RecordBytes
  view.setUint32(locator, 0x07064b50, true)
  setUint64(view, locator + 8, directoryStart + directoryBytes)
  view.setUint32(locator + 16, 1, true)
}

function setUint64(view: DataView, at: number, value: number) {
  view.setUint32(at, value % 2 ** 32, true)
  view.setUint32(at + 4, Math.floor(value / 2 ** 32), true)
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}

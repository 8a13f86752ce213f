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

export function writeLocalRecord(layout: ArchiveLayout, index: number, target: Buffer, at: number) {
  const sizeBytes = layout.sizes[index] ?? 0
  const isZip64 = sizeBytes >= limit32
  const nameBytes = layout.nameBytes(index)
  target.writeUInt32LE(0x04034b50, at)
  writeCommonFields(layout, index, isZip64 ? versionZip64 : versionStored, target, at + 4)
  target.writeUInt16LE(timestampExtraBytes + (isZip64 ? 20 : 0), at + 28)
  let end = at + localHeaderBytes + layout.writeName(index, target, at + localHeaderBytes)
  if (nameBytes !== end - at - localHeaderBytes) throw new RangeError('name does not fit')
  end = writeTimestampExtra(layout, index, target, end)
  if (isZip64) writeZip64Extra([sizeBytes, layout.objectSizes[index] ?? 0], target, end)
}

export function writeCentralRecord(
  layout: ArchiveLayout,
  index: number,
  target: Buffer,
  at: number,
) {
  const sizeBytes = layout.sizes[index] ?? 0
  const offset = layout.localStarts[index] ?? 0
  const zip64Bytes = centralZip64Bytes(sizeBytes, offset)
  const version = zip64Bytes > 0 ? versionZip64 : versionStored
  target.writeUInt32LE(0x02014b50, at)
  target.writeUInt16LE(madeByUnix | version, at + 4)
  writeCommonFields(layout, index, version, target, at + 6)
  target.writeUInt16LE(timestampExtraBytes + zip64Bytes, at + 30)
  // No comment, first disk, no internal attributes.
  target.fill(0, at + 32, at + 38)
  target.writeUInt32LE(regularFile0644, at + 38)
  target.writeUInt32LE(Math.min(offset, limit32), at + 42)
  let end = at + centralHeaderBytes + layout.writeName(index, target, at + centralHeaderBytes)
  end = writeTimestampExtra(layout, index, target, end)
  if (zip64Bytes === 0) return
  const values = sizeBytes >= limit32 ? [sizeBytes, layout.objectSizes[index] ?? 0] : []
  if (offset >= limit32) values.push(offset)
  writeZip64Extra(values, target, end)
}

/** The 24 bytes that local and central header share: version needed … length of the name. */
function writeCommonFields(
  layout: ArchiveLayout,
  index: number,
  version: number,
  target: Buffer,
  at: number,
) {
  const sizeBytes = layout.sizes[index] ?? 0
  const isZip64 = sizeBytes >= limit32
  const isDeflated = layout.deflated[index] === 1
  target.writeUInt16LE(version, at)
  target.writeUInt16LE(flagUtf8, at + 2)
  target.writeUInt16LE(isDeflated ? methodDeflate : methodStore, at + 4)
  target.writeUInt32LE(layout.dosTimes[index] ?? 0, at + 6)
  target.writeUInt32LE(layout.crcs[index] ?? 0, at + 10)
  target.writeUInt32LE(isZip64 ? limit32 : (layout.objectSizes[index] ?? 0), at + 14)
  target.writeUInt32LE(isZip64 ? limit32 : sizeBytes, at + 18)
  target.writeUInt16LE(layout.nameBytes(index), at + 22)
}

/** Extended timestamp: the time of modification in UTC, which DOS times cannot express. */
function writeTimestampExtra(
  layout: ArchiveLayout,
  index: number,
  target: Buffer,
  at: number,
): number {
  target.writeUInt16LE(0x5455, at)
  target.writeUInt16LE(5, at + 2)
  target.writeUInt8(1, at + 4)
  target.writeUInt32LE(layout.unixTimes[index] ?? 0, at + 5)
  return at + timestampExtraBytes
}

function writeZip64Extra(values: readonly number[], target: Buffer, at: number) {
  target.writeUInt16LE(0x0001, at)
  target.writeUInt16LE(values.length * 8, at + 2)
  for (const [index, value] of values.entries()) writeUInt64(value, target, at + 4 + index * 8)
}

export function makeEndRecords(layout: ArchiveLayout): Buffer {
  const { count, directoryStart, directoryBytes } = layout
  const records = Buffer.alloc(endRecordsBytes(layout))
  const end = records.length - endRecordBytes
  if (needsEnd64(layout)) writeEnd64Records(layout, records)
  records.writeUInt32LE(0x06054b50, end)
  records.writeUInt16LE(Math.min(count, limit16), end + 8)
  records.writeUInt16LE(Math.min(count, limit16), end + 10)
  records.writeUInt32LE(Math.min(directoryBytes, limit32), end + 12)
  records.writeUInt32LE(Math.min(directoryStart, limit32), end + 16)
  return records
}

function writeEnd64Records(
  { count, directoryStart, directoryBytes }: ArchiveLayout,
  records: Buffer,
) {
  records.writeUInt32LE(0x06064b50, 0)
  // "Size of remaining record": without this field and the signature.
  writeUInt64(end64RecordBytes - 12, records, 4)
  records.writeUInt16LE(madeByUnix | versionZip64, 12)
  records.writeUInt16LE(versionZip64, 14)
  writeUInt64(count, records, 24)
  writeUInt64(count, records, 32)
  writeUInt64(directoryBytes, records, 40)
  writeUInt64(directoryStart, records, 48)
  const locator = end64RecordBytes
  records.writeUInt32LE(0x07064b50, locator)
  writeUInt64(directoryStart + directoryBytes, records, locator + 8)
  records.writeUInt32LE(1, locator + 16)
}

function writeUInt64(value: number, target: Buffer, at: number) {
  target.writeUInt32LE(value % 2 ** 32, at)
  target.writeUInt32LE(Math.floor(value / 2 ** 32), at + 4)
}

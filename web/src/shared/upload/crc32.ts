const TABLES = 8
const ENTRY_BYTES = 4
const TABLE_BYTES = 256 * ENTRY_BYTES

/** Eight tables, by which eight bytes go in one step ("slicing by 8"): browsers have no CRC-32. */
const tables = makeTables()

function makeTables(): DataView {
  const made = new DataView(new ArrayBuffer(TABLES * TABLE_BYTES))
  for (let byte = 0; byte < 256; byte += 1) {
    let crc = byte
    for (let bit = 0; bit < 8; bit += 1) {
      crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
    }
    made.setInt32(byte * ENTRY_BYTES, crc)
  }
  for (let at = TABLE_BYTES; at < made.byteLength; at += ENTRY_BYTES) {
    const before = made.getInt32(at - TABLE_BYTES)
    made.setInt32(at, (before >>> 8) ^ made.getInt32((before & 0xff) * ENTRY_BYTES))
  }
  return made
}

const look = (table: number, bits: number) =>
  tables.getInt32(table * TABLE_BYTES + (bits & 0xff) * ENTRY_BYTES)

/** @returns CRC-32 (unsigned) of what `before` is the CRC-32 of, followed by `bytes`. */
export function updateCrc32(bytes: Uint8Array, before: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = bytes.length - (bytes.length % TABLES)
  let crc = ~before
  for (let at = 0; at < end; at += TABLES) {
    const first = crc ^ view.getInt32(at, true)
    const second = view.getInt32(at + 4, true)
    crc =
      look(7, first) ^
      look(6, first >>> 8) ^
      look(5, first >>> 16) ^
      look(4, first >>> 24) ^
      look(3, second) ^
      look(2, second >>> 8) ^
      look(1, second >>> 16) ^
      look(0, second >>> 24)
  }
  for (let at = end; at < bytes.length; at += 1) {
    crc = (crc >>> 8) ^ look(0, crc ^ view.getUint8(at))
  }
  return ~crc >>> 0
}

/**
 * Of the column `Encryption`, a struct in Go's gob: messages behind their lengths, first types, whose
 * ids are negative, then the value. Fields that are zero are not in it, so that it ends at once for
 * a file that is not encrypted. False for what cannot be read.
 */
export function isPlain(gob: Uint8Array): boolean {
  for (let at = 0; at < gob.length;) {
    const length = readNumber(gob, at)
    at = length.next + length.value
    const message = gob.subarray(length.next, at)
    const type = readNumber(message, 0)
    // Signs are in the lowest bit.
    if (type.value % 2 === 1) continue
    return message.length === type.next + 1 && message[type.next] === 0
  }
  return false
}

/** A byte below 128 is the number; else its complement counts the bytes that follow. */
function readNumber(bytes: Uint8Array, at: number): { value: number; next: number } {
  const first = bytes[at] ?? 0
  if (first < 128) return { value: first, next: at + 1 }
  const next = at + 1 + (256 - first)
  const value = bytes.subarray(at + 1, next).reduce((sum, byte) => sum * 256 + byte, 0)
  return { value, next }
}

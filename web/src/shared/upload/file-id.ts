import { toHex } from '../hex.ts'

/**
 * A UUID by which the server knows a file before it has it. `crypto.randomUUID` is missing where
 * the page came without TLS, as in many a home.
 */
export function randomFileId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  // Version 4, variant 1: RFC 9562, section 5.4.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

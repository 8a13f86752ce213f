/**
 * `Upload-Checksum` in the response to HEAD of an upload: the CRC-32 of the bytes up to
 * `Upload-Offset`, written as the checksum extension of tus writes it.
 */
export const PREFIX_CHECKSUM_HEADER = 'Upload-Checksum'

export function writePrefixChecksum(crc32: number): string {
  const bytes = [24, 16, 8, 0].map((shift) => (crc32 >>> shift) & 0xff)
  return `crc32 ${btoa(String.fromCharCode(...bytes))}`
}

/** Null for what is no CRC-32. */
export function readPrefixChecksum(header: string | null | undefined): number | null {
  const encoded = /^crc32 ([A-Za-z0-9+/]{6}==)$/.exec(header ?? '')?.[1]
  if (encoded === undefined) return null
  return Array.from(atob(encoded)).reduce((sum, byte) => sum * 256 + byte.charCodeAt(0), 0)
}

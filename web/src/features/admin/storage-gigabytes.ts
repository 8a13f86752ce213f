/** As an account's limit is typed: gigabytes; empty leaves it to the setting, 0 is no limit. */
export type StorageGigabytes = number | ''

const GIGABYTE = 1_000_000_000

export function toGigabytes(bytes: number | null): StorageGigabytes {
  return bytes === null ? '' : bytes / GIGABYTE
}

export function toBytes(gigabytes: StorageGigabytes): number | null {
  return gigabytes === '' ? null : Math.round(gigabytes * GIGABYTE)
}

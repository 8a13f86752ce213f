import { normaliseDn } from './distinguished-names.ts'

/**
 * What an account has of its entry in the directory: attribute and value of an id that stays when
 * the entry is renamed, such as `entryUUID:…`. An account that was imported knows no more than the
 * DN, and has `dn:…` until the directory is asked about it first.
 */
const AWAITED = 'dn:'

/** What an index of the database can hold. */
const MOST_BYTES = 2_000

/** `null` for what is no DN. */
export function awaitedId(dn: string): string | null {
  const normal = normaliseDn(dn)
  return normal === null || Buffer.byteLength(normal) > MOST_BYTES ? null : `${AWAITED}${normal}`
}

/** `null` for an id that lasts. */
export function awaitedDn(directoryId: string): string | null {
  return directoryId.startsWith(AWAITED) ? directoryId.slice(AWAITED.length) : null
}

/** The id of an account that comes from elsewhere; `null` for one that no entry can have. */
export function normaliseDirectoryId(directoryId: string): string | null {
  const dn = awaitedDn(directoryId)
  return dn === null ? directoryId : awaitedId(dn)
}

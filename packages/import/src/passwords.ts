export const NO_PASSWORD =
  'it has no password here until it sets one by the link of a forgotten one'

/** The only hashes that can be verified here. */
export function isArgon2id(hash: string): boolean {
  return hash.startsWith('$argon2id$')
}

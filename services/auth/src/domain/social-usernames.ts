import { randomBytes } from 'node:crypto'
import type { SocialProfile } from './social-ports.ts'

const MIN_LENGTH = 3
const MAX_LENGTH = 32
const SUFFIX_LENGTH = 6
const FALLBACK = 'user'

/** A valid username after what the provider calls the account; it may be taken. */
export function deriveUsername({ username, email }: Pick<SocialProfile, 'username' | 'email'>) {
  const reduced = [username, email ?? ''].map(reduce)
  return reduced.find(({ length }) => length >= MIN_LENGTH) ?? FALLBACK
}

/** The same name for somebody who came later. */
export function withRandomSuffix(username: string): string {
  const suffix = randomBytes(SUFFIX_LENGTH / 2).toString('hex')
  return `${username.slice(0, MAX_LENGTH - SUFFIX_LENGTH - 1)}_${suffix}`
}

function reduce(name: string): string {
  // The part of an address that names a person.
  const [local = ''] = name.split('@')
  return local
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._]/g, '')
    .slice(0, MAX_LENGTH)
}

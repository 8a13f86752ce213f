import { DIRECT_UPLOAD_PATH, networkSchema, type TokenScope } from '@floe/contracts'
import type { NewToken } from './api/create-token.ts'

/** What the dialog of a new token holds. */
export interface TokenValues {
  name: string
  scopes: TokenScope[]
  expiresIn: string
  /** One a line. */
  networks: string
  shareGigabytes: number | ''
  /** `''` leaves it to what the account may. */
  maxExpiration: string
}

const GIGABYTE = 1_000_000_000

export const firstValues: TokenValues = {
  name: '',
  scopes: ['shares:read', 'shares:write'],
  expiresIn: '90-days',
  networks: '',
  shareGigabytes: '',
  maxExpiration: '',
}

export function readNetworks(text: string): string[] {
  return text.split(/[\s,]+/).filter((network) => network !== '')
}

/** The first that is none. */
export function findWrongNetwork(text: string): string | null {
  return readNetworks(text).find((network) => !networkSchema.safeParse(network).success) ?? null
}

export function toNewToken(values: TokenValues): NewToken {
  const { name, scopes, expiresIn, shareGigabytes, maxExpiration } = values
  return {
    name: name.trim(),
    scopes,
    expiresIn,
    networks: readNetworks(values.networks),
    maxShareSize: shareGigabytes ? Math.round(shareGigabytes * GIGABYTE) : null,
    maxExpiration: maxExpiration || null,
  }
}

/** What each scope can look at; where it can only write, what any token may. */
const examples: Partial<Record<TokenScope, string>> = {
  'shares:read': '/api/shares',
  'requests:read': '/api/reverseShares',
  'account:read': '/api/users/me/storage',
  'admin:read': '/api/users',
}

/** A request that shows that the token works. */
export function examplePath(scopes: readonly TokenScope[]): string {
  if (scopes.includes('shares:write')) return `${DIRECT_UPLOAD_PATH}/`
  return scopes.map((scope) => examples[scope]).find((path) => path !== undefined) ?? '/api/configs'
}

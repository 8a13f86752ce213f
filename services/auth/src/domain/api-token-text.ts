import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { API_TOKEN_PREFIX } from '@floe/contracts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Drawn from 62: 178 bits. */
const RANDOM_LENGTH = 30
const CHECKSUM_LENGTH = 6
const SHOWN_LENGTH = 10

export interface ApiTokenText {
  token: string
  hash: Buffer
  /** What is shown of it later. */
  prefix: string
}

/**
 * A new token: the prefix, what is drawn, and a CRC-32 of both in base 62, by which scanners settle
 * false alarms without asking anybody (as GitHub's tokens since 2021).
 */
export function createApiToken(): ApiTokenText {
  const drawn = Array.from({ length: RANDOM_LENGTH }, () => digits[randomInt(digits.length)])
  const text = API_TOKEN_PREFIX + drawn.join('')
  const token = text + checksumOf(text)
  return { token, hash: hashApiToken(token), prefix: token.slice(0, SHOWN_LENGTH) }
}

export function isApiToken(text: string): boolean {
  if (!/^floe_[0-9A-Za-z]{36}$/.test(text)) return false
  const body = text.slice(0, -CHECKSUM_LENGTH)
  return text === body + checksumOf(body)
}

// 178 random bits need no slow hash.
export function hashApiToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function checksumOf(text: string): string {
  let rest = crc32(text)
  let written = ''
  while (written.length < CHECKSUM_LENGTH) {
    written = `${digits[rest % digits.length]}${written}`
    rest = Math.floor(rest / digits.length)
  }
  return written
}

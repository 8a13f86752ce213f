import { randomBytes } from 'node:crypto'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { AppError } from '@floe/errors'
import pLimit from 'p-limit'
import { createCommonPasswords } from './common-passwords.ts'

// OWASP's first choice for Argon2id. Written out, because the defaults of libraries differ.
const ARGON2ID = 2
const parameters = {
  algorithm: ARGON2ID,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
  outputLen: 32,
} as const

// Hashing occupies threads of the libuv pool, which file system and DNS calls share.
const CONCURRENT_HASHES = 2

export interface Passwords {
  /** A PHC string. */
  hash(password: string): Promise<string>
  /** For a password that a person chose for an account. Fails with password_too_common. */
  hashForAccount(password: string): Promise<string>
  /** Takes as long for `null` (nobody, or no password) as for a wrong password. */
  verify(passwordHash: string | null, password: string): Promise<boolean>
  needsRehash(passwordHash: string): boolean
}

/** One for the whole process: its limit bounds memory and threads together. */
export function createPasswords(): Passwords {
  const run = pLimit(CONCURRENT_HASHES)
  // No password leads to it: 256 random bits, not hashed, as only the parameters matter.
  const nobody = encodeHash(randomBytes(16), randomBytes(32))

  const isCommon = createCommonPasswords()
  const hashAny = (password: string) => run(() => hash(password, parameters))

  return {
    hash: hashAny,
    async hashForAccount(password) {
      if (await isCommon(password)) throw new AppError('password_too_common')
      return hashAny(password)
    },
    async verify(passwordHash, password) {
      const isComparable = passwordHash !== null && isArgon2id(passwordHash)
      const matches = await run(() => verify(isComparable ? passwordHash : nobody, password))
      return isComparable && matches
    },
    needsRehash,
  }
}

/** PHC string format. */
function encodeHash(salt: Buffer, digest: Buffer): string {
  const { memoryCost, timeCost, parallelism } = parameters
  const encode = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${encode(salt)}$${encode(digest)}`
}

function isArgon2id(passwordHash: string): boolean {
  try {
    return parseOptions(passwordHash).algorithm === ARGON2ID
  } catch {
    return false
  }
}

function needsRehash(passwordHash: string): boolean {
  const { memoryCost, timeCost, parallelism, outputLen } = parseOptions(passwordHash)
  return (
    memoryCost !== parameters.memoryCost ||
    timeCost !== parameters.timeCost ||
    parallelism !== parameters.parallelism ||
    outputLen !== parameters.outputLen
  )
}

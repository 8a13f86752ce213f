import { hash, verify } from '@node-rs/argon2'
import { createLimiter } from './limiter.ts'

// OWASP's second Argon2id profile; the library's default algorithm is Argon2id.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// Each hash holds 19 MiB and a thread of the pool that file operations need too.
const CONCURRENT_HASHES = 2

export interface Passwords {
  hash(password: string): Promise<string>
  verify(passwordHash: string, password: string): Promise<boolean>
}

export function createPasswords(): Passwords {
  const limit = createLimiter(CONCURRENT_HASHES)
  return {
    hash: (password) => limit(() => hash(password, parameters)),
    verify: (passwordHash, password) => limit(() => verify(passwordHash, password)),
  }
}

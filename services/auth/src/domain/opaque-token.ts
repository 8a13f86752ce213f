import { createHash, randomBytes } from 'node:crypto'

export interface OpaqueToken {
  token: string
  hash: Buffer
}

/** 256 random bits; only their SHA-256 is kept. */
export function createOpaqueToken(): OpaqueToken {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashOpaqueToken(token) }
}

export function hashOpaqueToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

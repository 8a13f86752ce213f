import { argon2id } from 'hash-wasm'
import { toBase64Url } from './base64url.ts'
import { deriveBytes, KEY_BYTES, type ShareKey } from './share-key.ts'

const SALT_BYTES = 16
const GATE_BYTES = 16
/** What one guess costs who has the link and the ciphertexts; part of the form of encrypted shares. */
const COST = { memorySize: 64 * 1024, iterations: 3, parallelism: 1 }

/** What the key in a link and a password make together. */
export interface PasswordLock {
  /** Locks and opens the manifest in place of the key in the link. */
  openingKey: ShareKey
  /**
   * What the server is told instead of the password: it limits how often others guess, and learns
   * nothing that a guess of its own could be compared with unless it has the link, too.
   */
  gate: string
}

/**
 * Takes a third of a second and 64 MiB, of a thread that has nothing else to do.
 *
 * @param password Not empty.
 */
export async function lockWithPassword(
  shareKey: ShareKey,
  password: string,
): Promise<PasswordLock> {
  const stretched = new Uint8Array(
    await argon2id({
      ...COST,
      // Keyboards write the same character in different ways.
      password: new TextEncoder().encode(password.normalize('NFC')),
      salt: await deriveBytes(shareKey, 'password salt', SALT_BYTES),
      hashLength: KEY_BYTES,
      outputType: 'binary',
    }),
  )
  const both = new Uint8Array([...shareKey, ...stretched])
  return {
    openingKey: await deriveBytes(both, 'opening key', KEY_BYTES),
    gate: toBase64Url(await deriveBytes(stretched, 'gate', GATE_BYTES)),
  }
}

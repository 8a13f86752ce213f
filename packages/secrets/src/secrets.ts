import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const KEY_SIZE_BYTES = 32
const NONCE_SIZE_BYTES = 12
const TAG_SIZE_BYTES = 16
const VERSION = 1

/** Keeps what must be read again; the database alone is not enough to read it. */
export interface Secrets {
  /**
   * AES-256-GCM under a key of its own for each purpose. `context` names the row it belongs to:
   * the sealed bytes open nowhere else.
   */
  seal(purpose: string, context: string, plaintext: string): Buffer
  /** `null` when the key, purpose or context is another, or a byte was changed. */
  open(purpose: string, context: string, sealed: Buffer): string | null
}

/** `key` holds at least 32 random bytes, or a passphrase as strong. */
export function createSecrets({ key }: { key: Buffer }): Secrets {
  const keys = new Map<string, Buffer>()

  function keyOf(purpose: string): Buffer {
    const known = keys.get(purpose)
    if (known) return known
    // RFC 5869: one root, independent keys.
    const derived = Buffer.from(hkdfSync('sha256', key, '', `floe ${purpose}`, KEY_SIZE_BYTES))
    keys.set(purpose, derived)
    return derived
  }

  return {
    seal(purpose, context, plaintext) {
      const nonce = randomBytes(NONCE_SIZE_BYTES)
      const cipher = createCipheriv(CIPHER, keyOf(purpose), nonce)
      cipher.setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), body])
    },
    open(purpose, context, sealed) {
      const bodyStart = 1 + NONCE_SIZE_BYTES + TAG_SIZE_BYTES
      if (sealed.length < bodyStart || sealed[0] !== VERSION) return null
      const nonce = sealed.subarray(1, 1 + NONCE_SIZE_BYTES)
      const decipher = createDecipheriv(CIPHER, keyOf(purpose), nonce)
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(sealed.subarray(1 + NONCE_SIZE_BYTES, bodyStart))
      try {
        return (
          decipher.update(sealed.subarray(bodyStart), undefined, 'utf8') + decipher.final('utf8')
        )
      } catch {
        return null
      }
    },
  }
}

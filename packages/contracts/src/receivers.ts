import { z } from 'zod'

/** 32 bytes in base64url. */
const keySchema = z.string().regex(/^[A-Za-z0-9_-]{43}$/)

/** The key of an encrypted share, sealed by `packages/encryption` to who receives it. */
export const sealedKeySchema = z.string().regex(/^[A-Za-z0-9_-]{107}$/)

/**
 * The secret of who receives, locked with a text that the server never sees: a passphrase, or the
 * code for who has forgotten it.
 */
const secretLockSchema = z.object({
  by: z.enum(['passphrase', 'recoveryCode']),
  salt: keySchema,
  /** A ciphertext of 138 bytes. */
  locked: z.string().regex(/^[A-Za-z0-9_-]{184}$/),
})
export type SecretLock = z.infer<typeof secretLockSchema>

/** To whom what is sent is encrypted, as `packages/encryption` made it. */
export const receiverSchema = z
  .object({
    /** X25519. */
    publicKey: keySchema,
    locks: z.array(secretLockSchema).min(1).max(8),
  })
  .meta({ id: 'Receiver' })
export type Receiver = z.infer<typeof receiverSchema>
export const publicKeySchema = receiverSchema.shape.publicKey

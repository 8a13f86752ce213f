import { z } from 'zod'

/** 32 bytes in base64url. */
const keySchema = z.string().regex(/^[A-Za-z0-9_-]{43}$/)

/** The key of an encrypted share, sealed by `packages/encryption` to who receives it. */
export const sealedKeySchema = z.string().regex(/^[A-Za-z0-9_-]{107}$/)

const lockSchema = z.object({
  salt: keySchema,
  /** A ciphertext of 138 bytes. */
  locked: z.string().regex(/^[A-Za-z0-9_-]{184}$/),
})
/** By a text that the server never sees: a passphrase, or the code for who has forgotten it. */
const textLockSchema = lockSchema.extend({ by: z.enum(['passphrase', 'recoveryCode']) })
export type TextLock = z.infer<typeof textLockSchema>
/** By what a passkey makes of the salt: WebAuthn Level 3, `prf`. */
const passkeyLockSchema = lockSchema.extend({
  by: z.literal('passkey'),
  /** Its credential ID, of at most 1023 bytes. */
  credential: z.string().regex(/^[A-Za-z0-9_-]{2,1364}$/),
})
export type PasskeyLock = z.infer<typeof passkeyLockSchema>

/** The secret of who receives, locked with what the server does not have. */
const secretLockSchema = z.discriminatedUnion('by', [textLockSchema, passkeyLockSchema])

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

import type { Receiver, SecretLock } from '@floe/contracts'
import {
  createReceiverSecret,
  createRecoveryCode,
  createShareKey,
  encodeKey,
  lockSecret,
  parseKey,
  publicKeyOf,
  readRecoveryCode,
  type ReceiverSecret,
  unlockSecret,
} from '@floe/encryption'
import { lockInWorker } from '../../shared/encryption/lock.ts'

export const LEAST_PASSPHRASE_LENGTH = 12

export interface NewReceiver {
  receiver: Receiver
  secret: ReceiverSecret
  /** Unlocks the secret where the passphrase is forgotten; kept nowhere. */
  recoveryCode: string
}

/** @throws NotSupportedError In browsers without X25519. */
export async function createReceiver(passphrase: string): Promise<NewReceiver> {
  const secret = createReceiverSecret()
  const recoveryCode = createRecoveryCode()
  const publicKey = await publicKeyOf(secret)
  const locks = [
    await lock(secret, { by: 'passphrase', text: passphrase }),
    await lock(secret, { by: 'recoveryCode', text: recoveryCode }),
  ]
  return { receiver: { publicKey, locks }, secret, recoveryCode }
}

async function lock(
  secret: ReceiverSecret,
  { by, text }: Pick<SecretLock, 'by'> & { text: string },
): Promise<SecretLock> {
  const salt = createShareKey()
  const { openingKey } = await lockInWorker(salt, text)
  return { by, salt: encodeKey(salt), locked: await lockSecret(secret, openingKey) }
}

/**
 * The secret behind the public key, by a passphrase or a recovery code; `null` where the text is
 * neither, or the server put another public key in the place of what was made.
 */
export async function unlockReceiver(
  { publicKey, locks }: Receiver,
  typed: string,
): Promise<ReceiverSecret | null> {
  const code = readRecoveryCode(typed)
  for (const { by, salt, locked } of locks) {
    const text = by === 'recoveryCode' ? code : typed
    const from = parseKey(salt)
    if (text === null || from === null) continue
    const { openingKey } = await lockInWorker(from, text)
    const secret = await unlockSecret(locked, openingKey)
    if (secret !== null && (await publicKeyOf(secret)) === publicKey) return secret
  }
  return null
}

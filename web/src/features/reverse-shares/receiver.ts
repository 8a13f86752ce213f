import type { PasskeyLock, Receiver, TextLock } from '@floe/contracts'
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
import { findPasskeyKey, makePasskeyKey } from '../../shared/passkeys/passkey-key.ts'

export const LEAST_PASSPHRASE_LENGTH = 12

export interface NewReceiver {
  receiver: Receiver
  secret: ReceiverSecret
  /** Unlocks the secret where the passphrase is forgotten; kept nowhere. */
  recoveryCode: string
}

/**
 * @param hasPasskey One that somebody picks opens it, too.
 * @throws NotSupportedError In browsers without X25519.
 * @throws What `makePasskeyKey` does.
 */
export async function createReceiver(
  passphrase: string,
  { hasPasskey = false } = {},
): Promise<NewReceiver> {
  const secret = createReceiverSecret()
  const recoveryCode = createRecoveryCode()
  const publicKey = await publicKeyOf(secret)
  // First: browsers ask for passkeys only shortly after a click.
  const passkeys = hasPasskey ? [await lockByPasskey(secret)] : []
  const texts = [
    await lockByText(secret, { by: 'passphrase', text: passphrase }),
    await lockByText(secret, { by: 'recoveryCode', text: recoveryCode }),
  ]
  return { receiver: { publicKey, locks: [...texts, ...passkeys] }, secret, recoveryCode }
}

async function lockByText(
  secret: ReceiverSecret,
  { by, text }: Pick<TextLock, 'by'> & { text: string },
): Promise<TextLock> {
  const salt = createShareKey()
  const { openingKey } = await lockInWorker(salt, text)
  return { by, salt: encodeKey(salt), locked: await lockSecret(secret, openingKey) }
}

async function lockByPasskey(secret: ReceiverSecret): Promise<PasskeyLock> {
  const salt = createShareKey()
  const { credential, key } = await makePasskeyKey(salt)
  const locked = await lockSecret(secret, key)
  return { by: 'passkey', credential, salt: encodeKey(salt), locked }
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
  for (const lock of locks) {
    const text = lock.by === 'recoveryCode' ? code : typed
    const salt = parseKey(lock.salt)
    if (lock.by === 'passkey' || text === null || salt === null) continue
    const { openingKey } = await lockInWorker(salt, text)
    const secret = await openLock(lock.locked, openingKey, publicKey)
    if (secret !== null) return secret
  }
  return null
}

export function passkeyLocksOf({ locks }: Receiver): PasskeyLock[] {
  return locks.filter((lock) => lock.by === 'passkey')
}

/**
 * By a passkey; `null` where the server put another public key in the place of what was made.
 *
 * @throws What `findPasskeyKey` does.
 */
export async function unlockByPasskey(receiver: Receiver): Promise<ReceiverSecret | null> {
  const locks = passkeyLocksOf(receiver)
  const salts = locks.flatMap(({ credential, salt: text }) => {
    const salt = parseKey(text)
    return salt === null ? [] : [[credential, salt] as const]
  })
  const { credential, key } = await findPasskeyKey(new Map(salts))
  const used = locks.find((lock) => lock.credential === credential)
  return used ? openLock(used.locked, key, receiver.publicKey) : null
}

async function openLock(
  locked: string,
  key: Uint8Array<ArrayBuffer>,
  publicKey: string,
): Promise<ReceiverSecret | null> {
  const secret = await unlockSecret(locked, key)
  return secret !== null && (await publicKeyOf(secret)) === publicKey ? secret : null
}

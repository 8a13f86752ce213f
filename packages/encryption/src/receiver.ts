import { HEADER_BYTES, SEGMENT_OVERHEAD_BYTES, startDecryption, startEncryption } from '@floe/aead'
import { AEAD_AES_256_GCM, CipherSuite, KDF_HKDF_SHA256, KEM_DHKEM_X25519_HKDF_SHA256 } from 'hpke'
import { fromBase64Url, toBase64Url } from './base64url.ts'
import {
  associatedWith,
  deriveKey,
  encodeKey,
  KEY_BYTES,
  parseKey,
  type ShareKey,
} from './share-key.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** 32 random bytes, from which the key pair of who receives is derived (RFC 9180, section 7.1.3). */
export type ReceiverSecret = Bytes

/** The encapsulated secret of X25519, and a share key with the tag of AES-GCM. */
const ENCAPSULATED_BYTES = 32
const TAG_BYTES = 16
const SEALED_KEY_BYTES = ENCAPSULATED_BYTES + KEY_BYTES + TAG_BYTES
/** A ciphertext of FLOE with one segment. */
const LOCKED_SECRET_BYTES = HEADER_BYTES + SEGMENT_OVERHEAD_BYTES + KEY_BYTES

const SEALED_KEY = 'sealed share key'
const SECRET = 'receiver secret'

export function createReceiverSecret(): ReceiverSecret {
  return crypto.getRandomValues(new Uint8Array(KEY_BYTES))
}

/** What senders seal with: 43 characters of base64url. */
export async function publicKeyOf(secret: ReceiverSecret): Promise<string> {
  const suite = createSuite()
  const { publicKey } = await suite.DeriveKeyPair(secret)
  return encodeKey(new Uint8Array(await suite.SerializePublicKey(publicKey)))
}

/**
 * The key of a share, for the receiver alone: HPKE (RFC 9180) in base mode, so that it tells nothing
 * of who sealed it.
 *
 * @throws RangeError Where that is no public key.
 */
export async function sealShareKey(publicKey: string, shareKey: ShareKey): Promise<string> {
  const bytes = parseKey(publicKey)
  if (bytes === null) throw new RangeError('No public key')
  const suite = createSuite()
  const { encapsulatedSecret, ciphertext } = await suite.Seal(
    await suite.DeserializePublicKey(bytes),
    shareKey,
    { info: associatedWith(SEALED_KEY) },
  )
  return toBase64Url(new Uint8Array([...encapsulatedSecret, ...ciphertext]))
}

/** `null` where it was sealed to somebody else, or is not what was sealed. */
export async function openShareKey(
  secret: ReceiverSecret,
  sealed: string,
): Promise<ShareKey | null> {
  const bytes = fromBase64Url(sealed, SEALED_KEY_BYTES)
  if (bytes === null) return null
  const suite = createSuite()
  const keyPair = await suite.DeriveKeyPair(secret)
  const encapsulated = bytes.subarray(0, ENCAPSULATED_BYTES)
  const info = associatedWith(SEALED_KEY)
  return suite.Open(keyPair, encapsulated, bytes.subarray(ENCAPSULATED_BYTES), { info }).then(
    (shareKey) => new Uint8Array(shareKey),
    () => null,
  )
}

/** The secret of a receiver as the server keeps it, who has nothing that opens it. */
export async function lockSecret(secret: ReceiverSecret, openingKey: Bytes): Promise<string> {
  const encryption = await startEncryption(
    await deriveKey(openingKey, SECRET),
    associatedWith(SECRET),
  )
  const segment = await encryption.encryptSegment(secret, 0, true)
  return toBase64Url(new Uint8Array([...encryption.header, ...segment]))
}

/** `null` where another key locked it. */
export async function unlockSecret(
  locked: string,
  openingKey: Bytes,
): Promise<ReceiverSecret | null> {
  const bytes = fromBase64Url(locked, LOCKED_SECRET_BYTES)
  if (bytes === null) return null
  const key = await deriveKey(openingKey, SECRET)
  const open = async () => {
    const header = bytes.slice(0, HEADER_BYTES)
    const decryption = await startDecryption(key, associatedWith(SECRET), header)
    return decryption.decryptSegment(bytes.slice(HEADER_BYTES), 0, true)
  }
  return open().catch(() => null)
}

function createSuite(): CipherSuite {
  return new CipherSuite(KEM_DHKEM_X25519_HKDF_SHA256, KDF_HKDF_SHA256, AEAD_AES_256_GCM)
}

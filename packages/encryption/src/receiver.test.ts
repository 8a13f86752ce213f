import {
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
} from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  createReceiverSecret,
  createRecoveryCode,
  createShareKey,
  encodeKey,
  linkToReceiver,
  lockSecret,
  openShareKey,
  publicKeyOf,
  readRecoveryCode,
  receiverOfLink,
  sealShareKey,
  unlockSecret,
} from './index.ts'

/**
 * Base mode of RFC 9180 with DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and AES-256-GCM, as a receiver
 * reads it, without the library that seals.
 */
function openByRfc9180(secret: Uint8Array, sealed: Buffer, info: string): Buffer {
  const none = Buffer.alloc(0)
  const kem = Buffer.from('KEM\0\x20', 'latin1')
  const suite = Buffer.from('HPKE\0\x20\0\x01\0\x02', 'latin1')
  const hmac = (key: Buffer, data: Buffer) => createHmac('sha256', key).update(data).digest()
  const extract = (id: Buffer, salt: Buffer, label: string, from: Buffer) =>
    hmac(salt, Buffer.concat([Buffer.from('HPKE-v1'), id, Buffer.from(label), from]))
  const expand = (id: Buffer, key: Buffer, label: string, context: Buffer, count: number) => {
    const head = Buffer.from([0, count])
    const of = Buffer.concat([head, Buffer.from('HPKE-v1'), id, Buffer.from(label), context])
    return hmac(key, Buffer.concat([of, Buffer.from([1])])).subarray(0, count)
  }
  const derived = extract(kem, none, 'dkp_prk', Buffer.from(secret))
  const scalar = expand(kem, derived, 'sk', none, 32)
  const privateKey = createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b656e04220420', 'hex'), scalar]),
    ...{ format: 'der', type: 'pkcs8' },
  })
  const ownPoint = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)
  const encapsulated = sealed.subarray(0, 32)
  const publicKey = createPublicKey({
    key: Buffer.concat([Buffer.from('302a300506032b656e032100', 'hex'), encapsulated]),
    ...{ format: 'der', type: 'spki' },
  })
  const shared = expand(
    kem,
    extract(kem, none, 'eae_prk', diffieHellman({ privateKey, publicKey })),
    'shared_secret',
    Buffer.concat([encapsulated, ownPoint]),
    32,
  )
  const context = Buffer.concat([
    Buffer.from([0]),
    extract(suite, none, 'psk_id_hash', none),
    extract(suite, none, 'info_hash', Buffer.from(info)),
  ])
  const scheduled = extract(suite, shared, 'secret', none)
  const key = expand(suite, scheduled, 'key', context, 32)
  const nonce = expand(suite, scheduled, 'base_nonce', context, 12)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce)
  decipher.setAuthTag(sealed.subarray(-16))
  return Buffer.concat([decipher.update(sealed.subarray(32, -16)), decipher.final()])
}

const changed = (text: string) => (text.startsWith('A') ? `B${text.slice(1)}` : `A${text.slice(1)}`)

describe('the key of a share', () => {
  test('is sealed to who has the secret of a public key, as RFC 9180 has it', async () => {
    const [secret, shareKey] = [createReceiverSecret(), createShareKey()]
    const sealed = Buffer.from(await sealShareKey(await publicKeyOf(secret), shareKey), 'base64url')
    const info = 'floe-share/1 sealed share key'
    expect(openByRfc9180(secret, sealed, info)).toEqual(Buffer.from(shareKey))
  })

  test('is opened by the receiver, and is nothing to everybody else', async () => {
    const [secret, shareKey] = [createReceiverSecret(), createShareKey()]
    const sealed = await sealShareKey(await publicKeyOf(secret), shareKey)
    expect(sealed).toMatch(/^[\w-]{107}$/)
    expect(await openShareKey(secret, sealed)).toEqual(shareKey)
    expect(await openShareKey(createReceiverSecret(), sealed)).toBeNull()
    expect(await openShareKey(secret, changed(sealed))).toBeNull()
    expect(await openShareKey(secret, sealed.slice(1))).toBeNull()
  })

  test('is sealed anew each time, and to nothing that is no public key', async () => {
    const publicKey = await publicKeyOf(createReceiverSecret())
    const shareKey = createShareKey()
    const both = [await sealShareKey(publicKey, shareKey), await sealShareKey(publicKey, shareKey)]
    expect(new Set(both).size).toBe(2)
    await expect(sealShareKey('abc', shareKey)).rejects.toThrow(RangeError)
  })
})

describe('the secret of a receiver', () => {
  test('is what it was once it is unlocked, by the same key alone', async () => {
    const [secret, key] = [createReceiverSecret(), createShareKey()]
    const locked = await lockSecret(secret, key)
    expect(locked).toMatch(/^[\w-]{184}$/)
    expect(await unlockSecret(locked, key)).toEqual(secret)
    expect(await unlockSecret(locked, createShareKey())).toBeNull()
    expect(await unlockSecret(changed(locked), key)).toBeNull()
    expect(await unlockSecret('', key)).toBeNull()
  })

  test('has one public key', async () => {
    const secret = Uint8Array.from({ length: 32 }, (_, index) => index)
    expect(await publicKeyOf(secret)).toBe(await publicKeyOf(secret))
    expect(await publicKeyOf(createReceiverSecret())).not.toBe(await publicKeyOf(secret))
  })
})

test('a link says to whom files are sealed, and where it was cut, that it is', async () => {
  const publicKey = await publicKeyOf(createReceiverSecret())
  const link = linkToReceiver('https://floe.example/upload/abc', publicKey)
  expect(link).toBe(`https://floe.example/upload/abc#r=${publicKey}`)
  expect(receiverOfLink(link)).toBe(publicKey)
  expect(receiverOfLink(link.slice(0, -1))).toBe(publicKey.slice(0, -1))
  expect(receiverOfLink(`https://floe.example/upload/abc#k=${encodeKey(createShareKey())}`)).toBe(
    null,
  )
})

test('a recovery code is read however it is typed, and nothing else is one', () => {
  const code = createRecoveryCode()
  expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){4}$/)
  expect(readRecoveryCode(` ${code.toUpperCase().replaceAll('-', ' ')}`)).toBe(code)
  expect(readRecoveryCode(code.slice(1))).toBeNull()
  expect(readRecoveryCode('correct horse battery')).toBeNull()
  expect(createRecoveryCode()).not.toBe(code)
})

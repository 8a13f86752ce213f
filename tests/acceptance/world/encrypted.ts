import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Receiver } from '@floe/contracts'
import {
  beginFile,
  type ContentKey,
  createReceiverSecret,
  createShareKey,
  encodeKey,
  encryptManifest,
  lockSecret,
  publicKeyOf,
  type ShareKey,
} from '@floe/encryption'
import { expect } from 'vitest'
import type { Client } from './http-client.ts'
import { addFile, completeShare, newShareId } from './shares.ts'

/** A share whose stored files are exactly these, as a sender of any kind may make it; its path. */
export async function craftEncrypted(
  owner: Client,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<string> {
  const id = newShareId()
  const created = await owner.send('POST', '/api/shares', {
    json: { id, expiration: '1-day', recipients: [], encrypted: true },
  })
  expect(created.status, created.text).toBe(201)
  for (const [name, content] of Object.entries(files)) {
    await addFile(owner, id, name, Buffer.from(content))
  }
  await completeShare(owner, id)
  return `/s/${id}`
}

/** Somebody new to whom a reverse share may be encrypted, whose passphrase nobody knows. */
export async function createReceiver(): Promise<Receiver> {
  const secret = createReceiverSecret()
  const key = createShareKey()
  const locked = await lockSecret(secret, key)
  const lock = { by: 'passphrase' as const, salt: encodeKey(key), locked }
  return { publicKey: await publicKeyOf(secret), locks: [lock] }
}

/** A file of one segment. */
export async function sealFile(key: ContentKey, id: string, text: Uint8Array): Promise<Uint8Array> {
  const encryption = await beginFile(key, id)
  return Buffer.concat([
    encryption.header,
    await encryption.encryptSegment(new Uint8Array(text), 0, true),
  ])
}

/** Of texts by their names, which are stored by these ids; the key is that of the files too. */
export async function sealManifest(
  key: ShareKey,
  files: Readonly<Record<string, Buffer>>,
  ids: readonly string[],
): Promise<Uint8Array> {
  return encryptManifest(key, {
    contentKey: key,
    files: Object.entries(files).map(([name, text], index) => ({
      id: ids[index] ?? '',
      name,
      size: text.length,
      crc32: crc32(text).toString(16).padStart(8, '0'),
      sha256: createHash('sha256').update(text).digest('hex'),
    })),
  })
}

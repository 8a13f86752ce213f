import { hkdfSync } from 'node:crypto'
import { hashRaw } from '@node-rs/argon2'
import { describe, expect, test } from 'vitest'
import { createShareKey, encodeKey, lockWithPassword } from './index.ts'

/** As `@node-rs/argon2` numbers it. */
const ARGON2ID = 2
const key = Uint8Array.from({ length: 32 }, (_, index) => index)
const PASSWORD = 'correct horse, pâte à choux'

function hkdf(from: Uint8Array, purpose: string, count: number): Buffer {
  return Buffer.from(hkdfSync('sha256', from, '', `floe-share/1 ${purpose}`, count))
}

describe('a password', () => {
  test('makes of a key what it has always made of it', async () => {
    const { openingKey, gate } = await lockWithPassword(key, PASSWORD)
    expect(encodeKey(openingKey)).toBe('4WRdrEtsBag_YD4FwNn6YjyoqtUJQRK62I1VgPnTQX0')
    expect(gate).toBe('6EgddMQLWX3oUBL1GnIJew')
  })

  test('makes of a key what another implementation of Argon2id makes of it', async () => {
    const stretched = await hashRaw(PASSWORD.normalize('NFC'), {
      algorithm: ARGON2ID,
      salt: hkdf(key, 'password salt', 16),
      ...{ memoryCost: 64 * 1024, timeCost: 3, parallelism: 1, outputLen: 32 },
    })
    const { openingKey, gate } = await lockWithPassword(key, PASSWORD)
    expect(gate).toBe(hkdf(stretched, 'gate', 16).toString('base64url'))
    const both = Buffer.concat([key, stretched])
    expect(Buffer.from(openingKey)).toEqual(hkdf(both, 'opening key', 32))
  })

  test('is the same however its characters were written', async () => {
    const [composed, decomposed] = ['NFC', 'NFD'].map((form) => PASSWORD.normalize(form))
    expect(composed).not.toBe(decomposed)
    expect(await lockWithPassword(key, decomposed ?? '')).toEqual(
      await lockWithPassword(key, composed ?? ''),
    )
  })

  test('makes something else of another key, and another password of this one', async () => {
    const locks = [
      await lockWithPassword(key, PASSWORD),
      await lockWithPassword(createShareKey(), PASSWORD),
      await lockWithPassword(key, `${PASSWORD} `),
    ]
    expect(new Set(locks.map(({ gate }) => gate)).size).toBe(3)
    expect(new Set(locks.map(({ openingKey }) => encodeKey(openingKey))).size).toBe(3)
  })
})

import { BATCH_TYPE, encodeManifest } from '@floe/contracts'
import { createShareKey, sealShareKey } from '@floe/encryption'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { signInAsAdmin, signUp } from './world/accounts.ts'
import { makeToken } from './world/api-tokens.ts'
import { onBothArrangements } from './world/arrangements.ts'
import { createReceiver } from './world/encrypted.ts'
import type { Client, HttpResponse } from './world/http-client.ts'
import { changeSettings } from './world/mail.ts'
import { createReverseShare, openSender, reverseShareInput } from './world/reverse-shares.ts'
import { codeOf, createShare, newShareId, publishShare, sendChunk } from './world/shares.ts'
import { append, beginUpload, createUpload } from './world/tus.ts'

const shareInput = () => ({ id: newShareId(), expiration: '1-day', recipients: [] })

onBothArrangements('where encryption is required', (floe) => {
  let admin: Client
  let owner: Client
  let token: string
  /** Begun, published and made while everything was taken. */
  let begun: string
  let published: string
  let upload: string
  let reverseShare: string

  const require = (value: string) => changeSettings(admin, [{ key: 'share.encryption', value }])

  beforeAll(async () => {
    admin = await signInAsAdmin(floe)
    owner = await signUp(floe)
    ;({ token } = await makeToken(owner, { scopes: ['shares:write'] }))
    begun = await createShare(owner)
    upload = await beginUpload(owner, { shareId: begun, filename: 'a.bin', lengthBytes: 1 })
    ;({ id: published } = await publishShare(owner, { 'a.txt': 'x' }))
    reverseShare = await createReverseShare(owner)
    await require('required')
    await vi.waitFor(async () => {
      const response = await owner.send('POST', '/api/shares', { json: shareInput() })
      expect(codeOf(response)).toBe('encryption_required')
    })
  })
  afterAll(() => require('allowed'))

  function sendBatch(): Promise<HttpResponse> {
    const head = encodeManifest([{ id: randomUUID(), name: 'b.txt', sizeBytes: 1 }])
    return owner.send('POST', `/api/shares/${begun}/files/batch`, {
      bytes: Buffer.concat([head, Buffer.from('x')]),
      headers: { 'Content-Type': BATCH_TYPE },
    })
  }

  const authorization = () => ({ Authorization: `Bearer ${token}` })

  test.each<[string, () => Promise<HttpResponse>]>([
    ['a new share', () => owner.send('POST', '/api/shares', { json: shareInput() })],
    ['a whole file', () => sendChunk(owner, begun, { name: 'b.txt' }, 'x')],
    ['an upload', () => createUpload(owner, { shareId: begun, filename: 'b', lengthBytes: 1 })],
    ['files together', sendBatch],
    [
      'a published share, opened again',
      () => owner.send('DELETE', `/api/shares/${published}/complete`),
    ],
    ['curl -T', () => owner.send('PUT', '/up/a.txt', { bytes: 'x', headers: authorization() })],
  ])('plain bytes are not taken by way of %s', async (_, send) => {
    const response = await send()
    expect([response.status, codeOf(response)]).toEqual([403, 'encryption_required'])
  })

  test('an upload that was begun before ends there', async () => {
    expect(codeOf(await append(owner, upload, 0, 'x'))).toBe('share_locked')
  })

  test('reverse shares without a receiver are off, those that were made before too', async () => {
    const made = await owner.send('POST', '/api/reverseShares', { json: reverseShareInput })
    expect(codeOf(made)).toBe('encryption_required')
    const sender = openSender(owner, reverseShare)
    const sent = await sender.send('POST', '/api/shares', { json: shareInput() })
    expect([403, 'reverse_shares_disabled']).toEqual([sent.status, codeOf(sent)])
  })

  test('through a reverse share with a receiver only sealed shares are sent', async () => {
    const receiver = await createReceiver()
    const sender = openSender(owner, await createReverseShare(owner, { receiver }))
    const plain = await sender.send('POST', '/api/shares', { json: shareInput() })
    expect(codeOf(plain)).toBe('encryption_required')
    const sealedKey = await sealShareKey(receiver.publicKey, createShareKey())
    const json = { ...shareInput(), encrypted: true, sealedKey }
    expect((await sender.send('POST', '/api/shares', { json })).status).toBe(201)
    expect((await sendChunk(sender, json.id, { name: 'c' }, 'x')).status).toBe(201)
  })

  test('an encrypted share is taken, and what was published is read as before', async () => {
    const json = { ...shareInput(), encrypted: true }
    expect((await owner.send('POST', '/api/shares', { json })).status).toBe(201)
    expect((await sendChunk(owner, json.id, { name: 'c' }, 'x')).status).toBe(201)
    expect((await owner.send('GET', `/api/shares/${published}`)).status).toBe(200)
  })
})

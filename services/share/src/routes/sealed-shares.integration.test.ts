import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Browser } from '../testing/browser.ts'
import {
  beginSending,
  complete,
  createReverseShare,
  readOwn,
  reverseShareInput,
  sendShare,
} from '../testing/reverse-shares.ts'
import { newShareId, openShareWorld, shareInput, type ShareWorld } from '../testing/share-world.ts'

const lock = { salt: 'S'.repeat(43), locked: 'L'.repeat(184) }
const receiver = {
  publicKey: 'P'.repeat(43),
  locks: [
    { ...lock, by: 'passphrase' },
    { ...lock, by: 'passkey', credential: 'AQID' },
  ],
}
const sealedKey = 'K'.repeat(107)

let world: ShareWorld
let owner: Browser
beforeAll(async () => {
  world = await openShareWorld()
})
beforeEach(() => {
  owner = world.signIn().browser
})
afterAll(() => world.close())
afterEach(() => {
  world.settings['share.encryption'] = 'allowed'
  expect(world.failures).toEqual([])
})

const refused = (code: string) => ({ status: 403, body: { code } })
const create = (rest: Record<string, unknown>) =>
  owner.send('POST', '/api/reverseShares', { body: reverseShareInput(rest) })

function openSender(token: string): Browser {
  const sender = world.visit()
  sender.cookies.set('reverse_share_token', token)
  return sender
}

const begin = (sender: Browser, rest: Record<string, unknown>) =>
  sender.send('POST', '/api/shares', { body: shareInput(newShareId(), rest) })

it('senders are told the public key, and only the owner what unlocks the secret', async () => {
  const token = await createReverseShare(owner, { receiver })
  const seen = await world.visit().send('GET', `/api/reverseShares/${token}`)
  expect(seen.body).toMatchObject({ publicKey: receiver.publicKey })
  expect(JSON.stringify(seen.body)).not.toContain(lock.locked)
  expect((await readOwn(owner, token)).receiver).toEqual(receiver)
  const plain = await createReverseShare(owner)
  expect((await readOwn(owner, plain)).receiver).toBeUndefined()
  const plainSeen = await world.visit().send('GET', `/api/reverseShares/${plain}`)
  expect(plainSeen.body).not.toHaveProperty('publicKey')
})

it('what is sent has its key for the owner, whom alone it is told', async () => {
  const token = await createReverseShare(owner, { receiver })
  const sender = world.visit()
  const id = await beginSending(world, { sender, token }, { encrypted: true, sealedKey })
  await world.addFile(id)
  expect((await complete(sender, id)).status).toBe(202)
  const { shares } = await readOwn(owner, token)
  // Of two that are stored one names the other.
  expect(shares).toMatchObject([{ id, sealedKey, fileCount: 1 }])
})

it('what is sent is for the owner alone, who cannot open it to others', async () => {
  const token = await createReverseShare(owner, { receiver, publicAccess: true })
  const id = await sendShare(
    world,
    { sender: world.visit(), token },
    { encrypted: true, sealedKey },
  )
  const entered = await world.visit().send('POST', `/api/shares/${id}/token`, { body: {} })
  expect(entered).toMatchObject(refused('private_share'))
  const { id: reverseShareId, publicAccess } = await readOwn(owner, token)
  expect(publicAccess).toBe(false)
  const path = `/api/reverseShares/${reverseShareId}`
  const opened = await owner.send('PATCH', path, { body: { publicAccess: true } })
  expect(opened.body).toMatchObject({ code: 'reverse_share_must_be_private' })
})

it.each([
  ['nothing said of it', {}],
  ['a sealed key alone', { sealedKey }],
  ['no sealed key', { encrypted: true }],
])('a share with %s is not taken where all must be sealed', async (_, rest) => {
  const sender = openSender(await createReverseShare(owner, { receiver }))
  expect(await begin(sender, rest)).toMatchObject(refused('encryption_required'))
})

it('what is no sealed key, and no receiver, is refused', async () => {
  const sender = openSender(await createReverseShare(owner, { receiver }))
  const invalid = { status: 400, body: { code: 'validation_failed' } }
  expect(await begin(sender, { encrypted: true, sealedKey: 'abc' })).toMatchObject(invalid)
  for (const wrong of [
    { ...receiver, publicKey: 'abc' },
    { ...receiver, locks: [] },
    { ...receiver, locks: [{ ...lock, by: 'mail' }] },
    { ...receiver, locks: [{ ...lock, by: 'passkey' }] },
    { ...receiver, locks: [{ ...lock, by: 'passkey', credential: 'no base64!' }] },
    { ...receiver, locks: Array.from({ length: 9 }, () => receiver.locks[0]) },
  ]) {
    expect(await create({ receiver: wrong })).toMatchObject(invalid)
  }
})

it('a key that nobody receives is not kept', async () => {
  const body = shareInput(newShareId(), { encrypted: true, sealedKey })
  expect((await owner.send('POST', '/api/shares', { body })).status).toBe(201)
  const row = await world.database.knex('shares').where({ id: body.id }).first()
  expect(row.sealed_key).toBeNull()
})

it('where encryption is required those with a receiver are taken, and the others are off', async () => {
  const [sealed, plain] = [
    await createReverseShare(owner, { receiver }),
    await createReverseShare(owner),
  ]
  world.settings['share.encryption'] = 'required'
  expect(await create({})).toMatchObject(refused('encryption_required'))
  expect((await create({ receiver })).status).toBe(201)
  expect(await begin(openSender(plain), {})).toMatchObject(refused('reverse_shares_disabled'))
  const sent = await begin(openSender(sealed), { encrypted: true, sealedKey })
  expect(sent.status).toBe(201)
})

it('where encryption is off those with a receiver are off, and the others are taken', async () => {
  const [sealed, plain] = [
    await createReverseShare(owner, { receiver }),
    await createReverseShare(owner),
  ]
  world.settings['share.encryption'] = 'off'
  expect(await create({ receiver })).toMatchObject(refused('encryption_disabled'))
  const sender = openSender(sealed)
  const sent = await begin(sender, { encrypted: true, sealedKey })
  expect(sent).toMatchObject(refused('reverse_shares_disabled'))
  expect((await begin(openSender(plain), {})).status).toBe(201)
})

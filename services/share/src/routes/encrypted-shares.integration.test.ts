import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createReverseShare } from '../testing/reverse-shares.ts'
import { newShareId, openShareWorld, shareInput, type ShareWorld } from '../testing/share-world.ts'

let world: ShareWorld
beforeAll(async () => {
  world = await openShareWorld()
})
afterAll(() => world.close())
afterEach(() => {
  world.settings['share.encryption'] = 'allowed'
  expect(world.failures).toEqual([])
})

const refused = { status: 403, body: { code: 'encryption_disabled' } }

it('an encrypted share says so to its visitors, its owner and administrators, another one to nobody', async () => {
  const { browser } = world.signIn()
  const admin = world.signIn({ isAdmin: true }).browser
  for (const encrypted of [true, false]) {
    const id = newShareId()
    const created = await browser.send('POST', '/api/shares', {
      body: shareInput(id, { encrypted }),
    })
    expect(created.status).toBe(201)
    await world.addFile(id, { scan: { state: 'clean' } })
    expect((await browser.send('POST', `/api/shares/${id}/complete`)).status).toBe(202)
    const visitor = world.visit()
    await visitor.send('POST', `/api/shares/${id}/token`, { body: {} })
    const views = [
      (await visitor.send('GET', `/api/shares/${id}`)).body,
      (await browser.send('GET', `/api/shares/${id}/from-owner`)).body,
      (await browser.send('GET', `/api/shares/${id}/receipts`)).body,
      ((await admin.send('GET', '/api/shares/all')).body as { id: string }[]).find(
        (share) => share.id === id,
      ),
    ]
    for (const view of views) {
      if (encrypted) expect(view).toMatchObject({ id, encrypted: true })
      else expect(view).not.toHaveProperty('encrypted')
    }
    // To a scanner every ciphertext is clean.
    expect(JSON.stringify(views).includes('clean')).toBe(!encrypted)
  }
})

it('the archive of an encrypted share is not compressed', async () => {
  world.settings['share.zipCompressionLevel'] = 9
  const { browser } = world.signIn()
  const levels: unknown[] = []
  for (const encrypted of [true, false]) {
    const id = newShareId()
    await browser.send('POST', '/api/shares', { body: shareInput(id, { encrypted }) })
    await world.addFile(id)
    await browser.send('POST', `/api/shares/${id}/complete`)
    const row = await world.database.knex('shares').where({ id }).first()
    levels.push(row.archive_level)
  }
  expect(levels).toEqual([0, 9])
})

it('completing does not make a share an encrypted one', async () => {
  const { browser } = world.signIn()
  const id = newShareId()
  await browser.send('POST', '/api/shares', { body: shareInput(id) })
  await world.addFile(id)
  await browser.send('POST', `/api/shares/${id}/complete`, { body: { encrypted: true } })
  const { body } = await browser.send('GET', `/api/shares/${id}/from-owner`)
  expect(body).not.toHaveProperty('encrypted')
})

it('none is begun where they are off, and others are as before', async () => {
  world.settings['share.encryption'] = 'off'
  const { browser } = world.signIn()
  const body = shareInput(newShareId(), { encrypted: true })
  expect(await browser.send('POST', '/api/shares', { body })).toMatchObject(refused)
  expect(
    (await browser.send('POST', '/api/shares', { body: shareInput(newShareId()) })).status,
  ).toBe(201)
})

it('none is sent through a reverse share without a receiver, whose owner would get a link without the key', async () => {
  const token = await createReverseShare(world.signIn().browser)
  const sender = world.visit()
  sender.cookies.set('reverse_share_token', token)
  const body = shareInput(newShareId(), { encrypted: true })
  expect(await sender.send('POST', '/api/shares', { body })).toMatchObject(refused)
})

it('its files are those that were sent: no editor adds one that lies there as it is', async () => {
  const { browser } = world.signIn()
  const id = newShareId()
  await browser.send('POST', '/api/shares', { body: shareInput(id, { encrypted: true }) })
  await world.addFile(id)
  await browser.send('POST', `/api/shares/${id}/complete`)
  const reopened = await browser.send('DELETE', `/api/shares/${id}/complete`)
  expect(reopened).toMatchObject({ status: 409, body: { code: 'share_encrypted' } })
  const { body } = await browser.send('GET', `/api/shares/${id}/from-owner`)
  expect(body).toMatchObject({ state: 'completed' })
})

it('its password, which is part of its key, stays as it was sent, and the rest can be changed', async () => {
  const { browser } = world.signIn()
  const id = newShareId()
  const gate = 'AAAAAAAAAAAAAAAAAAAAAA'
  await browser.send('POST', '/api/shares', {
    body: shareInput(id, { encrypted: true, security: { password: gate } }),
  })
  await world.addFile(id)
  expect((await browser.send('POST', `/api/shares/${id}/complete`)).status).toBe(202)
  const update = (body: object) => browser.send('PATCH', `/api/shares/${id}`, { body })
  for (const security of [{ password: 'another' }, { removePassword: true }]) {
    const refusal = { status: 409, body: { code: 'share_encrypted' } }
    expect(await update({ name: 'unseen', security })).toMatchObject(refusal)
  }
  const changed = await update({
    ...{ name: 'Trip', expiration: '2-days' },
    security: { maxViews: 3, removePassword: false },
  })
  expect(changed).toMatchObject({ status: 200, body: { name: 'Trip', hasPassword: true } })
  const enter = (password: string) =>
    world.visit().send('POST', `/api/shares/${id}/token`, { body: { password } })
  expect(await enter('another')).toMatchObject({ status: 403, body: { code: 'wrong_password' } })
  expect((await enter(gate)).status).toBe(200)
})

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Browser } from '../testing/browser.ts'
import {
  beginSending,
  complete,
  createReverseShare,
  readOwn,
  sendShare,
} from '../testing/reverse-shares.ts'
import {
  openShareWorld,
  publishShare,
  type ShareWorld,
  anonymousCredentials,
} from '../testing/share-world.ts'

let world: ShareWorld
let owner: Browser

beforeAll(async () => {
  world = await openShareWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  world.now = new Date('2026-05-01T12:00:00.000Z')
  world.settings['share.allowUnauthenticatedShares'] = false
  world.settings['share.maxSize'] = 0
  world.settings['smtp.enabled'] = false
  owner = world.signIn().browser
})
afterEach(() => expect(world.failures).toEqual([]))

const refusal = (status: number, code: string) => ({ status, body: { code } })
const credentialsOf = (browser: Browser, shareId: string) =>
  anonymousCredentials({
    accessToken: browser.cookies.get('access_token') ?? null,
    shareToken: browser.cookies.get(`share_${shareId}_token`) ?? null,
    ownerToken: browser.cookies.get(`share_${shareId}_owner_token`) ?? null,
  })

describe('who received a share', () => {
  it('reads and deletes it, and is told no recipients', async () => {
    const token = await createReverseShare(owner)
    const options = { recipients: ['a@example.org'], security: { password: 'pass', maxViews: 1 } }
    const id = await sendShare(world, { sender: world.visit(), token }, options)
    const path = `/api/shares/${id}`
    expect((await owner.send('GET', `${path}/from-owner`)).body).toMatchObject({
      files: [{ name: 'a.txt' }],
      recipients: [],
      views: 0,
    })
    const grant = await world.service.port.authorizeRead({
      shareId: id,
      access: 'direct',
      credentials: credentialsOf(owner, id),
    })
    expect(grant).toMatchObject({ shareId: id, isOwner: false })
    expect((await owner.send('GET', path)).status).toBe(200)
    expect((await owner.send('GET', `${path}/metaData`)).status).toBe(200)
    expect((await owner.send('POST', `${path}/token`, { body: {} })).status).toBe(200)
    expect((await owner.send('GET', `${path}/from-owner`)).body).toMatchObject({ views: 0 })

    expect(await world.signIn().browser.send('DELETE', path)).toMatchObject(
      refusal(403, 'share_anonymous_delete'),
    )
    expect((await owner.send('DELETE', path)).status).toBe(200)
    expect((await owner.send('GET', `${path}/from-owner`)).status).toBe(404)
    expect((await readOwn(owner, token)).shares).toEqual([])
  })

  it('sees nothing of it before it is completed, and what is published during an edit', async () => {
    const token = await createReverseShare(owner)
    const { browser: sender } = world.signIn()
    const id = await beginSending(world, { sender, token })
    const path = `/api/shares/${id}/from-owner`
    expect(await owner.send('GET', path)).toMatchObject(refusal(403, 'forbidden'))
    expect((await readOwn(owner, token)).shares).toEqual([])
    await complete(sender, id)
    await sender.send('DELETE', `/api/shares/${id}/complete`)
    await world.addFile(id, { name: 'b.txt' })
    expect((await owner.send('GET', path)).body).toMatchObject({ files: [{ name: 'a.txt' }] })
    expect((await sender.send('GET', path)).body).toMatchObject({
      files: [{ name: 'a.txt' }, { name: 'b.txt' }],
    })
  })

  it('is the only reader without public access, besides a sender who is signed in', async () => {
    const token = await createReverseShare(owner, { publicAccess: false })
    const anonymous = world.visit()
    const { browser: sender } = world.signIn()
    const [id, signed] = [
      await sendShare(world, { sender: anonymous, token }),
      await sendShare(world, { sender, token }),
    ]
    const reads = async (browser: Browser, shareId: string) => {
      const path = `/api/shares/${shareId}`
      const responses = [
        await browser.send('POST', `${path}/token`, { body: {} }),
        await browser.send('GET', path),
        await browser.send('GET', `${path}/metaData`),
      ]
      for (const access of ['visit', 'direct'] as const) {
        const credentials = credentialsOf(browser, shareId)
        const read = world.service.port.authorizeRead({ shareId, access, credentials })
        responses.push(
          await read.then(
            () => ({ ...responses[0]!, status: 200 }),
            (error: { code: string }) => ({ ...responses[0]!, status: 403, body: error }),
          ),
        )
      }
      return responses
    }
    const { browser: other } = world.signIn()
    const { browser: admin } = world.signIn({ isAdmin: true })
    for (const browser of [world.visit(), anonymous, other, admin]) {
      for (const response of await reads(browser, id)) {
        expect(response).toMatchObject(refusal(403, 'private_share'))
      }
    }
    for (const [browser, shareId] of [
      [owner, id],
      [owner, signed],
      [sender, signed],
    ] as const) {
      for (const response of await reads(browser, shareId)) expect(response.status).toBe(200)
    }
    expect((await owner.send('DELETE', `/api/shares/${id}`)).status).toBe(200)
  })

  it('can close what visitors were already in, and open it again', async () => {
    const token = await createReverseShare(owner)
    const id = await sendShare(world, { sender: world.visit(), token })
    const visitor = world.visit()
    await visitor.send('POST', `/api/shares/${id}/token`)
    const { id: reverseShareId } = await readOwn(owner, token)
    const setPublic = (publicAccess: boolean) =>
      owner.send('PATCH', `/api/reverseShares/${reverseShareId}`, { body: { publicAccess } })
    await setPublic(false)
    expect(await visitor.send('GET', `/api/shares/${id}`)).toMatchObject(
      refusal(403, 'private_share'),
    )
    await setPublic(true)
    expect((await visitor.send('GET', `/api/shares/${id}`)).status).toBe(200)
  })

  it('loses it on the second it ends, like everybody', async () => {
    const token = await createReverseShare(owner, { shareExpiration: '1-hour' })
    const id = await sendShare(world, { sender: world.visit(), token })
    world.now = new Date('2026-05-01T12:59:59.999Z')
    expect((await owner.send('GET', `/api/shares/${id}`)).status).toBe(200)
    world.now = new Date('2026-05-01T13:00:00.000Z')
    for (const browser of [owner, world.visit()]) {
      for (const path of [`/api/shares/${id}`, `/api/shares/${id}/metaData`]) {
        expect(await browser.send('GET', path)).toMatchObject(refusal(404, 'share_not_found'))
      }
    }
    const own = await owner.send('GET', `/api/shares/${id}/from-owner`)
    expect(own).toMatchObject(refusal(404, 'share_not_found'))
  })
})

describe('recipients', () => {
  it('are told to the owner alone, who changes them afterwards', async () => {
    const recipients = ['b@example.org', 'a@example.org']
    const id = await publishShare(world, owner, { recipients })
    const path = `/api/shares/${id}`
    const { browser: admin } = world.signIn({ isAdmin: true })
    expect((await admin.send('GET', `${path}/from-owner`)).body).toMatchObject({ recipients: [] })
    expect((await admin.send('PATCH', path, { body: { name: 'Shown' } })).body).toMatchObject({
      name: 'Shown',
      recipients: [],
    })
    const theirs = { body: { recipients: ['c@example.org'] } }
    expect(await admin.send('PATCH', path, theirs)).toMatchObject(refusal(403, 'forbidden'))
    const visitor = world.visit()
    await visitor.send('POST', `${path}/token`)
    expect((await visitor.send('GET', path)).body).not.toHaveProperty('recipients')

    const changed = await owner.send('PATCH', path, {
      body: { recipients: ['B@example.org', 'c@example.org', 'C@example.org'] },
    })
    expect(changed.body).toMatchObject({ recipients: ['b@example.org', 'c@example.org'] })
    const cleared = await owner.send('PATCH', path, { body: { recipients: [] } })
    expect(cleared.body).toMatchObject({ recipients: [] })
  })

  it('are addresses, and no more than a hundred', async () => {
    const id = await publishShare(world, owner)
    const many = Array.from({ length: 101 }, (_, index) => `user${index}@example.org`)
    for (const recipients of [['nobody'], ['a@example.org, b@example.org'], many, 'a@b.org']) {
      const response = await owner.send('PATCH', `/api/shares/${id}`, { body: { recipients } })
      expect(response).toMatchObject(refusal(400, 'validation_failed'))
    }
  })
})

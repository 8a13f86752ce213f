import type { OwnShare } from '@floe/contracts'
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
  newShareId,
  openShareWorld,
  shareInput,
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
const usesOf = async (token: string) => (await readOwn(owner, token)).remainingUses
const newShare = (browser: Browser, rest: Record<string, unknown> = {}) =>
  browser.send('POST', '/api/shares', { body: shareInput(newShareId(), rest) })
const receivedFrom = async (id: string) => {
  const { body } = await owner.send('GET', `/api/shares/${id}/from-owner`)
  return (body as OwnShare).senderName
}
const holder = (token: string, browser = world.visit()) => {
  browser.cookies.set('reverse_share_token', token)
  return browser
}
const credentialsOf = (browser: Browser, shareId: string) =>
  anonymousCredentials({
    accessToken: browser.cookies.get('access_token') ?? null,
    shareToken: browser.cookies.get(`share_${shareId}_token`) ?? null,
    ownerToken: browser.cookies.get(`share_${shareId}_owner_token`) ?? null,
  })

describe('a share through a reverse share', () => {
  it('needs no account and ends with the reverse share, whatever was asked for', async () => {
    const token = await createReverseShare(owner)
    world.settings['share.maxExpiration'] = 1
    const response = await newShare(holder(token), { expiration: 'never' })
    world.settings['share.maxExpiration'] = 0
    expect(response.status).toBe(201)
    expect(Object.keys(response.body as object)).toHaveLength(4)
    expect(response.body).toMatchObject({ expiration: '2026-05-08T12:00:00.000Z' })
    expect(response.setCookies[0]).toMatch(/_owner_token=/)
  })

  it('is not for anonymous visitors without the link, nor with one that is gone', async () => {
    expect(await newShare(world.visit())).toMatchObject(refusal(403, 'forbidden'))
    const usedUp = await createReverseShare(owner, { maxUseCount: 1 })
    await sendShare(world, { sender: world.visit(), token: usedUp })
    const ended = await createReverseShare(owner, { shareExpiration: '1-minute' })
    world.now = new Date('2026-05-01T12:01:00.000Z')
    for (const token of [usedUp, ended, 'no-such-link', 'x']) {
      expect(await newShare(holder(token))).toMatchObject(refusal(404, 'reverse_share_not_found'))
    }
  })

  it('belongs to nobody by a stale cookie when its maker needs no link', async () => {
    const ended = await createReverseShare(owner, { shareExpiration: '1-minute' })
    world.now = new Date('2026-05-01T12:01:00.000Z')
    const { browser } = world.signIn()
    for (const token of [ended, 'no-such-link', '']) {
      const response = await newShare(holder(token, browser))
      expect(response.status).toBe(201)
      const { id } = response.body as { id: string }
      const own = await browser.send('GET', `/api/shares/${id}/from-owner`)
      expect(own.body).not.toHaveProperty('reverseShare')
    }
  })

  it('follows what the request says before what a cookie says', async () => {
    const token = await createReverseShare(owner)
    const { browser } = world.signIn()
    const free = await newShare(holder(token, browser), { reverseShare: null })
    expect(free.body).toMatchObject({ expiration: '2026-05-08T12:00:00.000Z' })
    const { id } = free.body as { id: string }
    const own = await browser.send('GET', `/api/shares/${id}/from-owner`)
    expect(own.body).not.toHaveProperty('reverseShare')
    browser.cookies.delete('reverse_share_token')
    expect(await newShare(browser, { reverseShare: 'no-such-link' })).toMatchObject(
      refusal(404, 'reverse_share_not_found'),
    )
    const bound = await newShare(browser, { reverseShare: token })
    const { id: boundId } = bound.body as { id: string }
    const sent = await browser.send('GET', `/api/shares/${boundId}/from-owner`)
    const reverseShare = { id: (await readOwn(owner, token)).id, publicAccess: true }
    expect(sent.body).toMatchObject({ reverseShare })
  })

  it('waits for the password, signed in or not', async () => {
    const token = await createReverseShare(owner, { password: 'open sesame' })
    for (const browser of [world.visit(), world.signIn().browser]) {
      expect(await newShare(holder(token, browser))).toMatchObject(
        refusal(403, 'reverse_share_password_required'),
      )
      const path = `/api/reverseShares/${token}/access`
      await browser.send('POST', path, { body: { password: 'open sesame' } })
      expect((await newShare(browser)).status).toBe(201)
    }
  })

  it('carries the name that its sender gave when it was begun', async () => {
    const token = await createReverseShare(owner, { askSenderName: true })
    const sender = world.visit()
    const id = await sendShare(world, { sender, token }, { senderName: ' Ann ' })
    expect(await receivedFrom(id)).toBe('Ann')
  })

  it('may hold what its reverse share and all shares may hold', async () => {
    const token = await createReverseShare(owner, { maxShareSize: '1000' })
    const sender = world.visit()
    const id = await beginSending(world, { sender, token })
    const limits = async () => {
      const credentials = credentialsOf(sender, id)
      const { port } = world.service
      const { maxSizeBytes: granted } = await port.authorizeUpload({ shareId: id, credentials })
      const target = await port.uploadTarget({ shareUid: await world.uidOf(id) })
      return [granted, target.maxSizeBytes]
    }
    expect(await limits()).toEqual([1_000, 1_000])
    world.settings['share.maxSize'] = 2_000
    expect(await limits()).toEqual([1_000, 1_000])
    world.settings['share.maxSize'] = 500
    expect(await limits()).toEqual([500, 500])
  })

  it('is changed by nobody but its sender, and by a browser until it is completed', async () => {
    const token = await createReverseShare(owner)
    const sender = world.visit()
    const id = await beginSending(world, { sender, token })
    const upload = (browser: Browser) =>
      world.service.port.authorizeUpload({ shareId: id, credentials: credentialsOf(browser, id) })
    const others = [...[owner, world.signIn().browser], world.signIn({ isAdmin: true }).browser]
    for (const other of others) {
      await expect(upload(other)).rejects.toMatchObject({ code: 'forbidden' })
      expect(await complete(other, id)).toMatchObject(refusal(403, 'forbidden'))
    }
    await expect(upload(holder(token))).rejects.toMatchObject({ code: 'forbidden' })
    const elsewhere = { headers: { 'X-Forwarded-For': '192.0.2.1' } }
    expect(await holder(token).send('POST', `/api/shares/${id}/complete`, elsewhere)).toMatchObject(
      refusal(403, 'forbidden'),
    )
    await upload(sender)
    const rename = (browser: Browser) =>
      browser.send('PATCH', `/api/shares/${id}`, { body: { name: 'Changed' } })
    expect((await rename(sender)).status).toBe(200)
    expect((await complete(sender, id)).status).toBe(202)

    await expect(upload(sender)).rejects.toMatchObject({ code: 'share_locked' })
    expect(await complete(sender, id)).toMatchObject(refusal(400, 'share_already_completed'))
    const reopen = (browser: Browser) => browser.send('DELETE', `/api/shares/${id}/complete`)
    for (const browser of [sender, owner, holder(token)]) {
      expect(await reopen(browser)).toMatchObject(refusal(403, 'forbidden'))
      expect(await rename(browser)).toMatchObject(refusal(403, 'forbidden'))
    }
    expect(await sender.send('GET', `/api/shares/${id}/from-owner`)).toMatchObject(
      refusal(403, 'forbidden'),
    )
    expect(await sender.send('DELETE', `/api/shares/${id}`)).toMatchObject(
      refusal(403, 'share_anonymous_delete'),
    )
  })

  it('ends with its reverse share at the latest', async () => {
    const token = await createReverseShare(owner, { shareExpiration: '7-days' })
    const { browser: sender } = world.signIn()
    const id = await sendShare(world, { sender, token })
    const patch = (expiration: string) =>
      sender.send('PATCH', `/api/shares/${id}`, { body: { expiration } })
    for (const expiration of ['never', '8-days']) {
      expect(await patch(expiration)).toMatchObject(refusal(400, 'share_expiration_too_long'))
    }
    expect((await patch('6-days')).status).toBe(200)
  })
})

describe('the completion of what is sent', () => {
  it('takes the name of a sender without an account where that is asked for', async () => {
    const token = await createReverseShare(owner, { askSenderName: true })
    const sender = world.visit()
    const id = await beginSending(world, { sender, token }, { senderName: '  ' })
    for (const body of [undefined, {}, { senderName: '' }, { senderName: '   ' }]) {
      expect(await complete(sender, id, body)).toMatchObject(refusal(400, 'validation_failed'))
    }
    const tooLong = { senderName: 'a'.repeat(51) }
    expect(await complete(sender, id, tooLong)).toMatchObject(refusal(400, 'validation_failed'))
    expect(await usesOf(token)).toBe(2)
    const named = { senderName: ' Ann ', name: 'Quotes', description: 'All three' }
    expect(await complete(sender, id, named)).toMatchObject({
      status: 202,
      body: { name: 'Quotes', description: 'All three', expiration: '2026-05-08T12:00:00.000Z' },
    })
    expect(await receivedFrom(id)).toBe('Ann')
    expect(await usesOf(token)).toBe(1)
  })

  it('asks nobody for a name who has an account, or by a link that does not', async () => {
    const asking = await createReverseShare(owner, { askSenderName: true })
    const silent = await createReverseShare(owner)
    for (const [sender, token] of [
      [world.signIn().browser, asking],
      [world.visit(), silent],
    ] as const) {
      const id = await beginSending(world, { sender, token }, { senderName: 'Ann' })
      expect((await complete(sender, id, { senderName: 'Ann' })).status).toBe(202)
      expect(await receivedFrom(id)).toBeUndefined()
    }
  })

  it('asks for the name that its reverse share asks for by then', async () => {
    const token = await createReverseShare(owner)
    const sender = world.visit()
    const id = await beginSending(world, { sender, token })
    const path = `/api/reverseShares/${(await readOwn(owner, token)).id}`
    await owner.send('PATCH', path, { body: { askSenderName: true } })
    expect(await complete(sender, id)).toMatchObject(refusal(400, 'validation_failed'))
    expect((await complete(sender, id, { senderName: 'Ann' })).status).toBe(202)
    expect(await receivedFrom(id)).toBe('Ann')
  })

  it('keeps the end of its reverse share, or takes one before it', async () => {
    const token = await createReverseShare(owner)
    const sender = world.visit()
    const id = await beginSending(world, { sender, token })
    for (const expiration of ['never', '8-days']) {
      expect(await complete(sender, id, { expiration })).toMatchObject(
        refusal(400, 'share_expiration_too_long'),
      )
    }
    expect(await complete(sender, id, { expiration: '6-days' })).toMatchObject({
      status: 202,
      body: { expiration: '2026-05-07T12:00:00.000Z' },
    })
  })

  it('is not found once the reverse share is deleted or has ended', async () => {
    const deleted = await createReverseShare(owner)
    const ended = await createReverseShare(owner, { shareExpiration: '1-minute' })
    const sender = world.visit()
    const ids = [
      await beginSending(world, { sender, token: deleted }),
      await beginSending(world, { sender, token: ended }),
    ]
    await owner.send('DELETE', `/api/reverseShares/${(await readOwn(owner, deleted)).id}`)
    world.now = new Date('2026-05-01T12:01:00.000Z')
    for (const id of ids) {
      expect(await complete(sender, id)).toMatchObject(refusal(404, 'share_not_found'))
    }
  })
})

describe('a share that is begun and never sent', () => {
  it('makes room for the next once its sender gives it up', async () => {
    const token = await createReverseShare(owner, { maxUseCount: 1 })
    const sender = world.visit()
    const id = await beginSending(world, { sender, token })
    await Promise.all(Array.from({ length: 20 }, () => newShare(holder(token))))
    expect(await newShare(holder(token))).toMatchObject(refusal(409, 'reverse_share_busy'))
    expect(await world.visit().send('DELETE', `/api/shares/${id}`)).toMatchObject(
      refusal(403, 'share_anonymous_delete'),
    )
    expect((await sender.send('DELETE', `/api/shares/${id}`)).status).toBe(200)
    expect((await newShare(holder(token))).status).toBe(201)
    expect(await usesOf(token)).toBe(1)
  })
})

describe('a use', () => {
  it('is taken by completing, once for each share', async () => {
    const token = await createReverseShare(owner, { maxUseCount: 3 })
    const { browser: sender } = world.signIn()
    const id = await beginSending(world, { sender, token })
    expect(await usesOf(token)).toBe(3)
    const first = await complete(sender, id)
    expect(Object.keys(first.body as object).sort()).toEqual([
      'description',
      'expiration',
      'id',
      'name',
      'notifyReverseShareCreator',
    ])
    expect(await usesOf(token)).toBe(2)
    await complete(sender, id)
    await sender.send('DELETE', `/api/shares/${id}/complete`)
    const again = await complete(sender, id)
    expect(again).toMatchObject({ status: 202, body: { notifyReverseShareCreator: false } })
    expect(await usesOf(token)).toBe(2)
  })

  it('is refused while too many are on their way, however many begin at once', async () => {
    const token = await createReverseShare(owner, { maxUseCount: 2 })
    const responses = await Promise.all(Array.from({ length: 40 }, () => newShare(holder(token))))
    const begun = responses.filter(({ status }) => status === 201)
    expect(begun).toHaveLength(22)
    for (const response of responses) {
      if (response.status !== 201)
        expect(response).toMatchObject(refusal(409, 'reverse_share_busy'))
    }
    const other = await createReverseShare(owner)
    expect((await newShare(holder(other))).status).toBe(201)
    expect((await newShare(owner)).status).toBe(201)

    // Abandoned shares are gone a day later.
    world.now = new Date('2026-05-02T12:00:00.001Z')
    await world.run('expire-shares')
    expect((await newShare(holder(token))).status).toBe(201)
  })

  it('is on its way no longer once it is completed, and takes its use along', async () => {
    const token = await createReverseShare(owner, { maxUseCount: 3 })
    const sender = world.visit()
    const id = await beginSending(world, { sender, token })
    await Promise.all(Array.from({ length: 22 }, () => newShare(holder(token))))
    expect((await newShare(holder(token))).status).toBe(409)
    expect((await complete(sender, id)).status).toBe(202)
    // One is no longer open, and there is one use less.
    expect((await newShare(holder(token))).status).toBe(409)
    expect((await readOwn(owner, token)).shares).toHaveLength(1)
  })

  it('can be the last one for one of many who complete at once', async () => {
    const token = await createReverseShare(owner, { maxUseCount: 1 })
    const senders = Array.from({ length: 8 }, () => world.visit())
    const begun = await Promise.all(
      senders.map(async (sender) => ({
        sender,
        id: await beginSending(world, { sender, token }),
      })),
    )
    const responses = await Promise.all(begun.map(({ sender, id }) => complete(sender, id)))
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses).toEqual([202, ...Array<number>(7).fill(403)])
    for (const response of responses) {
      if (response.status === 403)
        expect(response).toMatchObject(refusal(403, 'reverse_share_used_up'))
    }
    const { remainingUses, shares } = await readOwn(owner, token)
    expect([remainingUses, shares.length]).toEqual([0, 1])
  })

  it('is one for a share that is completed many times at once', async () => {
    const token = await createReverseShare(owner, { maxUseCount: 5 })
    const last = await createReverseShare(owner, { maxUseCount: 1 })
    for (const [link, usesLeft] of [
      [token, 4],
      [last, 0],
    ] as const) {
      const sender = world.visit()
      const id = await beginSending(world, { sender, token: link })
      const responses = await Promise.all(Array.from({ length: 6 }, () => complete(sender, id)))
      expect(responses.map(({ status }) => status).sort()).toEqual([202, 400, 400, 400, 400, 400])
      for (const response of responses) {
        if (response.status === 400) {
          expect(response).toMatchObject(refusal(400, 'share_already_completed'))
        }
      }
      expect(await usesOf(link)).toBe(usesLeft)
      expect(await world.eventsOf(id)).toEqual(['share.completed'])
    }
  })

  it('is counted right while its owner changes and deletes what others send', async () => {
    const token = await createReverseShare(owner, { maxUseCount: 40 })
    const { id: reverseShareId } = await readOwn(owner, token)
    const path = `/api/reverseShares/${reverseShareId}`
    const senders = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const sender = world.visit()
        return { sender, id: await beginSending(world, { sender, token }) }
      }),
    )
    const responses = await Promise.all([
      ...senders.map(({ sender, id }) => complete(sender, id)),
      ...[true, false, true].map((publicAccess) =>
        owner.send('PATCH', path, { body: { publicAccess } }),
      ),
      ...Array.from({ length: 4 }, () => newShare(holder(token))),
      owner.send('DELETE', path),
    ])
    for (const { status } of responses) expect([200, 201, 202, 403, 404]).toContain(status)
    for (const { id } of senders) {
      expect(await world.database.knex('shares').where({ id }).first()).toBeUndefined()
    }
    const left = await world.database.knex('shares').where({ reverse_share_id: reverseShareId })
    expect(left).toEqual([])
  })
})

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Browser } from '../testing/browser.ts'
import { createReverseShare, readOwn, sendShare } from '../testing/reverse-shares.ts'
import { newShareId, openShareWorld, shareInput, type ShareWorld } from '../testing/share-world.ts'

let world: ShareWorld
let owner: Browser

beforeAll(async () => {
  world = await openShareWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  world.now = new Date('2026-05-01T12:00:00.000Z')
  world.settings['share.maxExpiration'] = 0
  world.settings['share.reverseShares'] = 'on'
  world.settings['share.maxSize'] = 0
  owner = world.signIn().browser
})
afterEach(() => expect(world.failures).toEqual([]))

const keysOf = (body: unknown) => Object.keys(body as object).sort()
const look = (token: string, browser = world.visit()) =>
  browser.send('GET', `/api/reverseShares/${token}`)
const publicKeys = ['id', 'maxShareSize', 'shareExpiration', 'token']
const entranceKeys = ['askSenderName', 'hasPassword', 'isUnlocked', 'name', 'remainingUses']

describe('GET /api/reverseShares/:token', () => {
  it('tells senders its limits', async () => {
    const token = await createReverseShare(owner, { name: 'Photos', simplified: true })
    const { status, body } = await look(token)
    expect(status).toBe(200)
    expect(keysOf(body)).toEqual([...publicKeys, ...entranceKeys, 'simplified'].sort())
    expect(body).toMatchObject({
      token,
      maxShareSize: '1000',
      shareExpiration: '2026-05-08T12:00:00.000Z',
      remainingUses: 2,
      name: 'Photos',
      simplified: true,
      hasPassword: false,
      isUnlocked: true,
    })
  })

  it('vanishes on the second, and with its last use', async () => {
    const ending = await createReverseShare(owner, { shareExpiration: '1-minute' })
    world.now = new Date('2026-05-01T12:00:59.999Z')
    expect((await look(ending)).status).toBe(200)
    world.now = new Date('2026-05-01T12:01:00.000Z')
    const usedUp = await createReverseShare(owner, { maxUseCount: 1 })
    await sendShare(world, { sender: world.visit(), token: usedUp })
    for (const token of [ending, usedUp, 'no-such-link', '..%2fetc', '%00']) {
      const response = await look(token)
      expect(response).toMatchObject({ status: 404, body: { code: 'reverse_share_not_found' } })
    }
  })

  it('asks all senders for the short form where that is forced, through older links too', async () => {
    const token = await createReverseShare(owner, { simplified: false })
    world.settings['share.reverseShares'] = 'simple'
    expect((await look(token)).body).toMatchObject({ simplified: true })
    world.settings['share.reverseShares'] = 'on'
    expect((await look(token)).body).toMatchObject({ simplified: false })
  })

  it('says that they are switched off, only of a link there is, and lets nobody send', async () => {
    const token = await createReverseShare(owner, { password: 'puffin-7' })
    world.settings['share.reverseShares'] = 'off'
    const off = { status: 403, body: { code: 'reverse_shares_disabled' } }
    expect(await look(token)).toMatchObject(off)
    expect((await look('no-such-link')).status).toBe(404)
    const sender = world.visit({ reverse_share_token: token })
    const path = `/api/reverseShares/${token}/access`
    expect(await sender.send('POST', path, { body: { password: 'puffin-7' } })).toMatchObject(off)
    const input = shareInput(newShareId())
    expect(await sender.send('POST', '/api/shares', { body: input })).toMatchObject(off)
    // The cookie of one who may share anyway is left over from before.
    owner.cookies.set('reverse_share_token', token)
    expect((await owner.send('POST', '/api/shares', { body: input })).status).toBe(201)
  })

  it('slows down who looks for links, by every way, and nobody who has one', async () => {
    const token = await createReverseShare(owner, { maxUseCount: 30 })
    const headers = { 'x-forwarded-for': '198.51.100.7' }
    const ways = [
      (link: string) => world.visit().send('GET', `/api/reverseShares/${link}`, { headers }),
      (link: string) =>
        world.visit().send('POST', `/api/reverseShares/${link}/access`, { headers, body: {} }),
      (link: string) =>
        world.visit({ reverse_share_token: link }).send('POST', '/api/shares', {
          headers,
          body: shareInput(newShareId()),
        }),
    ]
    for (let round = 0; round < 30; round += 1) {
      for (const go of ways) expect((await go(token)).status).toBeLessThan(300)
    }
    for (let round = 0; round < 20; round += 1) {
      for (const go of ways) expect((await go(`no-such-${round}`)).status).toBe(404)
    }
    for (const go of ways) {
      const refused = await go(token)
      expect(refused.status).toBe(429)
      expect(refused.headers['retry-after']).toBeDefined()
    }
    expect((await look(token)).status).toBe(200)
  })
})

describe('POST /api/reverseShares/:token/access', () => {
  const unlock = (browser: Browser, token: string, password?: string) =>
    browser.send('POST', `/api/reverseShares/${token}/access`, {
      body: password === undefined ? {} : { password },
    })

  it('opens with the password and stays open in that browser', async () => {
    const token = await createReverseShare(owner, { name: 'Photos', password: 'open sesame' })
    const sender = world.visit()
    expect((await look(token, sender)).body).toMatchObject({
      name: null,
      hasPassword: true,
      isUnlocked: false,
    })
    expect(await unlock(sender, token)).toMatchObject({
      status: 403,
      body: { code: 'reverse_share_password_required' },
    })
    expect(await unlock(sender, token, 'wrong')).toMatchObject({
      status: 403,
      body: { code: 'wrong_password' },
    })
    const response = await unlock(sender, token, 'open sesame')
    expect(response).toMatchObject({ status: 200, body: '' })
    expect(response.setCookies[0]).toMatch(
      new RegExp(`^reverse_share_${token}_access=[\\w.-]+; Path=/; HttpOnly; SameSite=Lax$`),
    )
    expect((await look(token, sender)).body).toMatchObject({ name: 'Photos', isUnlocked: true })
    expect((await look(token)).body).toMatchObject({ isUnlocked: false })
  })

  it('closes again with another password', async () => {
    const token = await createReverseShare(owner, { password: 'open sesame' })
    const sender = world.visit()
    await unlock(sender, token, 'open sesame')
    const { id } = await readOwn(owner, token)
    await owner.send('PATCH', `/api/reverseShares/${id}`, { body: { password: 'another one' } })
    expect((await look(token, sender)).body).toMatchObject({ isUnlocked: false })
    await owner.send('PATCH', `/api/reverseShares/${id}`, { body: { password: null } })
    expect((await look(token, sender)).body).toMatchObject({ hasPassword: false, isUnlocked: true })
  })

  it('takes no access of another, nor a visit of a share for one', async () => {
    const [token, other] = [
      await createReverseShare(owner, { password: 'open sesame' }),
      await createReverseShare(owner, { password: 'open sesame' }),
    ]
    const sender = world.visit()
    await unlock(sender, other, 'open sesame')
    const name = `reverse_share_${token}_access`
    sender.cookies.set(name, sender.cookies.get(`reverse_share_${other}_access`) ?? '')
    expect((await look(token, sender)).body).toMatchObject({ isUnlocked: false })
    sender.cookies.set(name, 'made-up')
    expect((await look(token, sender)).body).toMatchObject({ isUnlocked: false })
  })

  it('is slowed down after 20 wrong passwords from one address', async () => {
    const token = await createReverseShare(owner, { password: 'open sesame' })
    const from = (password: string) =>
      world.visit().send('POST', `/api/reverseShares/${token}/access`, {
        body: { password },
        headers: { 'x-forwarded-for': '198.51.100.9' },
      })
    for (let attempt = 0; attempt < 20; attempt += 1) {
      expect((await from('wrong')).status).toBe(403)
    }
    expect((await from('open sesame')).status).toBe(429)
  })
})

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Browser } from '../testing/browser.ts'
import { createReverseShare, sendShare } from '../testing/reverse-shares.ts'
import {
  newShareId,
  openShareWorld,
  publishShare,
  shareInput,
  type ShareWorld,
} from '../testing/share-world.ts'

let world: ShareWorld

beforeAll(async () => {
  world = await openShareWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  world.now = new Date('2026-05-01T12:00:00.000Z')
})
afterEach(() => expect(world.failures).toEqual([]))

const day = 24 * 3_600_000
const readPaths = (id: string) => [`/api/shares/${id}`, `/api/shares/${id}/metaData`]

async function viewsOf(id: string): Promise<number> {
  const row = await world.database.knex('shares').where({ id }).first('views')
  return row.views
}

describe('POST /api/shares/:id/token', () => {
  it('returns the token alone and sets it as a session cookie', async () => {
    const id = await publishShare(world, world.signIn().browser)
    const visitor = world.visit()
    const response = await visitor.send('POST', `/api/shares/${id}/token`, { body: {} })
    expect(response.status).toBe(200)
    expect(Object.keys(response.body as object)).toEqual(['token'])
    const { token } = response.body as { token: string }
    expect(response.setCookies).toEqual([
      `share_${id}_token=${token}; Path=/; HttpOnly; SameSite=Lax`,
    ])
  })

  it('takes null for no password, as existing clients send it', async () => {
    const { browser } = world.signIn()
    const openId = await publishShare(world, browser)
    const lockedId = await publishShare(world, browser, { security: { password: 'secret' } })
    const open = (id: string) =>
      world.visit().send('POST', `/api/shares/${id}/token`, { body: { password: null } })
    expect((await open(openId)).status).toBe(200)
    expect((await open(lockedId)).body).toMatchObject({ code: 'share_password_required' })
  })

  it('grants exactly three of 50 simultaneous visits to a limit of three', async () => {
    const id = await publishShare(world, world.signIn().browser, { security: { maxViews: 3 } })
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => world.visit().send('POST', `/api/shares/${id}/token`)),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3)
    const refused = responses.filter(({ status }) => status === 403)
    expect(refused).toHaveLength(47)
    for (const { body } of refused) expect(body).toMatchObject({ code: 'share_max_views_exceeded' })
    expect(await viewsOf(id)).toBe(3)
  })

  it('counts a view for a caller with a cookie as well', async () => {
    const id = await publishShare(world, world.signIn().browser, { security: { maxViews: 2 } })
    const visitor = world.visit()
    const statuses = []
    for (let visit = 0; visit < 3; visit += 1) {
      statuses.push((await visitor.send('POST', `/api/shares/${id}/token`)).status)
    }
    expect(statuses).toEqual([200, 200, 403])
    expect((await visitor.send('GET', `/api/shares/${id}`)).status).toBe(200)
  })

  it('checks the password before the limit, and a wrong one costs no view', async () => {
    const security = { password: 'right one', maxViews: 1 }
    const id = await publishShare(world, world.signIn().browser, { security })
    const open = (body: unknown) => world.visit().send('POST', `/api/shares/${id}/token`, { body })
    const codeOf = async (body: unknown) => ((await open(body)).body as { code?: string }).code
    expect(await codeOf({})).toBe('share_password_required')
    expect(await codeOf({ password: '' })).toBe('share_password_required')
    expect(await codeOf({ password: 'wrong' })).toBe('wrong_password')
    expect(await viewsOf(id)).toBe(0)
    expect((await open({ password: 'right one' })).status).toBe(200)
    expect(await codeOf({ password: 'right one' })).toBe('share_max_views_exceeded')
    expect(await codeOf({ password: 'wrong' })).toBe('wrong_password')
  })

  it('clears the oldest of too many visit cookies, and no owner cookie', async () => {
    const { browser } = world.signIn()
    const visitor = world.visit({ share_abc_owner_token: 'mine', other: '1' })
    const names = []
    for (let count = 0; count < 12; count += 1) {
      const id = await publishShare(world, browser)
      await visitor.send('POST', `/api/shares/${id}/token`)
      names.push(`share_${id}_token`)
      world.now = new Date(world.now.getTime() + 1_000)
    }
    const expected = ['share_abc_owner_token', 'other', ...names.slice(2)].sort()
    expect([...visitor.cookies.keys()].sort()).toEqual(expected)
  })
})

describe('reading a share', () => {
  it('tells the digest of each file that has one', async () => {
    const { browser } = world.signIn()
    const sha256 = 'ab'.repeat(32)
    const id = await publishShare(world, browser)
    await browser.send('DELETE', `/api/shares/${id}/complete`)
    await world.addFile(id, { name: 'b.txt', sha256 })
    await browser.send('POST', `/api/shares/${id}/complete`)
    const visitor = world.visit()
    await visitor.send('POST', `/api/shares/${id}/token`)
    const files = [
      { id: expect.any(String), name: 'a.txt', size: '5' },
      { id: expect.any(String), name: 'b.txt', size: '5', sha256 },
    ]
    expect((await visitor.send('GET', `/api/shares/${id}`)).body).toMatchObject({ files })
    const own = await browser.send('GET', `/api/shares/${id}/from-owner`)
    expect((own.body as { files: unknown }).files).toEqual(files)
  })

  it('shows the files to a visitor, sorted out by kind of number', async () => {
    const { browser, identity } = world.signIn()
    const id = await publishShare(world, browser, { description: 'For you' })
    const visitor = world.visit()
    await visitor.send('POST', `/api/shares/${id}/token`)
    const { status, body } = await visitor.send('GET', `/api/shares/${id}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      id,
      name: null,
      description: 'For you',
      expiration: '2026-05-08T12:00:00.000Z',
      files: [{ id: expect.any(String), name: 'a.txt', size: '5' }],
      creator: { username: identity.username },
      hasPassword: false,
      size: 5,
    })
    const metaData = await visitor.send('GET', `/api/shares/${id}/metaData`)
    expect(metaData).toMatchObject({ status: 200, body: { id, isZipReady: true } })
  })

  it('asks for a token, or first for the password', async () => {
    const { browser } = world.signIn()
    const openId = await publishShare(world, browser)
    const lockedId = await publishShare(world, browser, { security: { password: 'secret' } })
    for (const path of readPaths(openId)) {
      for (const token of [undefined, 'x', 'a.b.c']) {
        const cookies = token === undefined ? {} : { [`share_${openId}_token`]: token }
        const response = await world.visit(cookies).send('GET', path)
        expect(response).toMatchObject({ status: 403, body: { error: 'share_token_required' } })
      }
    }
    for (const path of readPaths(lockedId)) {
      const response = await world.visit().send('GET', path)
      expect(response).toMatchObject({ status: 403, body: { error: 'share_password_required' } })
      const stale = await world.visit({ [`share_${lockedId}_token`]: 'x' }).send('GET', path)
      expect(stale).toMatchObject({ status: 403, body: { error: 'share_token_required' } })
    }
  })

  it('does not open one share with the token of another', async () => {
    const { browser } = world.signIn()
    const id = await publishShare(world, browser)
    const otherId = await publishShare(world, browser)
    const visitor = world.visit()
    await visitor.send('POST', `/api/shares/${otherId}/token`)
    const token = visitor.cookies.get(`share_${otherId}_token`) ?? ''
    const response = await world
      .visit({ [`share_${id}_token`]: token })
      .send('GET', `/api/shares/${id}`)
    expect(response.status).toBe(403)
  })

  it('hides a share from the second it expires, from its owner too', async () => {
    const { browser } = world.signIn()
    const id = await publishShare(world, browser, { expiration: '1-hour' })
    const visitor = world.visit()
    await visitor.send('POST', `/api/shares/${id}/token`)
    world.now = new Date('2026-05-01T12:59:59.000Z')
    expect((await visitor.send('GET', `/api/shares/${id}`)).status).toBe(200)
    world.now = new Date('2026-05-01T13:00:00.000Z')
    for (const caller of [visitor, browser]) {
      for (const path of readPaths(id)) expect((await caller.send('GET', path)).status).toBe(404)
      expect((await caller.send('POST', `/api/shares/${id}/token`)).status).toBe(404)
    }
  })

  it('needs neither password nor view of the owner, even when no view is left', async () => {
    const { browser } = world.signIn()
    const security = { password: 'secret', maxViews: 1 }
    const id = await publishShare(world, browser, { security })
    const readAll = async () => {
      for (const path of readPaths(id)) expect((await browser.send('GET', path)).status).toBe(200)
      expect((await browser.send('POST', `/api/shares/${id}/token`)).status).toBe(200)
    }
    await readAll()
    expect(await viewsOf(id)).toBe(0)
    const body = { password: 'secret' }
    await world.visit().send('POST', `/api/shares/${id}/token`, { body })
    await readAll()
    expect(await viewsOf(id)).toBe(1)
  })

  it('tries a password that its owner gives, and counts what it opens', async () => {
    const { browser } = world.signIn()
    const id = await publishShare(world, browser, { security: { password: 'secret' } })
    const open = (password: string) =>
      browser.send('POST', `/api/shares/${id}/token`, { body: { password } })
    expect((await open('wrong')).body).toMatchObject({ code: 'wrong_password' })
    expect((await open('secret')).status).toBe(200)
    expect(await viewsOf(id)).toBe(1)
  })

  it('needs neither of the browser that made the share without an account', async () => {
    world.settings['share.allowUnauthenticatedShares'] = true
    const maker = world.visit()
    const id = await publishShare(world, maker, { security: { password: 'secret' } })
    for (const path of readPaths(id)) {
      expect((await maker.send('GET', path)).status).toBe(200)
      const another = { [`share_${id}_owner_token`]: 'another' }
      expect((await world.visit(another).send('GET', path)).status).toBe(403)
    }
    expect(await viewsOf(id)).toBe(0)
  })

  it('treats everybody else as a visitor, administrators too', async () => {
    const security = { password: 'secret', maxViews: 1 }
    const id = await publishShare(world, world.signIn().browser, { security })
    const { browser: admin } = world.signIn({ isAdmin: true })
    for (const path of readPaths(id)) {
      const response = await admin.send('GET', path)
      expect(response).toMatchObject({ status: 403, body: { error: 'share_password_required' } })
    }
    const body = { password: 'secret' }
    expect((await admin.send('POST', `/api/shares/${id}/token`, { body })).status).toBe(200)
    expect(await viewsOf(id)).toBe(1)
  })

  it('hides a share before it is completed, from its owner too', async () => {
    const { browser } = world.signIn()
    const id = newShareId()
    await browser.send('POST', '/api/shares', { body: shareInput(id) })
    for (const path of [...readPaths(id), ...readPaths(newShareId())]) {
      for (const caller of [world.visit(), browser]) {
        const response = await caller.send('GET', path)
        expect(response).toMatchObject({ status: 404, body: { code: 'share_not_found' } })
      }
    }
  })

  it('says why a share was removed, to its owner too', async () => {
    const { browser } = world.signIn()
    const id = await publishShare(world, browser)
    await world.database.knex('shares').where({ id }).update({ removed_reason: 'Malware' })
    const expected = { status: 404, body: { error: 'share_removed', message: 'Malware' } }
    for (const caller of [world.visit(), browser]) {
      for (const path of readPaths(id)) {
        expect(await caller.send('GET', path)).toMatchObject(expected)
      }
      expect(await caller.send('POST', `/api/shares/${id}/token`)).toMatchObject(expected)
    }
  })
})

describe('a visit token', () => {
  async function visitAndCheck(id: string, body: unknown = {}) {
    const visitor = world.visit()
    await visitor.send('POST', `/api/shares/${id}/token`, { body })
    expect((await visitor.send('GET', `/api/shares/${id}`)).status).toBe(200)
    return visitor
  }

  it('dies with the password it was made under', async () => {
    const { browser } = world.signIn()
    const id = await publishShare(world, browser, { security: { password: 'first' } })
    const change = (security: unknown) =>
      browser.send('PATCH', `/api/shares/${id}`, { body: { security } })
    const first = await visitAndCheck(id, { password: 'first' })
    await change({ password: 'second' })
    expect((await first.send('GET', `/api/shares/${id}`)).status).toBe(403)
    const second = await visitAndCheck(id, { password: 'second' })
    await change({ removePassword: true })
    expect((await second.send('GET', `/api/shares/${id}`)).status).toBe(403)
    const third = await visitAndCheck(id)
    await change({ password: 'third' })
    expect((await third.send('GET', `/api/shares/${id}`)).status).toBe(403)
  })

  it('does not open a later share under the same id', async () => {
    const { browser } = world.signIn()
    const id = await publishShare(world, browser)
    const visitor = await visitAndCheck(id)
    await browser.send('DELETE', `/api/shares/${id}`)
    await browser.send('POST', '/api/shares', { body: shareInput(id) })
    await world.addFile(id)
    await browser.send('POST', `/api/shares/${id}/complete`)
    expect((await visitor.send('GET', `/api/shares/${id}`)).status).toBe(403)
  })

  it('ends after 90 days on a share that never does', async () => {
    const id = await publishShare(world, world.signIn().browser, { expiration: 'never' })
    const visitor = await visitAndCheck(id)
    world.now = new Date(world.now.getTime() + 89 * day)
    expect((await visitor.send('GET', `/api/shares/${id}`)).status).toBe(200)
    world.now = new Date(world.now.getTime() + day)
    expect((await visitor.send('GET', `/api/shares/${id}`)).status).toBe(403)
  })
})

describe('POST /api/shares/:id/open', () => {
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const openByForm = (visitor: ReturnType<ShareWorld['visit']>, id: string, body = '') =>
    visitor.send('POST', `/api/shares/${id}/open`, { body, headers: type })

  it('begins a visit as the token does, and leads back to the page', async () => {
    const id = await publishShare(world, world.signIn().browser)
    const visitor = world.visit()
    const response = await openByForm(visitor, id)
    expect([response.status, response.headers['location']]).toEqual([303, `/share/${id}`])
    const token = visitor.cookies.get(`share_${id}_token`)
    expect(response.setCookies).toEqual([
      `share_${id}_token=${token}; Path=/; HttpOnly; SameSite=Lax`,
    ])
    expect((await visitor.send('GET', `/api/shares/${id}`)).status).toBe(200)
    expect(await viewsOf(id)).toBe(1)
  })

  it('counts a visitor who sends it again once', async () => {
    const security = { password: 'right one', maxViews: 1 }
    const id = await publishShare(world, world.signIn().browser, { security })
    const visitor = world.visit()
    for (let turn = 0; turn < 3; turn += 1) {
      const { headers } = await openByForm(visitor, id, 'password=right+one')
      expect(headers['location']).toBe(`/share/${id}`)
    }
    expect(await viewsOf(id)).toBe(1)
  })

  it('leads back with what the page cannot know, and to nowhere but the page', async () => {
    const id = await publishShare(world, world.signIn().browser, {
      security: { password: 'right one', maxViews: 1 },
    })
    const placeOf = async (body?: string, shareId = id) => {
      const visitor = world.visit()
      const { status, headers, setCookies } = await openByForm(visitor, shareId, body)
      expect([status, setCookies]).toEqual([303, []])
      return headers['location']
    }
    expect(await placeOf('password=wrong')).toBe(`/share/${id}?refused=wrong_password`)
    expect(await placeOf('')).toBe(`/share/${id}`)
    expect(await placeOf('password=')).toBe(`/share/${id}`)
    expect(await viewsOf(id)).toBe(0)
    await openByForm(world.visit(), id, 'password=right%20one')
    expect(await placeOf('password=right%20one')).toBe(`/share/${id}`)
    expect(await viewsOf(id)).toBe(1)
    const unknown = newShareId()
    expect(await placeOf('', unknown)).toBe(`/share/${unknown}`)
    for (const noId of ['%2f%2fevil.example', 'a'.repeat(51), '..%5c']) {
      const { status, body } = await openByForm(world.visit(), noId)
      expect([status, body], noId).toMatchObject([404, { code: 'share_not_found' }])
    }
  })

  it('takes a form and nothing else', async () => {
    const id = await publishShare(world, world.signIn().browser)
    const send = (body: string, headers: Record<string, string>) =>
      world.visit().send('POST', `/api/shares/${id}/open`, { body, headers })
    for (const [body, headers, code] of [
      ['{"password":"x"}', { 'Content-Type': 'application/json' }, 'unsupported_media_type'],
      ['password=x', { 'Content-Type': 'text/plain' }, 'unsupported_media_type'],
      ['--b--', { 'Content-Type': 'multipart/form-data; boundary=b' }, 'unsupported_media_type'],
      ['a=b', { 'Content-Type': `${type['Content-Type']}; charset=x` }, 'unsupported_media_type'],
      ['password=x&password=y', type, 'validation_failed'],
      [`password=${'x'.repeat(1025)}`, type, 'validation_failed'],
      [`password=${'x'.repeat(100_001)}`, type, 'payload_too_large'],
    ] as const) {
      const { status, body: response } = await send(body, headers)
      expect(status).toBeLessThan(500)
      expect(response, body.slice(0, 30)).toMatchObject({ code })
    }
    expect(await viewsOf(id)).toBe(0)
  })
})

describe('POST /api/shares/:id/openAsAdministrator', () => {
  const open = (browser: Browser, id: string) =>
    browser.send('POST', `/api/shares/${id}/openAsAdministrator`)
  beforeEach(() => {
    world.settings['share.allowAdminAccessAllShares'] = true
  })
  afterEach(() => {
    world.settings['share.allowAdminAccessAllShares'] = false
  })

  it('opens what has a password, without counting a view', async () => {
    const { browser: owner } = world.signIn()
    const { browser: admin } = world.signIn({ isAdmin: true })
    const id = await publishShare(world, owner, { security: { password: 'puffin-7' } })
    expect((await admin.send('GET', `/api/shares/${id}`)).status).toBe(403)
    expect((await open(admin, id)).status).toBe(200)
    expect((await admin.send('GET', `/api/shares/${id}`)).status).toBe(200)
    const own = await owner.send('GET', `/api/shares/${id}/from-owner`)
    expect(own.body).toMatchObject({ views: 0 })
  })

  it('opens what is private, until it is switched off or the right is gone', async () => {
    const token = await createReverseShare(world.signIn().browser, { publicAccess: false })
    const id = await sendShare(world, { sender: world.visit(), token })
    const { browser: admin } = world.signIn({ isAdmin: true })
    expect((await admin.send('GET', `/api/shares/${id}`)).body).toMatchObject({
      code: 'private_share',
    })
    expect((await open(admin, id)).status).toBe(200)
    expect((await admin.send('GET', `/api/shares/${id}`)).status).toBe(200)
    const stolen = world.visit(Object.fromEntries(admin.cookies))
    stolen.cookies.delete('access_token')
    const without = await stolen.send('GET', `/api/shares/${id}`)
    expect(without.body).toMatchObject({ code: 'private_share' })
    world.settings['share.allowAdminAccessAllShares'] = false
    const later = await admin.send('GET', `/api/shares/${id}`)
    expect(later.body).toMatchObject({ code: 'private_share' })
  })

  it('is for administrators where it is switched on, and for nobody where it is not', async () => {
    const id = await publishShare(world, world.signIn().browser)
    const forbidden = { status: 403, body: { code: 'forbidden' } }
    expect(await open(world.visit(), id)).toMatchObject(forbidden)
    expect(await open(world.signIn().browser, id)).toMatchObject(forbidden)
    const { browser: admin } = world.signIn({ isAdmin: true })
    const absent = await open(admin, newShareId())
    expect(absent).toMatchObject({ status: 404, body: { code: 'share_not_found' } })
    world.settings['share.allowAdminAccessAllShares'] = false
    expect(await open(admin, id)).toMatchObject(forbidden)
  })
})

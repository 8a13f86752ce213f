import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
  world.settings['share.allowUnauthenticatedShares'] = false
  world.settings['share.maxExpiration'] = 0
})
afterEach(() => expect(world.failures).toEqual([]))

const receiptKeys = ['description', 'expiration', 'id', 'name']
const contentKeys = ['createdAt', 'creator', 'files', 'hasPassword', 'size', 'views']
const ownerKeys = ['notifyOnDownload', 'recipients', 'security', 'state']
const ownShareKeys = [...receiptKeys, ...contentKeys, ...ownerKeys].sort()
const keysOf = (body: unknown) => Object.keys(body as object).sort()
const namesOf = (body: unknown) =>
  (body as { files: { name: string }[] }).files.map(({ name }) => name)

describe('POST /api/shares', () => {
  it('returns exactly four members and keeps the rest for later', async () => {
    const { browser } = world.signIn()
    const id = newShareId()
    const recipients = ['b@example.org', 'a@example.org', 'a@example.org']
    const response = await browser.send('POST', '/api/shares', {
      body: shareInput(id, { name: 'Holiday', recipients, security: { maxViews: 0 } }),
    })
    expect(response).toMatchObject({ status: 201, setCookies: [] })
    expect(response.body).toEqual({
      id,
      name: 'Holiday',
      description: null,
      expiration: '2026-05-08T12:00:00.000Z',
    })
    const own = await browser.send('GET', `/api/shares/${id}/from-owner`)
    expect(own.body).toMatchObject({
      recipients: ['a@example.org', 'b@example.org'],
      security: { passwordProtected: false, maxViews: null },
    })
  })

  it('writes never as the epoch', async () => {
    const { browser } = world.signIn()
    const body = shareInput(newShareId(), { expiration: 'never' })
    const response = await browser.send('POST', '/api/shares', { body })
    expect(response.body).toMatchObject({ expiration: '1970-01-01T00:00:00.000Z' })
  })

  it('refuses an anonymous visitor unless anonymous shares are on', async () => {
    const body = shareInput(newShareId())
    const refused = await world.visit().send('POST', '/api/shares', { body })
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    world.settings['share.allowUnauthenticatedShares'] = true
    const allowed = await world.visit().send('POST', '/api/shares', { body })
    expect(allowed.status).toBe(201)
    expect(allowed.setCookies).toHaveLength(1)
    expect(allowed.setCookies[0]).toMatch(
      new RegExp(`^share_${body.id}_owner_token=[\\w-]{43};.*HttpOnly; SameSite=Lax`),
    )
  })

  it('keeps no owner token in the database', async () => {
    world.settings['share.allowUnauthenticatedShares'] = true
    const visitor = world.visit()
    const id = newShareId()
    await visitor.send('POST', '/api/shares', { body: shareInput(id) })
    const row = await world.database.knex('shares').where({ id }).first()
    expect(JSON.stringify(row)).not.toContain(visitor.cookies.get(`share_${id}_owner_token`))
  })

  it('lets one of 50 simultaneous creations of one id succeed', async () => {
    const { browser } = world.signIn()
    const body = shareInput(newShareId())
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => browser.send('POST', '/api/shares', { body })),
    )
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array<number>(49).fill(400)])
    const refused = responses.filter(({ status }) => status === 400)
    for (const { body } of refused) expect(body).toMatchObject({ code: 'share_id_taken' })
  })

  it('tells ids apart by case', async () => {
    const { browser } = world.signIn()
    const id = newShareId()
    for (const variant of [id, id.toUpperCase()]) {
      const response = await browser.send('POST', '/api/shares', { body: shareInput(variant) })
      expect(response.status).toBe(201)
    }
  })

  it.each(['all', 'isShareIdAvailable', 'somebody_owner'])('keeps the id %s free', async (id) => {
    const { browser } = world.signIn()
    const response = await browser.send('POST', '/api/shares', { body: shareInput(id) })
    expect(response).toMatchObject({ status: 400, body: { code: 'share_id_taken' } })
    const availability = await browser.send('GET', `/api/shares/isShareIdAvailable/${id}`)
    expect(availability.body).toEqual({ isAvailable: false })
  })

  it.each(['never', '25-hours', '1-month'])(
    'holds %s to a maximum of a day',
    async (expiration) => {
      world.settings['share.maxExpiration'] = 24
      for (const { browser } of [world.signIn(), world.signIn({ isAdmin: true })]) {
        const body = shareInput(newShareId(), { expiration })
        const response = await browser.send('POST', '/api/shares', { body })
        expect(response).toMatchObject({ status: 400, body: { code: 'share_expiration_too_long' } })
      }
      const body = shareInput(newShareId(), { expiration: '1-day' })
      expect((await world.signIn().browser.send('POST', '/api/shares', { body })).status).toBe(201)
    },
  )

  it('says whether a link is free', async () => {
    const { browser } = world.signIn()
    const id = newShareId()
    const path = `/api/shares/isShareIdAvailable/${id}`
    expect((await world.visit().send('GET', path)).body).toEqual({ isAvailable: true })
    await browser.send('POST', '/api/shares', { body: shareInput(id) })
    expect((await world.visit().send('GET', path)).body).toEqual({ isAvailable: false })
  })
})

describe('complete and reopen', () => {
  it('publishes once: two completions at once give one success and one event', async () => {
    const { browser } = world.signIn()
    const id = newShareId()
    await browser.send('POST', '/api/shares', { body: shareInput(id) })
    await world.addFile(id)
    const responses = await Promise.all(
      Array.from({ length: 2 }, () => browser.send('POST', `/api/shares/${id}/complete`)),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([202, 400])
    const done = responses.find(({ status }) => status === 202)
    expect(keysOf(done?.body)).toEqual(receiptKeys)
    const late = responses.find(({ status }) => status === 400)
    expect(late?.body).toMatchObject({ code: 'share_already_completed' })
    expect(await world.eventsOf(id)).toEqual(['share.completed'])
  })

  it('refuses a share without files', async () => {
    const { browser } = world.signIn()
    const id = newShareId()
    await browser.send('POST', '/api/shares', { body: shareInput(id) })
    const response = await browser.send('POST', `/api/shares/${id}/complete`)
    expect(response).toMatchObject({ status: 400, body: { code: 'share_without_files' } })
  })

  it('keeps the link working while the owner edits, and completes again', async () => {
    const { browser } = world.signIn()
    const id = await publishShare(world, browser)
    const visitor = world.visit()
    await visitor.send('POST', `/api/shares/${id}/token`)
    const reopened = await browser.send('DELETE', `/api/shares/${id}/complete`)
    expect(reopened.status).toBe(200)
    expect(keysOf(reopened.body)).toEqual(receiptKeys)
    expect((await visitor.send('GET', `/api/shares/${id}`)).status).toBe(200)
    expect((await browser.send('GET', `/api/shares/${id}/from-owner`)).status).toBe(200)
    expect((await browser.send('GET', '/api/shares')).body).toHaveLength(1)
    expect((await browser.send('POST', `/api/shares/${id}/complete`)).status).toBe(202)
  })

  it('shows visitors the published files until the edit is completed, its owner the new', async () => {
    const { browser } = world.signIn()
    const id = await publishShare(world, browser)
    await world.addFile(id, { name: 'kept.txt', addedEdition: 1 })
    const visitor = world.visit()
    await visitor.send('POST', `/api/shares/${id}/token`)
    const visitorSees = async () => namesOf((await visitor.send('GET', `/api/shares/${id}`)).body)
    const ownerSees = async () => {
      const asOwner = await browser.send('GET', `/api/shares/${id}/from-owner`)
      const changed = await browser.send('PATCH', `/api/shares/${id}`, { body: {} })
      const [listed] = (await browser.send('GET', '/api/shares')).body as unknown[]
      const seen = [asOwner.body, changed.body, listed].map(namesOf)
      expect(seen).toEqual([seen[0], seen[0], seen[0]])
      return seen[0]
    }

    await browser.send('DELETE', `/api/shares/${id}/complete`)
    await world.addFile(id, { name: 'new.txt' })
    await world.removeFile(id, 'a.txt')
    expect(await visitorSees()).toEqual(['a.txt', 'kept.txt'])
    expect(await ownerSees()).toEqual(['kept.txt', 'new.txt'])

    await browser.send('POST', `/api/shares/${id}/complete`)
    expect(await visitorSees()).toEqual(['kept.txt', 'new.txt'])
    expect(await ownerSees()).toEqual(['kept.txt', 'new.txt'])
  })

  it('refuses to complete an edit that leaves no file, and keeps the published ones', async () => {
    const { browser } = world.signIn()
    const id = await publishShare(world, browser)
    const visitor = world.visit()
    await visitor.send('POST', `/api/shares/${id}/token`)
    await browser.send('DELETE', `/api/shares/${id}/complete`)
    await world.removeFile(id, 'a.txt')
    const response = await browser.send('POST', `/api/shares/${id}/complete`)
    expect(response).toMatchObject({ status: 400, body: { code: 'share_without_files' } })
    expect(namesOf((await visitor.send('GET', `/api/shares/${id}`)).body)).toEqual(['a.txt'])
  })

  it('goes back to the published files when the edit is discarded, as often as asked', async () => {
    const { browser } = world.signIn()
    const id = await publishShare(world, browser)
    await browser.send('DELETE', `/api/shares/${id}/complete`)
    await world.addFile(id, { name: 'new.txt' })
    await world.removeFile(id, 'a.txt')
    const edited = await browser.send('GET', `/api/shares/${id}/from-owner`)
    expect(edited.body).toMatchObject({ state: 'reopened' })
    for (let round = 0; round < 2; round += 1) {
      const discarded = await browser.send('DELETE', `/api/shares/${id}/edit`)
      expect(discarded.status).toBe(200)
      expect(keysOf(discarded.body)).toEqual(receiptKeys)
      const { body } = await browser.send('GET', `/api/shares/${id}/from-owner`)
      expect(body).toMatchObject({ state: 'completed' })
      expect(namesOf(body)).toEqual(['a.txt'])
    }
    const completed = await browser.send('POST', `/api/shares/${id}/complete`)
    expect(completed.body).toMatchObject({ code: 'share_already_completed' })
  })

  it('discards no edit of others, and none of a share that was never completed', async () => {
    const { browser } = world.signIn()
    const id = await publishShare(world, browser)
    await browser.send('DELETE', `/api/shares/${id}/complete`)
    const { browser: admin } = world.signIn({ isAdmin: true })
    for (const other of [world.visit(), world.signIn().browser, admin]) {
      expect((await other.send('DELETE', `/api/shares/${id}/edit`)).status).toBe(403)
    }
    const { body } = await browser.send('GET', `/api/shares/${id}/from-owner`)
    expect(body).toMatchObject({ state: 'reopened' })

    const open = newShareId()
    await browser.send('POST', '/api/shares', { body: shareInput(open) })
    const refused = await browser.send('DELETE', `/api/shares/${open}/edit`)
    expect(refused).toMatchObject({ status: 400, body: { code: 'share_never_completed' } })
    expect((await browser.send('DELETE', '/api/shares/absent/edit')).status).toBe(404)
  })

  it('does not publish a share by reopening it', async () => {
    const { browser } = world.signIn()
    const id = newShareId()
    await browser.send('POST', '/api/shares', { body: shareInput(id) })
    expect((await browser.send('DELETE', `/api/shares/${id}/complete`)).status).toBe(200)
    expect((await world.visit().send('POST', `/api/shares/${id}/token`)).status).toBe(404)
  })
})

describe('PATCH /api/shares/:id', () => {
  it('changes and clears what the body names, and nothing else', async () => {
    const { browser } = world.signIn()
    const id = await publishShare(world, browser, {
      name: 'Before',
      description: 'note',
      security: { password: 'secret', maxViews: 3 },
    })
    const renamed = await browser.send('PATCH', `/api/shares/${id}`, {
      body: { name: 'After', expiration: '2026-06-01T00:00:00+02:00' },
    })
    expect(renamed.status).toBe(200)
    expect(keysOf(renamed.body)).toEqual(ownShareKeys)
    expect(renamed.body).toMatchObject({
      name: 'After',
      description: 'note',
      expiration: '2026-05-31T22:00:00.000Z',
      security: { passwordProtected: true, maxViews: 3 },
    })
    const cleared = await browser.send('PATCH', `/api/shares/${id}`, {
      body: {
        name: '',
        description: null,
        expiration: 'never',
        security: { removePassword: true, maxViews: 0 },
      },
    })
    expect(cleared.body).toMatchObject({
      name: null,
      description: null,
      expiration: '1970-01-01T00:00:00.000Z',
      hasPassword: false,
      security: { passwordProtected: false, maxViews: null },
    })
    const { body } = await browser.send('PATCH', `/api/shares/${id}`, { body: {} })
    expect(body).toEqual(cleared.body)
  })

  it('works on open and reopened shares', async () => {
    const { browser } = world.signIn()
    const id = newShareId()
    await browser.send('POST', '/api/shares', { body: shareInput(id) })
    const patch = () => browser.send('PATCH', `/api/shares/${id}`, { body: { name: 'Renamed' } })
    expect((await patch()).status).toBe(200)
    await world.addFile(id)
    await browser.send('POST', `/api/shares/${id}/complete`)
    await browser.send('DELETE', `/api/shares/${id}/complete`)
    expect((await patch()).status).toBe(200)
  })

  it.each([
    ['2026-05-01T12:00:00.000Z', 'validation_failed'],
    ['1970-01-01T00:00:00.000Z', 'validation_failed'],
    ['2026-05-03T12:00:00.000Z', 'share_expiration_too_long'],
    ['never', 'share_expiration_too_long'],
  ])('refuses %s with a maximum of a day, for administrators too', async (expiration, code) => {
    const { browser } = world.signIn()
    const id = await publishShare(world, browser, { expiration: '1-hour' })
    world.settings['share.maxExpiration'] = 24
    for (const caller of [browser, world.signIn({ isAdmin: true }).browser]) {
      const response = await caller.send('PATCH', `/api/shares/${id}`, { body: { expiration } })
      expect(response).toMatchObject({ status: 400, body: { code } })
    }
    const own = await browser.send('GET', `/api/shares/${id}/from-owner`)
    expect(own.body).toMatchObject({ expiration: '2026-05-01T13:00:00.000Z' })
  })
})

describe('DELETE /api/shares/:id', () => {
  it('deletes with an event, once', async () => {
    const { browser } = world.signIn()
    const id = await publishShare(world, browser)
    const response = await browser.send('DELETE', `/api/shares/${id}`)
    expect(response).toMatchObject({ status: 200, body: '' })
    expect((await browser.send('DELETE', `/api/shares/${id}`)).status).toBe(404)
    expect(await world.eventsOf(id)).toEqual(['share.completed', 'share.deleted'])
  })

  it('lets an administrator delete the shares of others and of nobody', async () => {
    const id = await publishShare(world, world.signIn().browser)
    const { browser: admin } = world.signIn({ isAdmin: true })
    expect((await admin.send('DELETE', `/api/shares/${id}`)).status).toBe(200)
    world.settings['share.allowUnauthenticatedShares'] = true
    const anonymousId = await publishShare(world, world.visit())
    expect((await admin.send('DELETE', `/api/shares/${anonymousId}`)).status).toBe(200)
  })

  it('lets the browser that made an anonymous share delete it until it is completed', async () => {
    world.settings['share.allowUnauthenticatedShares'] = true
    const visitor = world.visit()
    const id = newShareId()
    await visitor.send('POST', '/api/shares', { body: shareInput(id) })
    for (const other of [world.visit(), world.signIn().browser]) {
      const refused = await other.send('DELETE', `/api/shares/${id}`)
      expect(refused).toMatchObject({ status: 403, body: { code: 'share_anonymous_delete' } })
    }
    expect((await visitor.send('DELETE', `/api/shares/${id}`)).status).toBe(200)
    const completedId = await publishShare(world, visitor)
    const refused = await visitor.send('DELETE', `/api/shares/${completedId}`)
    expect(refused).toMatchObject({ status: 403, body: { code: 'share_anonymous_delete' } })
  })
})

describe('ownership', () => {
  const ownerCalls = [
    ['POST', '/complete'],
    ['DELETE', '/complete'],
    ['GET', '/from-owner'],
    ['PATCH', ''],
    ['DELETE', ''],
  ] as const

  it.each(ownerCalls)('refuses everybody else: %s %s', async (method, suffix) => {
    const id = await publishShare(world, world.signIn().browser)
    for (const other of [
      world.visit(),
      world.signIn().browser,
      world.visit({ access_token: 'x' }),
    ]) {
      const response = await other.send(method, `/api/shares/${id}${suffix}`)
      expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } })
      const absent = await other.send(method, `/api/shares/${newShareId()}${suffix}`)
      expect(absent).toMatchObject({ status: 404, body: { code: 'share_not_found' } })
    }
  })

  it('gives an anonymous share to no one but the browser that made it', async () => {
    world.settings['share.allowUnauthenticatedShares'] = true
    const maker = world.visit()
    const id = await publishShare(world, maker)
    const guess = { [`share_${id}_owner_token`]: 'guess' }
    for (const other of [world.visit(), world.signIn().browser, world.visit(guess)]) {
      const response = await other.send('DELETE', `/api/shares/${id}/complete`)
      expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    }
    expect((await maker.send('DELETE', `/api/shares/${id}/complete`)).status).toBe(200)
    const own = await maker.send('GET', `/api/shares/${id}/from-owner`)
    expect(keysOf(own.body)).toEqual(ownShareKeys.filter((key) => key !== 'creator'))
  })

  it('lets an administrator look and change, but not complete or reopen', async () => {
    const id = await publishShare(world, world.signIn().browser)
    const { browser: admin } = world.signIn({ isAdmin: true })
    const patch = { body: { name: 'Checked' } }
    expect((await admin.send('GET', `/api/shares/${id}/from-owner`)).status).toBe(200)
    expect((await admin.send('PATCH', `/api/shares/${id}`, patch)).status).toBe(200)
    expect((await admin.send('DELETE', `/api/shares/${id}/complete`)).status).toBe(403)
  })
})

describe('lists', () => {
  it('lists own published, unexpired shares, newest expiry first', async () => {
    const { browser, identity } = world.signIn()
    await publishShare(world, world.signIn().browser)
    await browser.send('POST', '/api/shares', { body: shareInput(newShareId()) })
    await publishShare(world, browser, { expiration: '1-minute' })
    const week = await publishShare(world, browser, { expiration: '1-week' })
    const never = await publishShare(world, browser, { expiration: 'never' })
    const month = await publishShare(world, browser, { expiration: '1-month' })
    world.now = new Date(world.now.getTime() + 60_000)
    const { status, body } = await browser.send('GET', '/api/shares')
    expect(status).toBe(200)
    const list = body as { id: string }[]
    expect(list.map(({ id }) => id)).toEqual([never, month, week])
    expect(keysOf(list[0])).toEqual(ownShareKeys)
    expect(list[0]).toMatchObject({
      creator: { username: identity.username },
      files: [{ name: 'a.txt', size: '5' }],
      size: 5,
      views: 0,
    })
  })

  it('refuses anonymous visitors', async () => {
    for (const path of ['/api/shares', '/api/shares/all']) {
      const response = await world.visit().send('GET', path)
      expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    }
  })

  it('shows every share to administrators only', async () => {
    const { browser, identity } = world.signIn()
    const id = newShareId()
    await browser.send('POST', '/api/shares', { body: shareInput(id, { expiration: '1-minute' }) })
    await world.addFile(id, { sizeBytes: 7 })
    world.now = new Date(world.now.getTime() + 60_000)
    expect((await browser.send('GET', '/api/shares/all')).status).toBe(403)
    const { body } = await world.signIn({ isAdmin: true }).browser.send('GET', '/api/shares/all')
    const found = (body as { id: string }[]).find((share) => share.id === id)
    expect(found).toEqual({
      id,
      name: null,
      description: null,
      expiration: '2026-05-01T12:01:00.000Z',
      createdAt: '2026-05-01T12:00:00.000Z',
      views: 0,
      size: 7,
      state: 'open',
      creator: { username: identity.username },
    })
  })

  it('finds shares by link, name or creator for administrators, a page at a time', async () => {
    const { browser, identity } = world.signIn()
    const ids = [newShareId(), newShareId(), newShareId()]
    for (const id of ids) await browser.send('POST', '/api/shares', { body: shareInput(id) })
    const { browser: admin } = world.signIn({ isAdmin: true })
    const find = async (query: string) => {
      const response = await admin.send('GET', `/api/shares/all?${query}`)
      expect(response.status).toBe(200)
      const found = (response.body as { id: string }[]).map(({ id }) => id)
      return { found, total: response.headers['x-total-count'] }
    }
    const all = await find(`search=${identity.username}&sort=id&order=asc`)
    expect(all).toEqual({ found: [...ids].sort(), total: '3' })
    const page = await find(`search=${identity.username}&sort=id&order=asc&limit=2&offset=2`)
    expect(page).toEqual({ found: [...ids].sort().slice(2), total: '3' })
    expect(await find(`search=${ids[1]}`)).toEqual({ found: [ids[1]], total: '1' })
    for (const wrong of ['limit=0', 'limit=1000', 'offset=-1', 'sort=size', 'order=up']) {
      expect((await admin.send('GET', `/api/shares/all?${wrong}`)).status).toBe(400)
    }
  })
})

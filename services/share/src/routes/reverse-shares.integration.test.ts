import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Browser } from '../testing/browser.ts'
import {
  createReverseShare,
  readOwn,
  reverseShareInput,
  sendShare,
} from '../testing/reverse-shares.ts'
import { openShareWorld, type ShareWorld } from '../testing/share-world.ts'

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
const create = (rest: Record<string, unknown> = {}, browser = owner) =>
  browser.send('POST', '/api/reverseShares', { body: reverseShareInput(rest) })
const look = (token: string, browser = world.visit()) =>
  browser.send('GET', `/api/reverseShares/${token}`)
const isAvailable = async (token: string) => {
  const path = `/api/reverseShares/isReverseShareTokenAvailable/${token}`
  return (await owner.send('GET', path)).body
}
let lastToken = 0
const newToken = () => `link-${(lastToken += 1)}-of-mine`

const publicKeys = ['id', 'maxShareSize', 'shareExpiration', 'token']
const entranceKeys = ['askSenderName', 'hasPassword', 'isUnlocked', 'name', 'remainingUses']
const ownKeys = ['createdAt', 'publicAccess', 'sendEmailNotification', 'shares']

describe('POST /api/reverseShares', () => {
  it('returns exactly token and link, under the app URL', async () => {
    world.settings['general.appUrl'] = 'https://floe.example.org'
    const response = await create()
    expect(response.status).toBe(201)
    const { token } = response.body as { token: string }
    expect(token).toMatch(/^[\w-]{22}$/)
    expect(response.body).toEqual({ token, link: `https://floe.example.org/upload/${token}` })
  })

  it('keeps no password in the database', async () => {
    const token = await createReverseShare(owner, { password: 'open sesame' })
    const row = await world.database.knex('reverse_shares').where({ token }).first()
    expect(JSON.stringify(row)).not.toContain('open sesame')
  })

  it('refuses anonymous visitors', async () => {
    const response = await create({}, world.visit())
    expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })

  it.each([
    ['shareExpiration', 'never'],
    ['shareExpiration', 'soon'],
    ['maxShareSize', 1_000],
    ['maxShareSize', '0'],
    ['maxShareSize', '-5'],
    ['maxShareSize', '99999999999999999999'],
    ['maxUseCount', 0],
    ['maxUseCount', 1_001],
    ['maxUseCount', '5'],
    ['sendEmailNotification', undefined],
    ['token', 'ab'],
    ['token', 'a b c'],
    ['password', 'ab'],
    ['name', 'line\nbreak'],
  ])('refuses %s %j', async (field, value) => {
    const response = await create({ [field]: value })
    expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  })

  it('holds it to the limits of shares', async () => {
    world.settings['share.maxExpiration'] = 24
    world.settings['share.maxSize'] = 500
    const tooLong = await create({ shareExpiration: '25-hours', maxShareSize: '500' })
    expect(tooLong).toMatchObject({ status: 400, body: { code: 'share_expiration_too_long' } })
    const tooBig = await create({ shareExpiration: '1-day', maxShareSize: '501' })
    expect(tooBig).toMatchObject({ status: 400, body: { code: 'reverse_share_too_big' } })
    expect((await create({ shareExpiration: '1-day', maxShareSize: '500' })).status).toBe(201)
  })

  it('holds it to the own limit of its owner, and tells senders of a smaller one', async () => {
    world.settings['share.maxSize'] = 500
    const { browser } = world.signIn({ shareSizeLimit: 800 })
    const make = (maxShareSize: string) =>
      browser.send('POST', '/api/reverseShares', { body: reverseShareInput({ maxShareSize }) })
    expect(await make('801')).toMatchObject({ body: { code: 'reverse_share_too_big' } })
    const made = await make('800')
    expect(made.status).toBe(201)
    const { token } = made.body as { token: string }
    const seen = await world.visit().send('GET', `/api/reverseShares/${token}`)
    expect(seen.body).toMatchObject({ maxShareSize: '800' })
    const other = await createReverseShare(owner, { maxShareSize: '500' })
    world.settings['share.maxSize'] = 300
    const lower = await world.visit().send('GET', `/api/reverseShares/${other}`)
    expect(lower.body).toMatchObject({ maxShareSize: '300' })
  })

  it('makes none while they are switched off, and lists and deletes what there is', async () => {
    const token = await createReverseShare(owner)
    world.settings['share.reverseShares'] = 'off'
    const refused = await create()
    expect(refused).toMatchObject({ status: 403, body: { code: 'reverse_shares_disabled' } })
    const { id } = await readOwn(owner, token)
    expect((await owner.send('DELETE', `/api/reverseShares/${id}`)).status).toBe(200)
  })

  it('makes them with the short form alone where that is forced', async () => {
    world.settings['share.reverseShares'] = 'simple'
    const token = await createReverseShare(owner, { simplified: false })
    expect(await readOwn(owner, token)).toMatchObject({ simplified: true })
  })

  it('gives a link of its own to one of many who want it at once', async () => {
    const token = newToken()
    expect(await isAvailable(token)).toEqual({ isAvailable: true })
    const responses = await Promise.all(Array.from({ length: 20 }, () => create({ token })))
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array<number>(19).fill(400)])
    for (const { status, body } of responses) {
      if (status === 400) expect(body).toMatchObject({ code: 'reverse_share_token_taken' })
    }
    expect(await isAvailable(token)).toEqual({ isAvailable: false })
  })

  it('keeps what is a part of its own paths', async () => {
    const token = 'isReverseShareTokenAvailable'
    expect(await isAvailable(token)).toEqual({ isAvailable: false })
    expect(await create({ token })).toMatchObject({ body: { code: 'reverse_share_token_taken' } })
  })
})

describe('GET /api/reverseShares', () => {
  it("lists own unexpired ones, newest expiry first, and nobody else's", async () => {
    const soon = await createReverseShare(owner, { shareExpiration: '1-hour' })
    const late = await createReverseShare(owner, { shareExpiration: '2-hours' })
    await createReverseShare(world.signIn().browser)
    const list = async () => {
      const { body } = await owner.send('GET', '/api/reverseShares')
      return (body as { token: string }[]).map(({ token }) => token)
    }
    expect(await list()).toEqual([late, soon])
    world.now = new Date('2026-05-01T12:59:59.999Z')
    expect(await list()).toEqual([late, soon])
    world.now = new Date('2026-05-01T13:00:00.000Z')
    expect(await list()).toEqual([late])
    const visitor = await world.visit().send('GET', '/api/reverseShares')
    expect(visitor).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })

  it('tells the owner everything, with what was sent', async () => {
    const token = await createReverseShare(owner, { name: 'Photos', askSenderName: true })
    const id = await sendShare(
      world,
      { sender: world.visit(), token },
      { name: 'Holiday', description: 'Enjoy', senderName: 'Ann', security: { password: 'pass' } },
    )
    const { browser, identity } = world.signIn()
    const second = await sendShare(world, { sender: browser, token }, { senderName: 'Not asked' })
    const own = await readOwn(owner, token)
    expect(keysOf(own)).toEqual(
      [
        ...publicKeys,
        ...entranceKeys.filter((key) => key !== 'isUnlocked'),
        ...ownKeys,
        'simplified',
      ].sort(),
    )
    expect(own).toMatchObject({
      name: 'Photos',
      maxShareSize: '1000',
      shareExpiration: '2026-05-08T12:00:00.000Z',
      remainingUses: 0,
      publicAccess: true,
      simplified: false,
      hasPassword: false,
      askSenderName: true,
    })
    const receipt = { name: null, description: null, expiration: '2026-05-08T12:00:00.000Z' }
    const common = { views: 0, createdAt: '2026-05-01T12:00:00.000Z', size: 5, fileCount: 1 }
    expect(own.shares.sort((a, b) => a.id.localeCompare(b.id))).toEqual(
      [
        {
          ...{ ...receipt, id, name: 'Holiday', description: 'Enjoy', hasPassword: true },
          ...{ ...common, senderName: 'Ann' },
        },
        {
          ...{ ...receipt, id: second, hasPassword: false },
          ...{ ...common, creator: { username: identity.username } },
        },
      ].sort((a, b) => a.id.localeCompare(b.id)),
    )
  })
})

describe('PATCH /api/reverseShares/:id', () => {
  it('changes what the body names and nothing else', async () => {
    const token = await createReverseShare(owner, { name: 'Before', maxUseCount: 3 })
    const before = await readOwn(owner, token)
    const path = `/api/reverseShares/${before.id}`
    const renamed = await owner.send('PATCH', path, { body: { name: 'After' } })
    expect(renamed).toMatchObject({ status: 200, body: { ...before, name: 'After' } })
    const changed = await owner.send('PATCH', path, {
      body: {
        shareExpiration: '2026-06-01T00:00:00+02:00',
        maxShareSize: '5000',
        remainingUses: 7,
        sendEmailNotification: true,
        name: null,
        password: 'secret',
        askSenderName: true,
        publicAccess: false,
        simplified: true,
      },
    })
    expect(changed.body).toMatchObject({
      token,
      shareExpiration: '2026-05-31T22:00:00.000Z',
      maxShareSize: '5000',
      remainingUses: 7,
      sendEmailNotification: true,
      name: null,
      hasPassword: true,
      askSenderName: true,
      publicAccess: false,
      simplified: true,
    })
    expect((await owner.send('PATCH', path, { body: {} })).body).toEqual(changed.body)
  })

  it('closes the link with no uses left, and opens it again', async () => {
    const token = await createReverseShare(owner)
    const { id } = await readOwn(owner, token)
    const setUses = (remainingUses: number) =>
      owner.send('PATCH', `/api/reverseShares/${id}`, { body: { remainingUses } })
    await setUses(0)
    expect((await look(token)).status).toBe(404)
    await setUses(1)
    expect((await look(token)).status).toBe(200)
  })

  it('keeps to the limits of shares', async () => {
    const token = await createReverseShare(owner)
    const { id } = await readOwn(owner, token)
    world.settings['share.maxExpiration'] = 24
    world.settings['share.maxSize'] = 500
    const patch = (body: unknown) => owner.send('PATCH', `/api/reverseShares/${id}`, { body })
    expect((await patch({ shareExpiration: '2-days' })).body).toMatchObject({
      code: 'share_expiration_too_long',
    })
    expect((await patch({ shareExpiration: 'never' })).body).toMatchObject({
      code: 'validation_failed',
    })
    expect((await patch({ shareExpiration: '2026-05-01T12:00:00.000Z' })).body).toMatchObject({
      message: ['shareExpiration: must be in the future'],
    })
    expect((await patch({ maxShareSize: '501' })).body).toMatchObject({
      code: 'reverse_share_too_big',
    })
  })

  it("moves its shares' end along, but for those that end sooner", async () => {
    const token = await createReverseShare(owner, { maxUseCount: 3 })
    const { browser: sender } = world.signIn()
    const id = await sendShare(world, { sender: world.visit(), token })
    const short = await sendShare(world, { sender, token })
    await sender.send('PATCH', `/api/shares/${short}`, { body: { expiration: '1-day' } })
    const expiry = async () => {
      const { shares } = await readOwn(owner, token)
      return Object.fromEntries(shares.map((share) => [share.id, share.expiration]))
    }
    const { id: reverseShareId } = await readOwn(owner, token)
    const move = (shareExpiration: string) =>
      owner.send('PATCH', `/api/reverseShares/${reverseShareId}`, { body: { shareExpiration } })
    await move('30-days')
    expect(await expiry()).toEqual({
      [id]: '2026-05-31T12:00:00.000Z',
      [short]: '2026-05-02T12:00:00.000Z',
    })
    await move('1-hour')
    expect(await expiry()).toEqual({
      [id]: '2026-05-01T13:00:00.000Z',
      [short]: '2026-05-01T13:00:00.000Z',
    })
  })

  it.each(['PATCH', 'DELETE'])('%s is for its owner alone', async (method) => {
    const token = await createReverseShare(owner)
    const { id } = await readOwn(owner, token)
    const call = method === 'PATCH' ? { body: {} } : {}
    const others = [world.visit(), world.signIn().browser, world.signIn({ isAdmin: true }).browser]
    for (const other of others) {
      const response = await other.send(method, `/api/reverseShares/${id}`, call)
      expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    }
    for (const absent of ['00000000-0000-4000-8000-000000000000', 'not-an-id', token, '%00']) {
      const response = await owner.send(method, `/api/reverseShares/${absent}`, call)
      expect(response).toMatchObject({ status: 404, body: { code: 'reverse_share_not_found' } })
    }
    expect((await readOwn(owner, token)).id).toBe(id)
  })
})

describe('DELETE /api/reverseShares/:id', () => {
  it('takes along everything sent through it, and nothing else', async () => {
    const [token, kept] = [await createReverseShare(owner), await createReverseShare(owner)]
    const sender = world.visit()
    const id = await sendShare(world, { sender, token })
    const other = await sendShare(world, { sender, token: kept })
    const { id: reverseShareId } = await readOwn(owner, token)
    const response = await owner.send('DELETE', `/api/reverseShares/${reverseShareId}`)
    expect(response).toMatchObject({ status: 200, body: '' })
    expect((await look(token)).status).toBe(404)
    expect((await sender.send('POST', `/api/shares/${id}/token`)).status).toBe(404)
    expect((await sender.send('POST', `/api/shares/${other}/token`)).status).toBe(200)
    expect(await world.eventsOf(id)).toEqual(['share.completed', 'share.deleted'])
    const events = await world.database
      .knex('outbox')
      .where({ name: 'reverse-share.deleted' })
      .whereRaw("payload->>'reverseShareId' = ?", [reverseShareId])
    expect(events).toHaveLength(1)
    expect((await readOwn(owner, kept)).shares.map((share) => share.id)).toEqual([other])
  })
})

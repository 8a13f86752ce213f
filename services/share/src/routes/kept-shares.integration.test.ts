import type { AdminShare, OwnReverseShare, OwnShare } from '@floe/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Browser } from '../testing/browser.ts'
import { createReverseShare, readOwn, sendShare } from '../testing/reverse-shares.ts'
import { newShareId, openShareWorld, publishShare, shareInput } from '../testing/share-world.ts'
import type { ShareWorld } from '../testing/share-world.ts'

const hour = 3_600_000
const start = new Date('2026-05-01T12:00:00.000Z')

let world: ShareWorld
let owner: Browser

beforeAll(async () => {
  world = await openShareWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  world.now = start
  world.settings['share.fileRetentionPeriod'] = 48
  world.settings['share.maxExpiration'] = 0
  owner = world.signIn().browser
})

async function later(hours: number) {
  world.now = new Date(world.now.getTime() + hours * hour)
  await world.run('expire-shares')
}
const inHours = (hours: number) => new Date(start.getTime() + hours * hour).toISOString()
const exists = async (id: string) =>
  (await world.database.knex('shares').where({ id }).first('uid')) !== undefined
async function listed(browser: Browser, id: string): Promise<OwnShare | undefined> {
  const { body } = await browser.send('GET', '/api/shares')
  return (body as OwnShare[]).find((share) => share.id === id)
}
const open = (id: string, browser = world.visit()) =>
  browser.send('POST', `/api/shares/${id}/token`, { body: {} })
const change = (browser: Browser, id: string, body: object) =>
  browser.send('PATCH', `/api/shares/${id}`, { body: { ...body } })

describe('a share whose files outlive its end', () => {
  it('is its owner’s alone, and tells until when', async () => {
    const id = await publishShare(world, owner, { expiration: '1-hour' })
    expect(await listed(owner, id)).not.toHaveProperty('keptUntil')
    await later(1)
    expect(await listed(owner, id)).toMatchObject({ keptUntil: inHours(49) })
    expect((await owner.send('GET', `/api/shares/${id}/from-owner`)).body).toMatchObject({
      keptUntil: inHours(49),
    })
    for (const browser of [owner, world.visit(), world.signIn({ isAdmin: true }).browser]) {
      expect(await open(id, browser)).toMatchObject({ status: 404 })
    }
    expect((await world.service.port.countShares({})).count).toBe(0)
  })

  it('goes when the period is over, also where that is made shorter meanwhile', async () => {
    const [one, other] = [
      await publishShare(world, owner, { expiration: '1-hour' }),
      await publishShare(world, owner, { expiration: '2-hours' }),
    ]
    await later(48)
    expect([await exists(one), await exists(other)]).toEqual([true, true])
    await later(1)
    expect([await exists(one), await exists(other)]).toEqual([false, true])
    expect(await world.eventsOf(one)).toEqual(['share.completed', 'share.deleted'])
    world.settings['share.fileRetentionPeriod'] = 0
    expect(await listed(owner, other)).toBeUndefined()
    await later(0)
    expect(await exists(other)).toBe(false)
  })

  it('opens again with a new end, with the views, the limit and the password that it had', async () => {
    const security = { maxViews: 2 }
    const id = await publishShare(world, owner, { expiration: '1-hour', security })
    const visitor = world.visit()
    expect((await open(id, visitor)).status).toBe(200)
    await later(2)
    expect((await visitor.send('GET', `/api/shares/${id}`)).status).toBe(404)
    const revived = await change(owner, id, { expiration: '1-day' })
    expect(revived).toMatchObject({ status: 200, body: { expiration: inHours(26), views: 1 } })
    expect(revived.body).not.toHaveProperty('keptUntil')
    // The visit of before ended with the share.
    expect((await visitor.send('GET', `/api/shares/${id}`)).status).toBe(403)
    expect((await open(id, visitor)).status).toBe(200)
    expect((await visitor.send('GET', `/api/shares/${id}`)).status).toBe(200)
    expect((await open(id)).body).toMatchObject({ code: 'share_max_views_exceeded' })
    await later(20)
    expect(await listed(owner, id)).not.toHaveProperty('keptUntil')
  })

  it('gets no end beyond the longest one, and takes no files before it has one', async () => {
    const id = await publishShare(world, owner, { expiration: '1-hour' })
    await later(1)
    world.settings['share.maxExpiration'] = 24
    expect((await change(owner, id, { expiration: '25-hours' })).body).toMatchObject({
      code: 'share_expiration_too_long',
    })
    expect((await change(owner, id, { name: 'Another' })).status).toBe(200)
    const reopen = () => owner.send('DELETE', `/api/shares/${id}/complete`)
    expect((await reopen()).status).toBe(404)
    expect((await change(owner, id, { expiration: '24-hours' })).status).toBe(200)
    expect((await reopen()).status).toBe(200)
  })

  it('is deleted at once by its owner and by administrators, who see until when it is kept', async () => {
    const admin = world.signIn({ isAdmin: true }).browser
    const [one, other] = [
      await publishShare(world, owner, { expiration: '1-hour' }),
      await publishShare(world, owner, { expiration: '1-hour' }),
    ]
    await later(1)
    const { body } = await admin.send('GET', '/api/shares/all')
    expect((body as AdminShare[]).filter(({ id }) => id === one)).toMatchObject([
      { keptUntil: inHours(49) },
    ])
    expect((await owner.send('DELETE', `/api/shares/${one}`)).status).toBe(200)
    expect((await admin.send('DELETE', `/api/shares/${other}`)).status).toBe(200)
    expect([await exists(one), await exists(other)]).toEqual([false, false])
  })

  it('is no draft: that goes with its end', async () => {
    const id = newShareId()
    await owner.send('POST', '/api/shares', { body: shareInput(id, { expiration: '1-hour' }) })
    await later(1)
    expect(await exists(id)).toBe(false)
  })
})

describe('a reverse share that ended', () => {
  const reverseShares = async (browser: Browser) =>
    (await browser.send('GET', '/api/reverseShares')).body as OwnReverseShare[]

  it('stays its owner’s with what it brought, and opens that again with a new end', async () => {
    const token = await createReverseShare(owner, { shareExpiration: '1-hour', publicAccess: true })
    const sender = world.signIn().browser
    const id = await sendShare(world, { sender, token })
    await later(1)
    const own = await readOwn(owner, token)
    expect(own.shares).toMatchObject([{ id, keptUntil: inHours(49) }])
    expect((await world.visit().send('GET', `/api/reverseShares/${token}`)).status).toBe(404)
    expect((await open(id)).status).toBe(404)

    // It is not the sender's to prolong.
    expect(await listed(sender, id)).toBeUndefined()
    expect((await change(sender, id, { expiration: '1-hour' })).body).toMatchObject({
      code: 'share_expiration_too_long',
    })

    const path = `/api/reverseShares/${own.id}`
    const revived = await owner.send('PATCH', path, { body: { shareExpiration: '1-day' } })
    expect(revived).toMatchObject({ status: 200, body: { shares: [{ expiration: inHours(25) }] } })
    expect((await open(id)).status).toBe(200)
    expect(await listed(sender, id)).not.toHaveProperty('keptUntil')
  })

  it('goes with the last of what it brought, and at once where that is nothing', async () => {
    const [empty, used] = [
      await createReverseShare(owner, { shareExpiration: '1-hour' }),
      await createReverseShare(owner, { shareExpiration: '1-hour' }),
    ]
    await sendShare(world, { sender: world.visit(), token: used })
    await later(1)
    expect((await reverseShares(owner)).map(({ token }) => token)).toEqual([used])
    await later(48)
    expect(await reverseShares(owner)).toEqual([])
    const rows = await world.database.knex('reverse_shares').whereIn('token', [empty, used])
    expect(rows).toEqual([])
  })

  it('leaves to its sender what the sender let end before', async () => {
    const token = await createReverseShare(owner, { shareExpiration: '9-hours' })
    const sender = world.signIn().browser
    const id = await sendShare(world, { sender, token })
    await change(sender, id, { expiration: '1-hour' })
    await later(1)
    expect((await readOwn(owner, token)).shares).toEqual([])
    expect(await listed(sender, id)).toMatchObject({ keptUntil: inHours(49) })
    expect((await change(sender, id, { expiration: '2-hours' })).status).toBe(200)
    expect((await readOwn(owner, token)).shares).toMatchObject([{ id }])
  })
})

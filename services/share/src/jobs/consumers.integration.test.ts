import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Browser } from '../testing/browser.ts'
import { createReverseShare, readOwn, sendShare } from '../testing/reverse-shares.ts'
import {
  newShareId,
  openShareWorld,
  publishShare,
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
  owner = world.signIn().browser
})

const hour = 3_600_000
const later = (ms: number) => {
  world.now = new Date(world.now.getTime() + ms)
}
async function exists(id: string): Promise<boolean> {
  return (await world.database.knex('shares').where({ id }).first('uid')) !== undefined
}
const countReverseShares = async (token: string) =>
  (await world.database.knex('reverse_shares').where({ token })).length
async function createShare(expiration: string): Promise<string> {
  const id = newShareId()
  await owner.send('POST', '/api/shares', { body: shareInput(id, { expiration }) })
  return id
}

describe('expire-shares', () => {
  it('deletes expired shares with an event each and leaves the others', async () => {
    const expired = await publishShare(world, owner, { expiration: '1-hour' })
    const alive = await publishShare(world, owner, { expiration: '2-hours' })
    const never = await publishShare(world, owner, { expiration: 'never' })
    later(hour)
    await world.run('expire-shares')
    await world.run('expire-shares')
    expect(await exists(expired)).toBe(false)
    expect(await world.eventsOf(expired)).toEqual(['share.completed', 'share.deleted'])
    expect([await exists(alive), await exists(never)]).toEqual([true, true])
  })

  it('tells webhooks of each end of a share once, and not of drafts', async () => {
    const told = async (id: string) => {
      const rows = await world.database
        .knex('outbox')
        .where({ name: 'happening.recorded' })
        .whereRaw("payload->'data'->>'shareId' = ?", [id])
        .orderBy('id')
      return rows.map(({ payload }) => (payload as { type: string }).type)
    }
    const id = await publishShare(world, owner, { expiration: '1-hour' })
    const draft = await createShare('1-hour')
    later(hour)
    await world.run('expire-shares')
    await world.run('expire-shares')
    expect(await told(id)).toEqual(['share.completed', 'share.expired'])
    expect(await told(draft)).toEqual([])
  })

  it('deletes shares never completed after a day without activity, and no reopened one', async () => {
    const idle = await createShare('never')
    const active = await createShare('never')
    const reopened = await publishShare(world, owner, { expiration: 'never' })
    await owner.send('DELETE', `/api/shares/${reopened}/complete`)
    later(20 * hour)
    const accessToken = owner.cookies.get('access_token') ?? null
    await world.service.port.authorizeUpload({
      shareId: active,
      credentials: anonymousCredentials({ accessToken }),
    })
    later(5 * hour)
    await world.run('expire-shares')
    expect([await exists(idle), await exists(active)]).toEqual([false, true])
    expect(await exists(reopened)).toBe(true)
  })

  it('deletes expired reverse shares with what was sent, and no other', async () => {
    const ending = await createReverseShare(owner, { shareExpiration: '1-hour' })
    const id = await sendShare(world, { sender: world.visit(), token: ending })
    const staying = await createReverseShare(owner, { shareExpiration: '2-hours' })
    later(hour)
    await world.run('expire-shares')
    expect([await countReverseShares(ending), await countReverseShares(staying)]).toEqual([0, 1])
    expect(await exists(id)).toBe(false)
    expect(await world.eventsOf(id)).toEqual(['share.completed', 'share.deleted'])
  })

  it('works through more than one batch', async () => {
    const rows = Array.from({ length: 1_100 }, () => ({
      uid: crypto.randomUUID(),
      id: newShareId(),
      created_at: world.now,
      expires_at: world.now,
      state: 'completed',
      last_activity_at: world.now,
    }))
    await world.database.knex.batchInsert('shares', rows, 500)
    await world.run('expire-shares')
    const left = await world.database.knex('shares').where('expires_at', '<=', world.now)
    expect(left).toEqual([])
  })

  it('forgets visits that are over', async () => {
    const id = await publishShare(world, owner)
    const credentials = anonymousCredentials()
    await world.service.port.authorizeRead({ shareId: id, access: 'direct', credentials })
    const uid = await world.uidOf(id)
    const visits = () => world.database.knex('share_visits').where({ share_uid: uid })
    await world.run('expire-shares')
    expect(await visits()).toHaveLength(1)
    later(hour)
    await world.run('expire-shares')
    expect(await visits()).toHaveLength(0)
  })

  it('stops between batches when told to', async () => {
    const id = await publishShare(world, owner, { expiration: '1-minute' })
    later(hour)
    const consumer = world.service.consumers.find(({ job }) => job.name === 'expire-shares')
    await expect(consumer?.handle({}, { signal: AbortSignal.abort() })).rejects.toThrow()
    expect(await exists(id)).toBe(true)
  })
})

describe('delete-user-shares', () => {
  it("deletes all shares of one user, whatever their state, and nobody else's", async () => {
    const { browser, identity } = world.signIn()
    const published = await publishShare(world, browser)
    const open = newShareId()
    await browser.send('POST', '/api/shares', { body: shareInput(open) })
    const other = await publishShare(world, owner)
    await world.run('delete-user-shares', { userId: identity.userId })
    await world.run('delete-user-shares', { userId: identity.userId })
    expect([await exists(published), await exists(open)]).toEqual([false, false])
    expect(await exists(other)).toBe(true)
    expect(await world.eventsOf(open)).toEqual(['share.deleted'])
  })

  it('deletes what the user made and received, and what others received stays', async () => {
    const { browser: receiver, identity } = world.signIn()
    const token = await createReverseShare(receiver)
    const received = await sendShare(world, { sender: world.visit(), token })
    const kept = await createReverseShare(owner)
    const other = await sendShare(world, { sender: world.visit(), token: kept })
    await world.run('delete-user-shares', { userId: identity.userId })
    expect(await countReverseShares(token)).toBe(0)
    expect(await exists(received)).toBe(false)
    expect(await world.eventsOf(received)).toEqual(['share.completed', 'share.deleted'])
    expect((await readOwn(owner, kept)).shares.map(({ id }) => id)).toEqual([other])
  })
})

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Browser } from '../testing/browser.ts'
import {
  newShareId,
  openShareWorld,
  shareInput,
  type ShareWorld,
  anonymousCredentials,
} from '../testing/share-world.ts'

let world: ShareWorld

beforeAll(async () => {
  world = await openShareWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  world.now = new Date('2026-05-01T12:00:00.000Z')
  world.settings['share.allowUnauthenticatedShares'] = true
})
afterEach(() => expect(world.failures).toEqual([]))

const HOUR_MS = 3_600_000
const home = '192.0.2.7'
const from = (clientAddress: string) => ({ headers: { 'X-Forwarded-For': clientAddress } })
const pass = (ms: number) => {
  world.now = new Date(world.now.getTime() + ms)
}

/** Creates a share with one file from `home`, and forgets the cookie. */
async function createShare(maker: Browser = world.visit()): Promise<string> {
  const id = newShareId()
  const created = await maker.send('POST', '/api/shares', { ...from(home), body: shareInput(id) })
  expect(created.status).toBe(201)
  await world.addFile(id)
  return id
}

const upload = (shareId: string, rest: Partial<ReturnType<typeof anonymousCredentials>> = {}) =>
  world.service.port.authorizeUpload({
    shareId,
    credentials: anonymousCredentials({ clientAddress: home, ...rest }),
  })
const complete = (id: string, address = home, browser = world.visit()) =>
  browser.send('POST', `/api/shares/${id}/complete`, from(address))
const keptOf = async (id: string): Promise<string | null> =>
  (await world.database.knex('shares').where({ id }).first('creator_address_hash'))
    .creator_address_hash

describe('a share that is made without an account and without keeping cookies', () => {
  it('takes files and is completed from the address that made it', async () => {
    const id = await createShare()
    expect(await upload(id)).toMatchObject({ shareId: id, userId: null })
    pass(HOUR_MS - 1)
    expect((await complete(id)).status).toBe(202)
  })

  it('is closed to other addresses, which are told the cookie that is missing', async () => {
    const id = await createShare()
    const message = expect.stringContaining(`share_${id}_owner_token`)
    const refused = { code: 'forbidden', message }
    await expect(upload(id, { clientAddress: '192.0.2.8' })).rejects.toMatchObject(refused)
    await expect(upload(id, { clientAddress: '' })).rejects.toMatchObject(refused)
    expect(await complete(id, '192.0.2.8')).toMatchObject({ status: 403, body: refused })
  })

  it('is closed an hour after it was made', async () => {
    const id = await createShare()
    pass(HOUR_MS)
    const message = expect.stringContaining(`share_${id}_owner_token`)
    await expect(upload(id)).rejects.toMatchObject({ code: 'forbidden', message })
    expect(await complete(id)).toMatchObject({ status: 403, body: { message } })
  })

  it('is closed to cookies of somebody else, wherever they come from', async () => {
    const id = await createShare()
    await expect(upload(id, { ownerToken: 'guess' })).rejects.toMatchObject({ code: 'forbidden' })
    const { browser } = world.signIn()
    expect((await complete(id, home, browser)).status).toBe(403)
  })

  it('is not changed, read or deleted by its address', async () => {
    const id = await createShare()
    const calls = [
      ['GET', '', 404],
      ['GET', '/from-owner', 403],
      ['PATCH', '', 403],
      ['DELETE', '/complete', 403],
      ['DELETE', '', 403],
    ] as const
    for (const [method, suffix, status] of calls) {
      const call = { ...from(home), ...(method === 'PATCH' && { body: { name: 'Other' } }) }
      const response = await world.visit().send(method, `/api/shares/${id}${suffix}`, call)
      expect(response.status, `${method} ${suffix}`).toBe(status)
    }
  })

  it('is nobody’s by address once it was completed, reopened or not', async () => {
    const maker = world.visit()
    const id = await createShare(maker)
    expect((await complete(id)).status).toBe(202)
    await expect(upload(id)).rejects.toMatchObject({ code: 'forbidden' })
    expect((await maker.send('DELETE', `/api/shares/${id}/complete`, from(home))).status).toBe(200)
    await expect(upload(id)).rejects.toMatchObject({ code: 'forbidden' })
    expect((await complete(id)).status).toBe(403)
  })

  it('keeps its address for no longer than that, and never as it is', async () => {
    const [completed, left] = [await createShare(), await createShare()]
    const kept = await keptOf(left)
    expect(kept).toMatch(/^[\w-]{43}$/)
    expect(await keptOf(completed)).not.toBe(kept)
    await complete(completed)
    expect(await keptOf(completed)).toBeNull()
    await world.run('expire-shares')
    expect(await keptOf(left)).toBe(kept)
    pass(HOUR_MS)
    await world.run('expire-shares')
    expect(await keptOf(left)).toBeNull()
  })
})

it('a share of an account is never opened by an address', async () => {
  const { browser } = world.signIn()
  const id = await createShare(browser)
  expect(await keptOf(id)).toBeNull()
  await expect(upload(id)).rejects.toMatchObject({
    code: 'forbidden',
    message: 'Forbidden resource',
  })
  expect((await complete(id)).status).toBe(403)
})

import type { ShareActivity } from '@floe/contracts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Browser } from '../testing/browser.ts'
import { beginSending, createReverseShare, sendShare } from '../testing/reverse-shares.ts'
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
  world.settings['share.allowUnauthenticatedShares'] = false
  owner = world.signIn().browser
})
afterEach(() => expect(world.failures).toEqual([]))

const ask = (browser: Browser, id: string, query = '') =>
  browser.send('GET', `/api/shares/${id}/receipts${query}`)

async function read(browser: Browser, id: string, query = ''): Promise<ShareActivity> {
  const response = await ask(browser, id, query)
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return response.body as ShareActivity
}

const open = (id: string, body: object = {}) =>
  world.visit().send('POST', `/api/shares/${id}/token`, { body })
const at = (time: string) => {
  world.now = new Date(`2026-05-0${time}Z`)
}
const forbidden = { status: 403, body: { code: 'forbidden' } }

test('an owner reads views, downloads and files, and no member more', async () => {
  const id = await publishShare(world, owner, { name: 'Holiday' })
  await open(id)
  const activity = await read(owner, id)
  expect(activity).toEqual({
    id,
    name: 'Holiday',
    createdAt: '2026-05-01T12:00:00.000Z',
    views: { total: 1, hours: [{ hour: '2026-05-01T12:00:00.000Z', count: 1 }] },
    downloads: { total: 3, hours: [] },
    archive: { total: 1, lastDownloadedAt: '2026-05-01T11:30:00.000Z' },
    files: [
      {
        id: expect.any(String),
        name: 'a.txt',
        size: '5',
        total: 2,
        lastDownloadedAt: '2026-05-01T11:30:00.000Z',
      },
    ],
  })
  expect(await read(owner, id, `?file=${activity.files[0]?.id}`)).toEqual(activity)
  expect(await read(owner, id, '?file=zip')).toEqual(activity)
})

test('each view counts in its hour, with cookie or without', async () => {
  const id = await publishShare(world, owner)
  for (const time of ['1T12:00:00.000', '1T12:59:59.999', '1T13:00:00.000', '3T08:30:00.000']) {
    at(time)
    expect((await open(id)).status).toBe(200)
  }
  const direct = { shareId: id, access: 'direct' as const, credentials: anonymousCredentials() }
  for (const time of ['3T08:40:00.000', '3T08:50:00.000']) {
    at(time)
    await world.service.port.authorizeRead(direct)
  }
  expect((await read(owner, id)).views).toEqual({
    total: 5,
    hours: [
      { hour: '2026-05-01T12:00:00.000Z', count: 2 },
      { hour: '2026-05-01T13:00:00.000Z', count: 1 },
      { hour: '2026-05-03T08:00:00.000Z', count: 2 },
    ],
  })
})

test('a visit that is refused is no view of any hour', async () => {
  const security = { password: 'open sesame', maxViews: 2 }
  const id = await publishShare(world, owner, { security })
  await open(id)
  await open(id, { password: 'wrong' })
  const right = { password: security.password }
  const responses = await Promise.all(Array.from({ length: 10 }, () => open(id, right)))
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(2)
  expect((await read(owner, id)).views).toEqual({
    total: 2,
    hours: [{ hour: '2026-05-01T12:00:00.000Z', count: 2 }],
  })
})

test('fifty views that begin at once count fifty', async () => {
  const id = await publishShare(world, owner)
  await Promise.all(Array.from({ length: 50 }, () => open(id)))
  expect((await read(owner, id)).views).toMatchObject({ total: 50, hours: [{ count: 50 }] })
})

test('the hours reach back a leap year, the total to the first view', async () => {
  const id = await publishShare(world, owner, { expiration: 'never' })
  await open(id)
  world.now = new Date('2027-05-02T12:00:00.000Z')
  expect((await read(owner, id)).views.hours).toHaveLength(1)
  world.now = new Date('2027-05-02T12:00:00.001Z')
  expect((await read(owner, id)).views).toEqual({ total: 1, hours: [] })
})

test('nobody else learns anything, whether signed in, visiting or neither', async () => {
  const id = await publishShare(world, owner)
  const visitor = world.visit()
  await visitor.send('POST', `/api/shares/${id}/token`, { body: {} })
  expect((await visitor.send('GET', `/api/shares/${id}`)).status).toBe(200)
  for (const browser of [world.visit(), visitor, world.signIn().browser]) {
    expect(await ask(browser, id)).toMatchObject(forbidden)
  }
  expect((await ask(world.signIn({ isAdmin: true }).browser, id)).status).toBe(200)
})

test('an absent share returns 404, a file of another share too, and a made-up file 400', async () => {
  const id = await publishShare(world, owner)
  const [other] = (await read(owner, await publishShare(world, owner))).files
  for (const absent of [newShareId(), 'no%20share', '%00']) {
    expect(await ask(owner, absent)).toMatchObject({
      status: 404,
      body: { code: 'share_not_found' },
    })
  }
  expect(await ask(owner, id, `?file=${other?.id}`)).toMatchObject({
    status: 404,
    body: { code: 'file_not_found' },
  })
  for (const file of ['', 'x', 'zip&file=zip', '%00']) {
    expect(await ask(owner, id, `?file=${file}`)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    })
  }
})

test('the browser that made a share without an account reads it, and no other', async () => {
  world.settings['share.allowUnauthenticatedShares'] = true
  const maker = world.visit()
  const id = await publishShare(world, maker)
  expect((await ask(maker, id)).status).toBe(200)
  expect(await ask(world.visit(), id)).toMatchObject(forbidden)
  expect(await ask(world.signIn().browser, id)).toMatchObject(forbidden)
})

test('who received a share reads of what is published; a sender without account nothing', async () => {
  const token = await createReverseShare(owner)
  const sender = world.visit()
  const open = await beginSending(world, { sender, token })
  expect(await ask(owner, open)).toMatchObject(forbidden)
  const id = await sendShare(world, { sender, token })
  expect(await read(owner, id)).toMatchObject({ files: [{ name: 'a.txt' }] })
  expect(await ask(sender, id)).toMatchObject(forbidden)
})

test('what is being worked on is told to the owner', async () => {
  const id = await publishShare(world, owner)
  await owner.send('DELETE', `/api/shares/${id}/complete`)
  await world.addFile(id, { name: 'b.txt' })
  const { files } = await read(owner, id)
  expect(files.map(({ name }) => name)).toEqual(['a.txt', 'b.txt'])
})

test('the counts of a share go with it: a new one of the same id begins at nothing', async () => {
  const id = await publishShare(world, owner)
  await open(id)
  const share_uid = await world.uidOf(id)
  expect(await world.database.knex('view_counts').where({ share_uid })).toHaveLength(1)
  await owner.send('DELETE', `/api/shares/${id}`)
  expect(await world.database.knex('view_counts').where({ share_uid })).toEqual([])
  await owner.send('POST', '/api/shares', { body: shareInput(id) })
  expect((await read(owner, id)).views).toEqual({ total: 0, hours: [] })
})

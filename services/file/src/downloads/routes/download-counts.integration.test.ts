import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ReadGrant } from '@floe/contracts'
import {
  creation,
  createFileWorld,
  eventually,
  type FileWorld,
  octets,
  ownerHeaders,
  type Replica,
} from '../../testing/file-world.ts'
import type { TestShare } from '../../testing/test-ports.ts'

const since = '2000-01-01T00:00:00.000Z'

let world: FileWorld
let replica: Replica
let share: TestShare
/** By name. */
let ids: Map<string, string>

beforeAll(async () => {
  world = await createFileWorld()
  replica = await world.startReplica()
})
afterAll(() => world.close())
beforeEach(async () => {
  world.clock.now = new Date()
  share = world.ports.addShare()
  await addFile('a.txt', 'hello')
  await addFile('b.txt', 'hello')
})

async function addFile(name: string, text: string): Promise<void> {
  const headers = creation(share, { ...octets, 'Upload-Length': String(text.length) }, name)
  const created = await replica.send('POST', '/api/uploads', { headers, body: Buffer.from(text) })
  expect(created.status, created.text).toBe(201)
  const rows = await world.database
    .knex('files')
    .where({ share_uid: share.uid })
    .select('id', 'name')
  ids = new Map(rows.map((row: { id: string; name: string }) => [row.name, row.id]))
}

const idOf = (name: string) => ids.get(name) ?? ''
const pathOf = (name: string) =>
  `/api/shares/${share.id}/files/${name === 'zip' ? 'zip' : idOf(name)}`
const get = async (
  name: string,
  { headers = {}, method = 'GET', query = '' }: Record<string, never> | Call = {},
) => (await replica.send(method, pathOf(name) + query, { headers })).status

interface Call {
  headers?: Record<string, string>
  method?: string
  query?: string
}

async function count({ of = replica, only = null as string | null, edition = 1 } = {}) {
  const grant = { shareUid: share.uid, shareId: share.id, edition } as ReadGrant
  return of.files.countDownloads({ grant, only, since })
}

/** `{ zip, <name> … }`, those that were downloaded. */
async function totals(): Promise<Record<string, number>> {
  const { archive, files } = await count()
  const counted = [{ name: 'zip', total: archive.total }, ...files]
  return Object.fromEntries(
    counted.flatMap(({ name, total }) => (total > 0 ? [[name, total]] : [])),
  )
}

const rowsOfShare = () =>
  world.database.knex('download_counts').where({ share_uid: share.uid }).orderBy('hour')

test('every download that begins counts once, the archive for itself', async () => {
  for (const name of ['a.txt', 'a.txt', 'b.txt', 'zip']) expect(await get(name)).toBe(200)
  expect(await totals()).toEqual({ zip: 1, 'a.txt': 2, 'b.txt': 1 })
})

test('fifty downloads that begin at once count fifty', async () => {
  const statuses = await Promise.all(Array.from({ length: 50 }, () => get('a.txt')))
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(await totals()).toEqual({ 'a.txt': 50 })
})

test('what two processes count at once adds up', async () => {
  const other = await world.startReplica()
  const send = (by: Replica) => by.send('GET', pathOf('a.txt'))
  await Promise.all(Array.from({ length: 20 }, (_, turn) => send(turn % 2 ? replica : other)))
  await Promise.all([count(), count({ of: other })])
  expect(await totals()).toEqual({ 'a.txt': 20 })
  await other.stop()
})

test('of the connections of a download manager the one that begins at the first byte counts', async () => {
  const ranges = ['bytes=0-1', 'bytes=2-3', 'bytes=4-']
  await Promise.all(ranges.map((Range) => get('a.txt', { headers: { Range } })))
  expect(await totals()).toEqual({ 'a.txt': 1 })
})

test('a resumed download counts once, however often it is resumed', async () => {
  expect(await get('zip')).toBe(200)
  for (const Range of ['bytes=1-', 'bytes=7-']) {
    expect(await get('zip', { headers: { Range } })).toBe(206)
  }
  expect(await totals()).toEqual({ zip: 1 })
})

test('what sends no content, what the owner reads and previews do not count', async () => {
  const silent: [number, Call][] = [
    [200, { method: 'HEAD' }],
    [304, { headers: { 'If-None-Match': '*' } }],
    [412, { headers: { 'If-Match': '"other"' } }],
    [416, { headers: { Range: 'bytes=99-' } }],
    [200, { query: '?download=false' }],
    [200, { headers: ownerHeaders(share) }],
  ]
  for (const [status, call] of silent) expect(await get('a.txt', call)).toBe(status)
  expect(await get('zip', { headers: ownerHeaders(share) })).toBe(200)
  expect(await totals()).toEqual({})
})

test('an empty file counts like any other, and a file that cannot be read does not', async () => {
  await addFile('empty.txt', '')
  expect(await get('empty.txt')).toBe(200)
  const lost = await world.startReplica({
    wrapObjects: (objects) => ({
      ...objects,
      openReader: () => Promise.reject(new Error('the disk is gone')),
    }),
  })
  expect((await lost.send('GET', pathOf('a.txt'))).status).toBe(500)
  await count({ of: lost })
  expect(await totals()).toEqual({ 'empty.txt': 1 })
  await lost.stop()
})

test('downloads are told by the hour, of everything or of one, and when the last one began', async () => {
  for (const [time, name] of [
    ['12:10:00.000', 'a.txt'],
    ['12:50:00.000', 'b.txt'],
    ['14:20:00.000', 'b.txt'],
    ['14:30:00.000', 'zip'],
  ] as const) {
    world.clock.now = new Date(`2026-05-01T${time}Z`)
    await get(name)
  }
  const hours = [
    { hour: '2026-05-01T12:00:00.000Z', count: 2 },
    { hour: '2026-05-01T14:00:00.000Z', count: 2 },
  ]
  expect(await count()).toEqual({
    hours,
    archive: { total: 1, lastDownloadedAt: '2026-05-01T14:30:00.000Z' },
    files: [
      {
        id: idOf('a.txt'),
        name: 'a.txt',
        sizeBytes: 5,
        total: 1,
        lastDownloadedAt: '2026-05-01T12:10:00.000Z',
      },
      {
        id: idOf('b.txt'),
        name: 'b.txt',
        sizeBytes: 5,
        total: 2,
        lastDownloadedAt: '2026-05-01T14:20:00.000Z',
      },
    ],
  })
  expect((await count({ only: idOf('a.txt') })).hours).toEqual([{ ...hours[0], count: 1 }])
  expect((await count({ only: 'zip' })).hours).toEqual([{ ...hours[1], count: 1 }])
  await expect(count({ only: randomUUID() })).rejects.toMatchObject({ code: 'file_not_found' })
})

test('the hours reach back to where they are asked for, the totals to the first download', async () => {
  world.clock.now = new Date('2026-05-01T12:10:00.000Z')
  await get('a.txt')
  const grant = { shareUid: share.uid, edition: 1 } as ReadGrant
  const asked = { grant, only: null, since: '2026-05-01T13:00:00.000Z' }
  expect(await replica.files.countDownloads(asked)).toMatchObject({
    hours: [],
    files: [
      { name: 'a.txt', total: 1 },
      { name: 'b.txt', total: 0 },
    ],
  })
})

test('counts are written within a second or so, asked for or not', async () => {
  await get('a.txt')
  await eventually(async () => (await rowsOfShare()).length === 1)
  expect(await rowsOfShare()).toMatchObject([{ file_id: idOf('a.txt'), count: 1 }])
})

test('a process that stops writes what it has counted', async () => {
  const leaving = await world.startReplica()
  await leaving.send('GET', pathOf('zip'))
  await leaving.stop()
  expect(await rowsOfShare()).toMatchObject([{ file_id: null, count: 1 }])
})

test('counts go with their file, and all of them with the share', async () => {
  for (const name of ['a.txt', 'b.txt', 'zip']) await get(name)
  await count()
  const removed = await replica.send('DELETE', pathOf('a.txt'), { headers: ownerHeaders(share) })
  expect(removed.status).toBe(200)
  expect(await totals()).toEqual({ zip: 1, 'b.txt': 1 })
  expect(await rowsOfShare()).toHaveLength(2)
  await replica.runJob('delete-share-files', { shareUid: share.uid })
  expect(await rowsOfShare()).toEqual([])
})

test('counts of a removed file are told as long as visitors read it, and go when it is purged', async () => {
  world.ports.complete(share)
  for (const name of ['a.txt', 'b.txt']) await get(name)
  share.state = 'open'
  await replica.send('DELETE', pathOf('a.txt'), { headers: ownerHeaders(share) })
  expect(await count()).toMatchObject({ files: [{ total: 1 }, { total: 1 }] })
  const working = await count({ edition: 2 })
  expect(working).toMatchObject({ files: [{ name: 'b.txt', total: 1 }], hours: [{ count: 1 }] })
  world.ports.complete(share)
  await replica.runJob('purge-removed-files')
  world.clock.now = new Date(world.clock.now.getTime() + 3_600_001)
  await replica.runJob('purge-removed-files')
  expect(await rowsOfShare()).toMatchObject([{ file_id: idOf('b.txt') }])
})

test('what was counted of a share that is deleted meanwhile is forgotten, the rest is kept', async () => {
  const doomed = share
  await get('a.txt')
  await get('zip')
  share = world.ports.addShare()
  await addFile('c.txt', 'hello')
  await get('c.txt')
  await replica.runJob('delete-share-files', { shareUid: doomed.uid })
  expect(await totals()).toEqual({ 'c.txt': 1 })
  expect(await world.database.knex('download_counts').where({ share_uid: doomed.uid })).toEqual([])
})

import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  createFileWorld,
  creation,
  type FileWorld,
  octets,
  ownerHeaders,
  type Replica,
} from '../../testing/file-world.ts'
import type { TestShare } from '../../testing/test-ports.ts'

let world: FileWorld
let replica: Replica
let share: TestShare
let path: string

beforeAll(async () => {
  world = await createFileWorld()
  replica = await world.startReplica()
})
afterAll(() => world.close())
beforeEach(async () => {
  share = world.ports.addShare()
  const created = await replica.send('POST', '/api/uploads', {
    headers: creation(share, { ...octets, 'Upload-Length': '5' }, 'a.txt'),
    body: Buffer.from('hello'),
  })
  expect(created.status).toBe(201)
  const { id } = await world.database.knex('files').where({ share_uid: share.uid }).first('id')
  path = `/api/shares/${share.id}/files/${id}`
})

async function countNotes(): Promise<number> {
  const rows = await world.database
    .knex('outbox')
    .where({ name: 'share.downloaded' })
    .whereRaw("payload->>'shareUid' = ?", [share.uid])
  return rows.length
}
const pass = (ms: number) => {
  world.clock.now = new Date(world.clock.now.getTime() + ms)
}
const get = async (url: string, headers: Record<string, string> = {}, method = 'GET') => {
  const { status } = await replica.send(method, url, { headers })
  return status
}

test('a file or an archive that somebody begins to download is recorded once a minute', async () => {
  expect(await get(path)).toBe(200)
  await vi.waitFor(async () => expect(await countNotes()).toBe(1))
  const zip = `/api/shares/${share.id}/files/zip`
  expect(await get(zip)).toBe(200)
  pass(60_000)
  expect(await get(zip)).toBe(200)
  await vi.waitFor(async () => expect(await countNotes()).toBe(2))
})

test('what sends no beginning, what the owner or a preview reads, and a list of digests is not recorded', async () => {
  const silent = [
    () => get(path, {}, 'HEAD'),
    () => get(path, { Range: 'bytes=1-' }),
    () => get(path, { 'If-None-Match': '*' }),
    () => get(`${path}?download=false`),
    () => get(path, ownerHeaders(share)),
    () => get(`/api/shares/${share.id}/files/SHA256SUMS`),
  ]
  for (const read of silent) {
    expect(await read()).toBeLessThan(400)
    pass(60_000)
  }
  expect(await get(path, { Range: 'bytes=0-1' })).toBe(206)
  await vi.waitFor(async () => expect(await countNotes()).toBeGreaterThan(0))
  expect(await countNotes()).toBe(1)
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  append,
  createFileWorld,
  createUpload,
  eventually,
  type FileWorld,
  inspectOffset,
  makeBytes,
  type Replica,
  sha256,
  storedFiles,
  tus,
} from '../../testing/file-world.ts'
import type { TestShare } from '../../testing/test-ports.ts'

let world: FileWorld
let share: TestShare

beforeAll(async () => {
  world = await createFileWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  share = world.ports.addShare()
})

const rowOf = () => world.database.knex('uploads').where({ share_uid: share.uid }).first()
const patch = (replica: Replica, path: string, offset: number, body: Buffer) =>
  replica.send('PATCH', path, { headers: append(offset), body })
const isHeld = async () => (await rowOf()).lease_holder !== null

test('an upload in small requests stays open in between, and its bytes are one file', async () => {
  const replica = await world.startReplica()
  const body = makeBytes(50_000)
  const path = await createUpload(replica, share, { 'Upload-Length': '50000' })
  for (let offset = 0; offset < body.length; offset += 1_000) {
    const response = await patch(replica, path, offset, body.subarray(offset, offset + 1_000))
    expect(response.headers['upload-offset']).toBe(String(offset + 1_000))
  }
  expect((await rowOf()).lease_token).toBe(1)
  expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
  await replica.stop()
})

test('a sender that does not come back leaves the upload free, with its offset saved', async () => {
  const replica = await world.startReplica()
  const path = await createUpload(replica, share, { 'Upload-Length': '1000' })
  await patch(replica, path, 0, makeBytes(400))
  expect(await isHeld()).toBe(true)
  await eventually(async () => !(await isHeld()))
  expect(await rowOf()).toMatchObject({ offset_bytes: 400 })
  await replica.stop()
})

test('another replica takes a waiting upload over at once', async () => {
  const [first, second] = [await world.startReplica(), await world.startReplica()]
  const body = makeBytes(1_000)
  const path = await createUpload(first, share, { 'Upload-Length': '1000' })
  for (let offset = 0; offset < 1_000; offset += 100) {
    const replica = (offset / 100) % 2 === 0 ? first : second
    const response = await patch(replica, path, offset, body.subarray(offset, offset + 100))
    expect(response.status).toBe(204)
  }
  expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
  await Promise.all([first.stop(), second.stop()])
})

test('a wrong offset, an inspection and a refused body leave the waiting upload as it was', async () => {
  const replica = await world.startReplica()
  const body = makeBytes(1_000)
  const path = await createUpload(replica, share, { 'Upload-Length': '1000' })
  await patch(replica, path, 0, body.subarray(0, 300))
  expect((await patch(replica, path, 200, body.subarray(200))).status).toBe(409)
  expect(await inspectOffset(replica, path)).toBe(300)
  expect((await patch(replica, path, 300, makeBytes(800))).status).toBe(413)
  const checksum = { 'Upload-Checksum': `sha1 ${Buffer.alloc(20).toString('base64')}` }
  const mismatch = await replica.send('PATCH', path, {
    headers: { ...append(300), ...checksum },
    body: body.subarray(300, 600),
  })
  expect(mismatch.status).toBe(460)
  expect(await inspectOffset(replica, path)).toBe(300)
  await patch(replica, path, 300, body.subarray(300))
  expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
  await replica.stop()
})

describe.each([
  ['goes', 'gone', 410],
  ['closes', 'locked', 400],
] as const)('a share that %s', (_what, state, status) => {
  test('refuses at once the request that would make a waiting upload a file', async () => {
    const replica = await world.startReplica()
    const path = await createUpload(replica, share, { 'Upload-Length': '1000' })
    await patch(replica, path, 0, makeBytes(300))
    share.state = state
    expect((await patch(replica, path, 300, makeBytes(700))).status).toBe(status)
    expect(await storedFiles(world, share)).toEqual([])
    await replica.stop()
  })

  test('refuses more of a waiting upload after a second', async () => {
    const replica = await world.startReplica()
    const path = await createUpload(replica, share, { 'Upload-Length': '1000' })
    await patch(replica, path, 0, makeBytes(300))
    share.state = state
    world.clock.now = new Date(world.clock.now.getTime() + 1_000)
    expect((await patch(replica, path, 300, makeBytes(100))).status).toBe(status)
    const ended = await replica.send('DELETE', path, { headers: tus })
    expect(ended.status).toBe(204)
    await replica.stop()
  })
})

test('stopping gives waiting uploads back', async () => {
  const replica = await world.startReplica()
  const path = await createUpload(replica, share, { 'Upload-Length': '1000' })
  await patch(replica, path, 0, makeBytes(300))
  await replica.stop()
  expect(await rowOf()).toMatchObject({ lease_holder: null, offset_bytes: 300 })
})

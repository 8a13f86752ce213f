import { randomBytes } from 'node:crypto'
import { newObjectKey } from '@floe/storage'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SMALL_BODY_BYTES } from '../../uploads/domain/upload.ts'
import {
  append,
  createFileWorld,
  createUpload,
  creation,
  type FileWorld,
  inspectOffset,
  makeBytes,
  octets,
  type Replica,
  sha256,
  storedFiles,
  tus,
} from '../../testing/file-world.ts'
import { sendHalf } from '../../testing/http-client.ts'
import type { TestShare } from '../../testing/test-ports.ts'

let world: FileWorld
let replica: Replica
let share: TestShare

beforeAll(async () => {
  world = await createFileWorld()
  replica = await world.startReplica()
})
afterAll(() => world.close())
beforeEach(() => {
  share = world.ports.addShare()
})
afterEach(async () => {
  expect(await world.findMiscounts()).toEqual([])
  world.clock.now = new Date()
})

const DAY_MS = 24 * 3_600_000
const pass = (ms: number) => {
  world.clock.now = new Date(world.clock.now.getTime() + ms)
}

const addFile = (body: Buffer) =>
  replica.send('POST', '/api/uploads', {
    headers: creation(share, { 'Upload-Length': String(body.length), ...octets }),
    body,
  })

async function objectKeys(): Promise<Set<string>> {
  const keys = new Set<string>()
  for await (const { key } of world.objects.list()) keys.add(key)
  return keys
}

describe('expiry', () => {
  test('removes an abandoned upload with its bytes and its share of the limit', async () => {
    const path = await createUpload(replica, share, { 'Upload-Length': '1000' })
    await replica.send('PATCH', path, { headers: append(0), body: makeBytes(10) })
    const before = (await objectKeys()).size
    pass(DAY_MS + 1_000)
    await replica.runJob('expire-uploads')
    expect((await replica.send('HEAD', path, { headers: tus })).status).toBe(404)
    expect((await objectKeys()).size).toBe(before - 1)
    const totals = await world.database.knex('share_totals').where({ share_uid: share.uid }).first()
    expect(totals.reserved_bytes).toBe(0)
  })

  test('tells webhooks of uploads that were given up, not of those that their sender has ended', async () => {
    const abandoned = await createUpload(replica, share, { 'Upload-Length': '1000' })
    const ended = await createUpload(replica, share, { 'Upload-Length': '1000' })
    expect((await replica.send('DELETE', ended, { headers: tus })).status).toBe(204)
    pass(DAY_MS + 1_000)
    await replica.runJob('expire-uploads')
    expect((await replica.send('HEAD', abandoned, { headers: tus })).status).toBe(404)
    const told = await world.database
      .knex('outbox')
      .where({ name: 'happening.recorded' })
      .whereRaw("payload->'data'->>'shareId' = ?", [share.id])
    expect(told.map(({ payload }) => payload as object)).toMatchObject([{ type: 'upload.failed' }])
  })

  test('never removes a finished file, only what is known of its upload', async () => {
    const body = makeBytes(5)
    await addFile(body)
    const path = await createUpload(replica, share, { 'Upload-Length': '5' })
    await replica.send('PATCH', path, { headers: append(0), body })
    pass(30 * DAY_MS)
    await replica.runJob('expire-uploads')
    await replica.runJob('reconcile-objects')
    expect(await world.database.knex('uploads').where({ share_uid: share.uid })).toEqual([])
    expect(await storedFiles(world, share)).toMatchObject([
      { sha256: sha256(body) },
      { sha256: sha256(body) },
    ])
  })

  test('leaves alone what had activity within a day', async () => {
    const path = await createUpload(replica, share, { 'Upload-Length': '5' })
    pass(DAY_MS - 1_000)
    await inspectOffset(replica, path)
    pass(DAY_MS - 1_000)
    await replica.runJob('expire-uploads')
    expect(await inspectOffset(replica, path)).toBe(0)
  })

  test('ends a connection that fell silent for a day', async () => {
    const path = await createUpload(replica, share, { 'Upload-Length': '1000' })
    const half = await sendHalf(replica.port, 'PATCH', path, {
      headers: { ...append(0), 'Content-Length': '1000' },
      body: makeBytes(10),
    })
    pass(DAY_MS + 3_600_000)
    await replica.runJob('expire-uploads')
    expect((await replica.send('HEAD', path, { headers: tus })).status).toBe(404)
    half.socket.destroy()
  })

  test('removes a finished part that was never joined', async () => {
    const response = await replica.send('POST', '/api/uploads', {
      headers: creation(share, { 'Upload-Length': '4', 'Upload-Concat': 'partial', ...octets }),
      body: makeBytes(4),
    })
    const path = String(response.headers['location'])
    pass(DAY_MS + 1_000)
    await replica.runJob('expire-uploads')
    expect((await replica.send('HEAD', path, { headers: tus })).status).toBe(404)
  })
})

describe('reconciliation', () => {
  test('takes objects without a row, and no other', async () => {
    await addFile(makeBytes(10))
    const path = await createUpload(replica, share, { 'Upload-Length': '10' })
    await replica.send('PATCH', path, { headers: append(0), body: makeBytes(5) })
    const orphan = newObjectKey()
    await world.objects.putSmall(orphan, [randomBytes(10)])
    const before = await objectKeys()
    await replica.runJob('reconcile-objects')
    before.delete(orphan)
    expect(await objectKeys()).toEqual(before)
    expect(await inspectOffset(replica, path)).toBe(5)
  })

  test('removes what is left of shares that are gone', async () => {
    await addFile(makeBytes(10))
    await createUpload(replica, share, { 'Upload-Length': '10' })
    share.state = 'gone'
    await replica.runJob('reconcile-objects')
    for (const table of ['files', 'uploads', 'share_totals']) {
      expect(await world.database.knex(table).where({ share_uid: share.uid })).toEqual([])
    }
  })
})

describe('hashing', () => {
  const digests = async () => {
    const rows = await world.database.knex('files').where({ share_uid: share.uid })
    return rows.map(({ sha256: digest }) => (digest as Buffer | null)?.toString('hex') ?? null)
  }

  test('gives every file the SHA-256 of what is stored', async () => {
    const bodies = [makeBytes(0), makeBytes(1), makeBytes(1_500_000)]
    for (const body of bodies) await addFile(body)
    await replica.runJob('hash-share-files', { shareUid: share.uid })
    expect((await digests()).sort()).toEqual(bodies.map(sha256).sort())
  })

  test('leaves nothing to do for a small file, whose digest was taken as it came', async () => {
    const body = makeBytes(100)
    await addFile(body)
    expect(await digests()).toEqual([sha256(body)])
  })

  test('fails for a file whose bytes changed, and still hashes the others', async () => {
    // Too big to be digested as they come in.
    const body = makeBytes(SMALL_BODY_BYTES + 1)
    await addFile(body)
    await addFile(body)
    const [row] = await world.database.knex('files').where({ share_uid: share.uid })
    const writer = await world.objects.openWriter(row.object_key, { offsetBytes: 50 })
    await writer.write([makeBytes(50)])
    await writer.close()
    await expect(replica.runJob('hash-share-files', { shareUid: share.uid })).rejects.toThrow()
    expect((await digests()).filter((digest) => digest === sha256(body))).toHaveLength(1)
    expect((await digests()).filter((digest) => digest === null)).toHaveLength(1)
  })
})

test('deleting a share leaves neither rows nor objects', async () => {
  const before = await objectKeys()
  await addFile(makeBytes(10))
  await createUpload(replica, share, { 'Upload-Length': '10' })
  await replica.runJob('delete-share-files', { shareUid: share.uid })
  await replica.runJob('delete-share-files', { shareUid: share.uid })
  expect(await objectKeys()).toEqual(before)
})

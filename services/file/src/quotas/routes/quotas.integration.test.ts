import { randomUUID } from 'node:crypto'
import { MOST_FILE_BYTES } from '@floe/contracts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  append,
  createFileWorld,
  creation,
  encodeMetadata,
  type FileWorld,
  makeBytes,
  octets,
  ownerHeaders,
  type Replica,
  tus,
} from '../../testing/file-world.ts'
import type { ReceivedResponse } from '../../testing/http-client.ts'
import type { TestShare } from '../../testing/test-ports.ts'

const CHUNK = 100_000
const SIZE = 250_000
const DAY_MS = 24 * 3_600_000

let world: FileWorld
/** Two processes: no limit may depend on being in one. */
let replicas: Replica[]
let share: TestShare

beforeAll(async () => {
  world = await createFileWorld()
  replicas = [await world.startReplica(), await world.startReplica()]
  world.ports.settings['share.chunkSize'] = CHUNK
})
afterAll(() => world.close())
beforeEach(() => {
  share = world.ports.addShare()
})
afterEach(async () => {
  expect(await world.findMiscounts()).toEqual([])
  world.ports.settings['share.totalStorageLimit'] = 0
  world.ports.settings['share.userStorageLimit'] = 0
  world.clock.now = new Date()
  // What one test stored is not to fill the instance of the next.
  for (const { share_uid: shareUid } of await world.database.knex('share_totals')) {
    await replicaOf(0).runJob('delete-share-files', { shareUid })
  }
  for (const { id } of await world.database.knex('uploads').select('id')) {
    await replicaOf(0).send('DELETE', `/api/uploads/${String(id)}`, { headers: tus })
  }
  expect(await used(null)).toBe(0)
})

const replicaOf = (index: number): Replica => {
  const replica = replicas[index % replicas.length]
  if (!replica) throw new Error('no replica')
  return replica
}

const INSTANCE = '00000000-0000-0000-0000-000000000000'

async function used(ownerId: string | null): Promise<number> {
  const row = await world.database
    .knex('storage_usage')
    .where({ owner_id: ownerId ?? INSTANCE })
    .first('used_bytes')
  return Number(row?.used_bytes ?? 0)
}

async function listSizes(): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for await (const { key, sizeBytes } of world.objects.list()) sizes.set(key, sizeBytes)
  return sizes
}

/** A list is no snapshot. What two in a row have was there between them, all of it at one moment. */
function bytesBetween(before: Map<string, number>, after: Map<string, number>): number {
  const both = [...before].filter(([key]) => after.has(key))
  return both.reduce((sum, [, sizeBytes]) => sum + sizeBytes, 0)
}

async function countObjects(): Promise<number> {
  let count = 0
  for await (const object of world.objects.list()) if (object.key) count += 1
  return count
}

const sendSmall = (index: number, to = share, bytes = SIZE) =>
  replicaOf(index).send('POST', '/api/uploads', {
    headers: creation(to, { 'Upload-Length': String(bytes), ...octets }),
    body: makeBytes(bytes),
  })

/** As clients do it: created first, then in two requests. */
async function sendInTwo(
  index: number,
  headers: Record<string, string>,
): Promise<ReceivedResponse> {
  const created = await replicaOf(index).send('POST', '/api/uploads', {
    headers: creation(share, headers),
  })
  if (created.status !== 201) return created
  const path = String(created.headers['location'])
  const first = await replicaOf(index).send('PATCH', path, {
    headers: append(0),
    body: makeBytes(CHUNK),
  })
  if (first.status !== 204) return first
  return replicaOf(index + 1).send('PATCH', path, {
    headers: append(CHUNK, { 'Upload-Length': String(SIZE) }),
    body: makeBytes(SIZE - CHUNK),
  })
}

async function sendChunks(index: number, bytes = SIZE): Promise<ReceivedResponse> {
  const id = randomUUID()
  const total = Math.ceil(bytes / CHUNK)
  for (let chunk = 0; ; chunk += 1) {
    const query = `id=${id}&name=${index}.bin&chunkIndex=${chunk}&totalChunks=${total}`
    const response = await replicaOf(index + chunk).send(
      'POST',
      `/api/shares/${share.id}/files?${query}`,
      {
        headers: { ...ownerHeaders(share), 'Content-Type': 'application/octet-stream' },
        body: makeBytes(Math.min(CHUNK, bytes - chunk * CHUNK)),
      },
    )
    if (response.status !== 201 || chunk === total - 1) return response
  }
}

const ways: [string, (index: number) => Promise<ReceivedResponse>][] = [
  ['tus in one request', (index) => sendSmall(index)],
  ['tus in several requests', (index) => sendInTwo(index, { 'Upload-Length': String(SIZE) })],
  ['the chunk protocol', (index) => sendChunks(index)],
]

describe.each(['userStorageLimit', 'totalStorageLimit'] as const)('%s', (limit) => {
  const code = limit === 'userStorageLimit' ? 'quota_exceeded' : 'instance_quota_exceeded'

  test.each(ways)('lets exactly 7 of 20 parallel files in by %s', async (_way, send) => {
    const limitBytes = 7 * SIZE + SIZE - 1
    world.ports.settings[`share.${limit}`] = limitBytes
    let isOver = false
    let mostBytes = 0
    const sample = async () => {
      let before = await listSizes()
      // What is stored in the end counts too.
      for (let isLast = false; !isLast;) {
        isLast = isOver
        const after = await listSizes()
        mostBytes = Math.max(mostBytes, bytesBetween(before, after))
        before = after
      }
    }
    const sampling = sample()
    const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => send(index)))
    isOver = true
    await sampling
    const refused = responses.filter(({ status }) => status >= 400)
    expect(refused.map((response) => [response.status, response.code])).toEqual(
      Array.from({ length: 13 }, () => [413, code]),
    )
    expect(mostBytes).toBeGreaterThan(0)
    expect(mostBytes).toBeLessThanOrEqual(limitBytes)
    const files = await world.database.knex('files').where({ share_uid: share.uid })
    expect(files.map((file) => file.size_bytes)).toEqual(Array.from({ length: 7 }, () => SIZE))
    expect(await world.database.knex('uploads').whereNull('finished_at')).toEqual([])
    expect(await countObjects()).toBe(7)
    expect(await used(share.userId)).toBe(7 * SIZE)
    expect(await used(null)).toBe(7 * SIZE)
  })
})

describe('an upload without a length', () => {
  test('is refused where its bytes no longer fit, and keeps what it had', async () => {
    world.ports.settings['share.userStorageLimit'] = SIZE
    const created = await replicaOf(0).send('POST', '/api/uploads', {
      headers: creation(share, { 'Upload-Defer-Length': '1' }),
    })
    const path = String(created.headers['location'])
    const patch = (offset: number, body: Buffer | Buffer[]) =>
      replicaOf(0).send('PATCH', path, {
        headers: {
          ...append(offset),
          ...(Array.isArray(body) && { 'Transfer-Encoding': 'chunked' }),
        },
        body,
      })
    expect((await patch(0, makeBytes(CHUNK))).status).toBe(204)
    expect((await patch(CHUNK, makeBytes(SIZE))).code).toBe('quota_exceeded')
    const pieces = Array.from({ length: 4 }, () => makeBytes(CHUNK))
    expect((await patch(CHUNK, pieces)).code).toBe('quota_exceeded')
    expect(await used(share.userId)).toBe(CHUNK)
    expect((await patch(CHUNK, [makeBytes(SIZE - CHUNK)])).status).toBe(204)
    expect(await used(share.userId)).toBe(SIZE)
  })
})

describe('space comes back', () => {
  test('from an upload that is terminated, and from one that is abandoned', async () => {
    const paths: string[] = []
    for (let index = 0; index < 2; index += 1) {
      const response = await replicaOf(0).send('POST', '/api/uploads', {
        headers: creation(share, { 'Upload-Length': '1000000' }),
      })
      paths.push(String(response.headers['location']))
    }
    expect(await used(share.userId)).toBe(2_000_000)
    await replicaOf(1).send('DELETE', paths[0] ?? '', { headers: tus })
    expect(await used(share.userId)).toBe(1_000_000)
    world.clock.now = new Date(world.clock.now.getTime() + DAY_MS + 1_000)
    await replicaOf(0).runJob('expire-uploads')
    expect(await used(share.userId)).toBe(0)
  })

  test('from a file that is deleted, and from a share', async () => {
    await sendSmall(0)
    await sendSmall(1)
    const [file] = await world.database.knex('files').where({ share_uid: share.uid })
    await replicaOf(0).send('DELETE', `/api/shares/${share.id}/files/${String(file.id)}`, {
      headers: ownerHeaders(share),
    })
    expect(await used(share.userId)).toBe(SIZE)
    await replicaOf(0).runJob('delete-share-files', { shareUid: share.uid })
    expect(await used(share.userId)).toBe(0)
    expect(await used(null)).toBe(0)
  })

  test('from an edit that is discarded; what it removed takes its space until it is purged', async () => {
    await sendSmall(0)
    world.ports.complete(share)
    share.state = 'open'
    await sendSmall(0)
    const [published] = await world.database
      .knex('files')
      .where({ share_uid: share.uid, added_edition: 1 })
    const remove = () =>
      replicaOf(0).send('DELETE', `/api/shares/${share.id}/files/${String(published.id)}`, {
        headers: ownerHeaders(share),
      })
    await remove()
    expect(await used(share.userId)).toBe(2 * SIZE)
    await replicaOf(0).files.discardChanges({ shareUid: share.uid, edition: 1 })
    expect(await used(share.userId)).toBe(SIZE)
    await remove()
    world.ports.complete(share)
    await replicaOf(0).runJob('purge-removed-files')
    expect(await used(share.userId)).toBe(SIZE)
    world.clock.now = new Date(world.clock.now.getTime() + 2 * 3_600_000)
    await replicaOf(0).runJob('purge-removed-files')
    expect(await used(share.userId)).toBe(0)
  })

  test('from a body that was refused', async () => {
    const response = await replicaOf(0).send('POST', '/api/uploads', {
      headers: creation(share, {
        'Upload-Length': String(SIZE),
        'Upload-Checksum': `sha1 ${Buffer.alloc(20).toString('base64')}`,
        ...octets,
      }),
      body: makeBytes(SIZE),
    })
    expect(response.code).toBe('upload_checksum_mismatch')
    expect(await used(share.userId)).toBe(0)
  })
})

test('parts to be joined count, and give their space back once they are a file', async () => {
  const send = (headers: Record<string, string>, body?: Buffer) =>
    replicaOf(0).send('POST', '/api/uploads', {
      headers: creation(share, headers),
      ...(body && { body }),
    })
  const part = { 'Upload-Concat': 'partial', 'Upload-Length': String(SIZE), ...octets }
  world.ports.settings['share.userStorageLimit'] = 4 * SIZE
  const paths: string[] = []
  for (let index = 0; index < 2; index += 1) {
    paths.push(String((await send(part, makeBytes(SIZE))).headers['location']))
  }
  expect(await used(share.userId)).toBe(2 * SIZE)
  const joined = await send({ 'Upload-Concat': `final;${paths.join(' ')}` })
  expect(joined.status).toBe(201)
  expect(await used(share.userId)).toBe(2 * SIZE)
  const tooMuch = await send({
    ...part,
    'Upload-Length': String(2 * SIZE + 1),
    'Content-Length': '0',
  })
  expect(tooMuch.code).toBe('quota_exceeded')
})

describe('who is charged', () => {
  test('is the one who receives, where a reverse share is used', async () => {
    const receiverId = randomUUID()
    share = world.ports.addShare({ userId: null, receiverId })
    world.ports.storageLimits.set(receiverId, SIZE)
    expect((await sendSmall(0)).status).toBe(201)
    expect((await sendSmall(0)).code).toBe('quota_exceeded')
    expect(await used(receiverId)).toBe(SIZE)
  })

  test('is nobody but the instance for a share without an account', async () => {
    share = world.ports.addShare({ userId: null })
    world.ports.settings['share.userStorageLimit'] = 1
    world.ports.settings['share.totalStorageLimit'] = SIZE
    expect((await sendSmall(0)).status).toBe(201)
    expect((await sendSmall(0)).code).toBe('instance_quota_exceeded')
  })

  test('has the limit of the account before that of the setting, and 0 is none', async () => {
    world.ports.settings['share.userStorageLimit'] = 1
    world.ports.storageLimits.set(String(share.userId), 0)
    expect((await sendSmall(0)).status).toBe(201)
  })
})

test('files that are there already stay when a limit comes below them', async () => {
  await sendSmall(0)
  await sendSmall(1)
  world.ports.settings['share.userStorageLimit'] = SIZE
  expect((await sendSmall(0)).code).toBe('quota_exceeded')
  const [file] = await world.database.knex('files').where({ share_uid: share.uid })
  const deleted = await replicaOf(0).send(
    'DELETE',
    `/api/shares/${share.id}/files/${String(file.id)}`,
    { headers: ownerHeaders(share) },
  )
  expect(deleted.status).toBe(200)
  expect(await used(share.userId)).toBe(SIZE)
})

test('absurd lengths are refused, and the greatest without a limit break nothing for anybody', async () => {
  const other = world.ports.addShare()
  const begin = (lengthBytes: number, to = share) =>
    replicaOf(lengthBytes % 2).send('POST', '/api/uploads', {
      headers: {
        ...tus,
        ...ownerHeaders(to),
        'Upload-Metadata': encodeMetadata({ shareId: to.id, filename: 'absurd' }),
        'Upload-Length': String(lengthBytes),
      },
    })
  for (const lengthBytes of [MOST_FILE_BYTES + 1, Number.MAX_SAFE_INTEGER]) {
    expect(await begin(lengthBytes)).toMatchObject({ status: 413, code: 'share_too_large' })
  }
  // More of them than a number of JavaScript counts exactly.
  for (let round = 0; round < 170; round += 1) {
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        begin(MOST_FILE_BYTES - (index % 2), index % 2 === 0 ? share : other),
      ),
    )
    expect(responses.filter(({ status }) => status !== 201)).toEqual([])
  }
  share = world.ports.addShare()
  expect((await sendSmall(0)).status).toBe(201)
}, 60_000)

describe('what is left', () => {
  const ask = async (headers = ownerHeaders(share)) => {
    const response = await replicaOf(0).send('GET', '/api/users/me/storage', { headers })
    return response.status === 200 ? JSON.parse(response.text) : response.code
  }

  test('is the smaller of what account and instance have', async () => {
    await sendSmall(0)
    expect(await ask()).toEqual({ usedBytes: SIZE, limitBytes: null, leftBytes: null })
    world.ports.settings['share.userStorageLimit'] = 3 * SIZE
    expect(await ask()).toEqual({ usedBytes: SIZE, limitBytes: 3 * SIZE, leftBytes: 2 * SIZE })
    world.ports.settings['share.totalStorageLimit'] = 2 * SIZE
    expect(await ask()).toEqual({ usedBytes: SIZE, limitBytes: 3 * SIZE, leftBytes: SIZE })
    world.ports.settings['share.userStorageLimit'] = 1
    expect(await ask()).toMatchObject({ leftBytes: 0 })
  })

  test('is told to nobody who is not signed in', async () => {
    expect(await ask({})).toBe('forbidden')
  })
})

test('reconciliation puts counters right that drifted, and no others', async () => {
  await sendSmall(0)
  const knex = world.database.knex
  await knex('storage_usage').where({ owner_id: share.userId }).update({ used_bytes: 5 })
  await knex('share_totals').where({ share_uid: share.uid }).update({ reserved_bytes: 7 })
  expect(await world.findMiscounts()).toEqual([
    { counter: 'user', id: share.userId, countedBytes: 5, actualBytes: SIZE },
    { counter: 'share', id: share.uid, countedBytes: 7, actualBytes: SIZE },
  ])
  await replicaOf(0).runJob('reconcile-objects')
  expect(await world.findMiscounts()).toEqual([])
  expect(await used(null)).toBe(SIZE)
})

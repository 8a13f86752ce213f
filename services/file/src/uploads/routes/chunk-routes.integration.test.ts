import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createFileWorld,
  eventually,
  type FileWorld,
  makeBytes,
  ownerHeaders,
  type Replica,
  sha256,
  storedFiles,
} from '../../testing/file-world.ts'
import { sendHalf } from '../../testing/http-client.ts'
import type { TestShare } from '../../testing/test-ports.ts'

const CHUNK = 100_000

let world: FileWorld
let replica: Replica
let share: TestShare

beforeAll(async () => {
  world = await createFileWorld()
  world.ports.settings['share.chunkSize'] = CHUNK
  replica = await world.startReplica()
})
afterAll(() => world.close())
beforeEach(() => {
  share = world.ports.addShare()
})
afterEach(async () => {
  world.ports.settings['share.chunkSize'] = CHUNK
  expect(await world.findMiscounts()).toEqual([])
  // Between two requests an upload stays held for a moment.
  await eventually(async () => {
    const held = await world.database.knex('uploads').whereNotNull('lease_holder')
    return held.length === 0
  })
})

interface ChunkCall {
  id?: string
  name?: string
  index: number
  total: number
  body: Buffer | Buffer[]
  owner?: TestShare
}

const pathOf = ({ id, name = 'a.bin', index, total }: Omit<ChunkCall, 'body'>) => {
  const query = new URLSearchParams({
    name,
    chunkIndex: String(index),
    totalChunks: String(total),
    ...(id !== undefined && { id }),
  })
  return `/api/shares/${share.id}/files?${query.toString()}`
}

const sendChunk = (call: ChunkCall) =>
  replica.send('POST', pathOf(call), {
    headers: { ...ownerHeaders(call.owner ?? share), 'Content-Type': 'application/octet-stream' },
    body: call.body,
  })

const chunksOf = (body: Buffer) =>
  Array.from({ length: Math.max(1, Math.ceil(body.length / CHUNK)) }, (_, index) =>
    body.subarray(index * CHUNK, (index + 1) * CHUNK),
  )

test('makes a file of its chunks; the first response brings the id to repeat', async () => {
  const body = makeBytes(2 * CHUNK + 17)
  const [first, second, last] = chunksOf(body) as [Buffer, Buffer, Buffer]
  const begun = await sendChunk({ index: 0, total: 3, body: first, name: 'photos/a.jpg' })
  expect(begun.status).toBe(201)
  const response = JSON.parse(begun.text) as { id: string }
  expect(Object.keys(response).sort()).toEqual(['id', 'name'])
  const { id } = response
  await sendChunk({ id, index: 1, total: 3, body: second, name: 'photos/a.jpg' })
  expect(await storedFiles(world, share)).toEqual([])
  const done = await sendChunk({ id, index: 2, total: 3, body: last, name: 'photos/a.jpg' })
  expect(JSON.parse(done.text)).toEqual({ id, name: 'photos/a.jpg' })
  expect(await storedFiles(world, share)).toMatchObject([
    { id, name: 'photos/a.jpg', sizeBytes: body.length, sha256: sha256(body) },
  ])
})

test('takes an empty id for none, and returns a new one', async () => {
  const body = makeBytes(CHUNK + 1)
  const [first, last] = chunksOf(body) as [Buffer, Buffer]
  const begun = await sendChunk({ id: '', index: 0, total: 2, body: first })
  expect(begun.status).toBe(201)
  const { id } = JSON.parse(begun.text) as { id: string }
  expect((await sendChunk({ id, index: 1, total: 2, body: last })).status).toBe(201)
  expect(await storedFiles(world, share)).toMatchObject([{ id, sha256: sha256(body) }])
})

test('says what is wrong with the share before what is wrong with the query', async () => {
  const withoutQuery = (shareId: string) =>
    replica.send('POST', `/api/shares/${shareId}/files`, {
      headers: { ...ownerHeaders(share), 'Content-Type': 'application/octet-stream' },
      body: Buffer.from('x'),
    })
  expect(await withoutQuery('no-share')).toMatchObject({ status: 404, code: 'share_not_found' })
  const other = world.ports.addShare()
  expect(await withoutQuery(other.id)).toMatchObject({ status: 403, code: 'forbidden' })
  expect(await withoutQuery(share.id)).toMatchObject({ status: 400, code: 'validation_failed' })
  share.state = 'locked'
  expect(await withoutQuery(share.id)).toMatchObject({ status: 400, code: 'share_locked' })
})

test.each([
  ['a form around the file', { 'Content-Type': 'multipart/form-data; boundary=x' }],
  ['a body compressed by gzip', { 'Content-Encoding': 'gzip' }],
  ['a body compressed twice', { 'Content-Encoding': 'identity, br' }],
])('refuses %s instead of storing it', async (_what, headers) => {
  const path = pathOf({ index: 0, total: 1 })
  const body = Buffer.from('--x\r\n')
  const all = { 'Content-Type': 'application/octet-stream', ...headers, ...ownerHeaders(share) }
  const response = await replica.send('POST', path, { headers: all, body })
  expect(response).toMatchObject({ status: 415, code: 'unsupported_media_type' })
  const rows = await world.database.knex('uploads').where({ share_uid: share.uid })
  expect(rows).toEqual([])
  expect(await storedFiles(world, share)).toEqual([])
})

test('takes a body that says it is in no coding', async () => {
  const headers = { ...ownerHeaders(share), 'Content-Encoding': 'identity' }
  const path = pathOf({ index: 0, total: 1 })
  expect((await replica.send('POST', path, { headers, body: Buffer.from('x') })).status).toBe(201)
})

test.each(['x'.repeat(256), `${'水'.repeat(86)}/a.txt`])(
  'refuses a name that no file system keeps',
  async (name) => {
    const response = await sendChunk({ index: 0, total: 1, body: Buffer.from('x'), name })
    expect(response).toMatchObject({ status: 400, code: 'file_name_too_long' })
    expect(await storedFiles(world, share)).toEqual([])
  },
)

test('makes a file of no bytes from one empty chunk', async () => {
  const response = await sendChunk({ index: 0, total: 1, body: Buffer.alloc(0) })
  expect(response.status).toBe(201)
  expect(await storedFiles(world, share)).toMatchObject([{ sizeBytes: 0 }])
})

test('takes a file that is an exact multiple of the chunk size', async () => {
  const body = makeBytes(2 * CHUNK)
  const id = randomUUID()
  for (const [index, chunk] of chunksOf(body).entries()) {
    expect((await sendChunk({ id, index, total: 2, body: chunk })).status).toBe(201)
  }
  expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
})

test('takes two short pieces, as scripts send them', async () => {
  const id = randomUUID()
  await sendChunk({ id, index: 0, total: 2, body: Buffer.from('hello ') })
  await sendChunk({ id, index: 1, total: 2, body: Buffer.from('wonderful world') })
  expect(await storedFiles(world, share)).toMatchObject([
    { sha256: sha256(Buffer.from('hello wonderful world')) },
  ])
})

describe('a wrong index', () => {
  test('names the expected one, before and amid the file', async () => {
    const id = randomUUID()
    const early = await sendChunk({ id, index: 1, total: 3, body: makeBytes(CHUNK) })
    expect(early.status).toBe(400)
    expect(JSON.parse(early.text)).toMatchObject({
      error: 'unexpected_chunk_index',
      expectedChunkIndex: 0,
    })
    await sendChunk({ id, index: 0, total: 3, body: makeBytes(CHUNK) })
    for (const index of [0, 2]) {
      const response = await sendChunk({ id, index, total: 3, body: makeBytes(CHUNK) })
      expect(JSON.parse(response.text)).toMatchObject({ expectedChunkIndex: 1 })
    }
  })

  test('without an id is 0', async () => {
    const response = await sendChunk({ index: 1, total: 3, body: makeBytes(CHUNK) })
    expect(JSON.parse(response.text)).toMatchObject({ expectedChunkIndex: 0 })
  })

  test('comes before a full share in the order of refusals', async () => {
    share.maxSizeBytes = 1
    const response = await sendChunk({ id: randomUUID(), index: 1, total: 2, body: makeBytes(10) })
    expect(response.code).toBe('unexpected_chunk_index')
    share.state = 'locked'
    const locked = await sendChunk({ id: randomUUID(), index: 1, total: 2, body: makeBytes(10) })
    expect(locked.code).toBe('share_locked')
  })
})

describe('a lost response', () => {
  test('to the last chunk is given again, and the file is there once', async () => {
    const id = randomUUID()
    const [first, last] = [makeBytes(CHUNK), makeBytes(5)]
    await sendChunk({ id, index: 0, total: 2, body: first })
    await sendChunk({ id, index: 1, total: 2, body: last })
    expect((await sendChunk({ id, index: 1, total: 2, body: last })).status).toBe(201)
    const restarted = await sendChunk({ id, index: 0, total: 2, body: first })
    expect(JSON.parse(restarted.text)).toMatchObject({ expectedChunkIndex: 1 })
    expect(await storedFiles(world, share)).toHaveLength(1)
  })

  test('is given again even when the upload was forgotten since', async () => {
    const id = randomUUID()
    await sendChunk({ id, index: 0, total: 1, body: makeBytes(5) })
    await world.database.knex('uploads').where({ share_uid: share.uid }).delete()
    expect((await sendChunk({ id, index: 0, total: 1, body: makeBytes(5) })).status).toBe(201)
    expect(await storedFiles(world, share)).toHaveLength(1)
  })
})

describe('a cut connection', () => {
  test('amid a chunk leaves nothing of it', async () => {
    const body = makeBytes(2 * CHUNK)
    const id = randomUUID()
    await sendChunk({ id, index: 0, total: 2, body: body.subarray(0, CHUNK) })
    const half = await sendHalf(replica.port, 'POST', pathOf({ id, index: 1, total: 2 }), {
      headers: { ...ownerHeaders(share), 'Content-Length': String(CHUNK) },
      body: makeBytes(CHUNK / 2),
    })
    half.socket.destroy()
    const rest = { id, index: 1, total: 2, body: body.subarray(CHUNK) }
    expect((await sendChunk(rest)).status).toBe(201)
    expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
  })

  test('amid the last chunk never makes a short file', async () => {
    const id = randomUUID()
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const half = await sendHalf(replica.port, 'POST', pathOf({ id, index: 0, total: 1 }), {
        headers: { ...ownerHeaders(share), 'Content-Length': String(CHUNK) },
        body: makeBytes(CHUNK - 1),
      })
      half.socket.destroy()
    }
    const body = makeBytes(CHUNK)
    await eventually(async () => {
      expect(await storedFiles(world, share)).toEqual([])
      const row = await world.database.knex('uploads').where({ share_uid: share.uid }).first()
      return row !== undefined && row.lease_holder === null
    })
    // One of the cut requests may be looked at only now and take the upload over once more.
    await eventually(async () => {
      const { status } = await sendChunk({ id, index: 0, total: 1, body })
      expect([201, 423]).toContain(status)
      return status === 201
    })
    expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
  })

  test('a chunk that stalls gives way to the next connection', async () => {
    const id = randomUUID()
    const half = await sendHalf(replica.port, 'POST', pathOf({ id, index: 0, total: 1 }), {
      headers: { ...ownerHeaders(share), 'Content-Length': '10' },
      body: makeBytes(5),
    })
    const body = makeBytes(10)
    await eventually(async () => {
      const row = await world.database.knex('uploads').where({ share_uid: share.uid }).first()
      return row?.lease_holder != null
    })
    expect((await sendChunk({ id, index: 0, total: 1, body })).status).toBe(201)
    expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
    half.socket.destroy()
  })
})

test('of several first chunks at once one begins the file, and none corrupts it', async () => {
  const body = makeBytes(2 * CHUNK)
  const id = randomUUID()
  const first = { id, index: 0, total: 2, body: body.subarray(0, CHUNK) }
  const responses = await Promise.all(Array.from({ length: 6 }, () => sendChunk(first)))
  expect(responses.every(({ status }) => [201, 400, 423].includes(status))).toBe(true)
  if (!responses.some(({ status }) => status === 201)) await sendChunk(first)
  const last = { id, index: 1, total: 2, body: body.subarray(CHUNK) }
  const ends = await Promise.all(Array.from({ length: 6 }, () => sendChunk(last)))
  expect(ends.some(({ status }) => status === 201)).toBe(true)
  expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
})

describe('the size of a chunk', () => {
  test('may not pass the setting, however it is sent', async () => {
    const id = randomUUID()
    for (const body of [makeBytes(CHUNK + 1), [makeBytes(CHUNK), makeBytes(1)]]) {
      const response = await sendChunk({ id, index: 0, total: 1, body })
      expect(response.status).toBe(413)
      expect(response.code).toBe('chunk_too_large')
    }
    expect(await storedFiles(world, share)).toEqual([])
  })

  test('may not change amid a file: its sender would repeat or skip bytes', async () => {
    const id = randomUUID()
    await sendChunk({ id, index: 0, total: 4, body: makeBytes(1_000) })
    for (const body of [makeBytes(999), makeBytes(1_001)]) {
      expect((await sendChunk({ id, index: 1, total: 4, body })).status).toBe(400)
    }
    expect((await sendChunk({ id, index: 1, total: 4, body: makeBytes(1_000) })).status).toBe(201)
    const response = await sendChunk({ id, index: 3, total: 4, body: makeBytes(1) })
    expect(JSON.parse(response.text)).toMatchObject({ expectedChunkIndex: 2 })
  })

  test('may change as long as nothing is stored', async () => {
    const id = randomUUID()
    const half = await sendHalf(replica.port, 'POST', pathOf({ id, index: 0, total: 2 }), {
      headers: { ...ownerHeaders(share), 'Content-Length': '1000' },
      body: makeBytes(5),
    })
    await eventually(async () => {
      const row = await world.database.knex('uploads').where({ share_uid: share.uid }).first()
      return row !== undefined
    })
    half.socket.destroy()
    const first = { id, index: 0, total: 2, body: makeBytes(2_000) }
    expect((await sendChunk(first)).status).toBe(201)
    expect((await sendChunk({ id, index: 1, total: 2, body: makeBytes(10) })).status).toBe(201)
  })

  test('stays that of the file when the setting changes', async () => {
    const body = makeBytes(3 * CHUNK)
    const id = randomUUID()
    await sendChunk({ id, index: 0, total: 3, body: body.subarray(0, CHUNK) })
    world.ports.settings['share.chunkSize'] = 10 * CHUNK
    const second = { id, index: 1, total: 3, body: body.subarray(CHUNK, 2 * CHUNK) }
    await sendChunk(second)
    const response = await sendChunk(second)
    expect(JSON.parse(response.text)).toMatchObject({ expectedChunkIndex: 2 })
    await sendChunk({ id, index: 2, total: 3, body: body.subarray(2 * CHUNK) })
    expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
  })
})

test('refuses what passes the limit of the share, also by parallel files', async () => {
  // The first of two chunks counts as more than itself: it announces another.
  share.maxSizeBytes = 2 * CHUNK + 2
  const responses = await Promise.all(
    Array.from({ length: 6 }, () =>
      sendChunk({ id: randomUUID(), index: 0, total: 2, body: makeBytes(CHUNK) }),
    ),
  )
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(2)
  const refused = responses.filter(({ status }) => status === 413)
  expect(refused).toHaveLength(4)
  expect(JSON.parse(refused[0]?.text ?? '')).toEqual({
    statusCode: 413,
    message: 'Max share size exceeded',
  })
})

test.each([
  ['an id that is no UUID', { id: '../../etc' }, 'invalid_file_id'],
  ['an empty name', { name: '' }, 'validation_failed'],
  ['a name with NUL', { name: 'a\0b' }, 'validation_failed'],
  ['an index past the total', { index: 2, total: 2 }, 'validation_failed'],
  ['a negative index', { index: -1 }, 'validation_failed'],
  ['a total of nothing', { total: 0 }, 'validation_failed'],
])('refuses %s', async (_what, change, code) => {
  const response = await sendChunk({ index: 0, total: 1, body: makeBytes(1), ...change })
  expect(response.status).toBe(400)
  expect(response.code).toBe(code)
})

test('is the owner’s alone', async () => {
  const other = world.ports.addShare()
  const call = { index: 0, total: 1, body: makeBytes(1), owner: other }
  expect((await sendChunk(call)).status).toBe(403)
  share.state = 'gone'
  expect((await sendChunk({ index: 0, total: 1, body: makeBytes(1) })).status).toBe(404)
})

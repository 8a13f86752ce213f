import { crc32 } from 'node:zlib'
import { writePrefixChecksum } from '@floe/contracts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  append,
  createFileWorld,
  creation,
  eventually,
  type FileWorld,
  inspectOffset,
  makeBytes,
  octets,
  ownerHeaders,
  type Replica,
  sha256,
  storedFiles,
  tus,
} from '../../../testing/file-world.ts'
import type { TestShare } from '../../../testing/test-ports.ts'

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
})

/** As stock clients do: without metadata, known by the session alone. */
async function createPartial(body: Buffer, { owner = share, send = body.length } = {}) {
  const response = await replica.send('POST', '/api/uploads', {
    headers: {
      ...tus,
      ...ownerHeaders(owner),
      ...(send > 0 && octets),
      'Upload-Length': String(body.length),
      'Upload-Concat': 'partial',
    },
    ...(send > 0 && { body: body.subarray(0, send) }),
  })
  expect(response.status).toBe(201)
  return String(response.headers['location'])
}

const join = (paths: readonly string[], headers: Record<string, string> = {}) =>
  replica.send('POST', '/api/uploads', {
    headers: creation(share, { 'Upload-Concat': `final;${paths.join(' ')}`, ...headers }),
  })

test('joins finished parts into one file and uses them up', async () => {
  const bodies = [makeBytes(1_500_000), makeBytes(3), makeBytes(0), makeBytes(700_000)]
  const paths = await Promise.all(bodies.map((body) => createPartial(body)))
  const response = await join(paths.map((path) => `https://files.example.test${path}`))
  expect(response.status).toBe(201)
  const whole = Buffer.concat(bodies)
  expect(await storedFiles(world, share)).toMatchObject([
    { sizeBytes: whole.length, crc32: crc32(whole), sha256: sha256(whole) },
  ])
  const head = await replica.send('HEAD', String(response.headers['location']), { headers: tus })
  expect(head.headers['upload-concat']).toMatch(/^final;/)
  expect(head.headers['upload-length']).toBe(String(whole.length))
  expect(head.headers['upload-checksum']).toBe(writePrefixChecksum(crc32(whole)))
  for (const path of paths) {
    expect((await replica.send('HEAD', path, { headers: tus })).status).toBe(404)
  }
})

test('resumes a part like any upload, and it never shows as a file', async () => {
  const body = makeBytes(1_000)
  const path = await createPartial(body, { send: 400 })
  expect(await inspectOffset(replica, path)).toBe(400)
  expect((await join([path])).code).toBe('upload_parts_unfinished')
  await replica.send('PATCH', path, { headers: append(400), body: body.subarray(400) })
  expect(await storedFiles(world, share)).toEqual([])
  expect((await join([path, path])).status).toBe(201)
  expect(await storedFiles(world, share)).toMatchObject([
    { sha256: sha256(Buffer.concat([body, body])) },
  ])
})

test('treats the parts of somebody else as absent', async () => {
  const other = world.ports.addShare()
  const path = await createPartial(makeBytes(10), { owner: other })
  expect((await join([path])).code).toBe('upload_not_found')
  const anonymous = world.ports.addShare({ userId: null })
  const refused = await replica.send('POST', '/api/uploads', {
    headers: creation(anonymous, { 'Upload-Concat': `final;${path}` }),
  })
  expect(refused.code).toBe('upload_not_found')
  expect(await inspectOffset(replica, path)).toBe(10)
})

test('refuses a part from nobody', async () => {
  const headers = { ...tus, 'Upload-Length': '1', 'Upload-Concat': 'partial' }
  expect((await replica.send('POST', '/api/uploads', { headers })).status).toBe(403)
})

test('refuses a sum past the limit of the share and keeps the parts', async () => {
  share.maxSizeBytes = 150
  const paths = [await createPartial(makeBytes(100)), await createPartial(makeBytes(100))]
  expect((await join(paths)).code).toBe('share_too_large')
  expect(await inspectOffset(replica, paths[0] ?? '')).toBe(100)
})

test('refuses to write to a final upload, and a final upload as a part', async () => {
  const response = await join([await createPartial(makeBytes(10))])
  const path = String(response.headers['location'])
  const written = await replica.send('PATCH', path, { headers: append(10), body: makeBytes(1) })
  expect(written.status).toBe(403)
  expect((await join([path])).code).toBe('upload_not_found')
})

test.each(['final', 'final;', 'final;/api/uploads/a/b', 'final;../../x', 'half', 'final; '])(
  'refuses Upload-Concat: %s',
  async (value) => {
    const response = await replica.send('POST', '/api/uploads', {
      headers: creation(share, { 'Upload-Concat': value }),
    })
    expect(response.status).toBe(400)
  },
)

test('refuses a length with a final upload', async () => {
  const path = await createPartial(makeBytes(10))
  expect((await join([path], { 'Upload-Length': '10' })).status).toBe(400)
})

test('leaves no object of a part behind', async () => {
  const response = await join([
    await createPartial(makeBytes(10)),
    await createPartial(makeBytes(5)),
  ])
  expect(response.status).toBe(201)
  await replica.runJob('reconcile-objects')
  await eventually(async () => {
    const keys = new Set<string>()
    for await (const { key } of world.objects.list()) keys.add(key)
    const rows = await world.database.knex.raw(
      'select object_key from files union select object_key from uploads',
    )
    return keys.size === rows.rows.length
  })
})

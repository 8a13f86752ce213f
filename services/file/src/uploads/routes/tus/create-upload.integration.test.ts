import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendHalf } from '../../../testing/http-client.ts'
import {
  append,
  createFileWorld,
  createUpload,
  creation,
  encodeMetadata,
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

const create = (headers: Record<string, string>, body?: Buffer | Buffer[]) =>
  replica.send('POST', '/api/uploads', {
    headers: creation(share, headers),
    ...(body !== undefined && { body }),
  })

describe('creation', () => {
  test('responds with an unguessable URL, the offset and the expiry', async () => {
    const { status, headers } = await create({ 'Upload-Length': '100' })
    expect(status).toBe(201)
    expect(headers['location']).toMatch(/^\/api\/uploads\/[A-Za-z0-9_-]{32}$/)
    expect(headers['upload-offset']).toBe('0')
    expect(headers['tus-resumable']).toBe('1.0.0')
    expect(Date.parse(String(headers['upload-expires']))).toBeGreaterThan(Date.now())
  })

  test('makes a file of no bytes at once', async () => {
    expect((await create({ 'Upload-Length': '0' })).status).toBe(201)
    expect(await storedFiles(world, share)).toMatchObject([{ sizeBytes: 0, crc32: 0 }])
  })

  test('tells versions, extensions and checksums in OPTIONS', async () => {
    const { status, headers } = await replica.send('OPTIONS', '/api/uploads')
    expect(status).toBe(204)
    expect(headers['tus-version']).toBe('1.0.0')
    expect(headers['tus-extension']).toBe(
      'creation,creation-with-upload,creation-defer-length,expiration,termination,checksum,concatenation',
    )
    expect(headers['tus-checksum-algorithm']).toBe('crc32,sha1,sha256,md5')
  })

  test.each([
    ['no version', { 'Tus-Resumable': '' }, 412],
    ['another version', { 'Tus-Resumable': '0.2.2', 'Upload-Length': '1' }, 412],
    ['neither length nor deferral', {}, 400],
    ['length and deferral', { 'Upload-Length': '1', 'Upload-Defer-Length': '1' }, 400],
    ['a deferral other than 1', { 'Upload-Defer-Length': '2' }, 400],
    ['a negative length', { 'Upload-Length': '-1' }, 400],
    ['a length beyond exact numbers', { 'Upload-Length': '9007199254740993' }, 400],
    ['a length in hexadecimal', { 'Upload-Length': '0x10' }, 400],
  ])('refuses %s', async (_what, headers, status) => {
    expect((await create(headers as Record<string, string>)).status).toBe(status)
  })

  test('refuses anonymous senders, locked and absent shares alike for every kind of body', async () => {
    const anonymous = { ...creation(share, { 'Upload-Length': '3', ...octets }), Cookie: 'a=b' }
    const call = { headers: anonymous, body: Buffer.from('abc') }
    expect((await replica.send('POST', '/api/uploads', call)).status).toBe(403)
    share.state = 'locked'
    expect((await create({ 'Upload-Length': '1' })).code).toBe('share_locked')
    share.state = 'gone'
    expect((await create({ 'Upload-Length': '1' })).status).toBe(404)
  })

  test('lets the owner of a share without account add files by cookie', async () => {
    share = world.ports.addShare({ userId: null })
    expect((await create({ 'Upload-Length': '3', ...octets }, Buffer.from('abc'))).status).toBe(201)
  })

  test('refuses more than the share may hold, also beyond 2 GiB', async () => {
    share.maxSizeBytes = 5_000_000_000
    expect((await create({ 'Upload-Length': '5000000001' })).code).toBe('share_too_large')
    expect((await create({ 'Upload-Length': '4000000000' })).status).toBe(201)
    expect((await create({ 'Upload-Length': '1000000001' })).status).toBe(413)
    expect((await create({ 'Upload-Length': '1000000000' })).status).toBe(201)
  })
})

describe('creation with upload', () => {
  test('refuses a compressed body, and keeps nothing of it', async () => {
    const coded = { 'Upload-Length': '3', ...octets, 'Content-Encoding': 'gzip' }
    expect((await create(coded, Buffer.from('abc'))).code).toBe('unsupported_media_type')
    const rows = await world.database.knex('uploads').where({ share_uid: share.uid })
    expect(rows).toEqual([])
    expect(await storedFiles(world, share)).toEqual([])
  })

  test('makes a small body a file in one request', async () => {
    const body = makeBytes(10_000)
    const response = await create({ 'Upload-Length': '10000', ...octets }, body)
    expect(response.status).toBe(201)
    expect(response.headers['upload-offset']).toBe('10000')
    expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
  })

  test('streams a large body into a file', async () => {
    const body = makeBytes(9_000_001)
    const response = await create({ 'Upload-Length': String(body.length), ...octets }, body)
    expect(response.headers['upload-offset']).toBe(String(body.length))
    expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
  })

  test('keeps the first part of a file and continues it by PATCH', async () => {
    const body = makeBytes(3_000_000)
    const response = await create(
      { 'Upload-Length': '3000000', ...octets },
      body.subarray(0, 1_000),
    )
    const path = String(response.headers['location'])
    expect(await inspectOffset(replica, path)).toBe(1_000)
    await replica.send('PATCH', path, { headers: append(1_000), body: body.subarray(1_000) })
    expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
  })

  test.each([
    ['longer than declared', { 'Upload-Length': '3' }, Buffer.from('abcd'), 413],
    ['longer than declared, in pieces', { 'Upload-Length': '3' }, [Buffer.from('abcd')], 413],
    ['of an empty file, in pieces', { 'Upload-Length': '0' }, [Buffer.from('a')], 413],
  ])('refuses a body %s and keeps nothing', async (_what, headers, body, status) => {
    expect((await create({ ...headers, ...octets }, body)).status).toBe(status)
    expect(await storedFiles(world, share)).toEqual([])
    expect(await world.database.knex('uploads').where({ share_uid: share.uid })).toEqual([])
  })

  test('refuses another content type', async () => {
    const headers = { 'Upload-Length': '3', 'Content-Type': 'application/json' }
    expect((await create(headers, Buffer.from('abc'))).status).toBe(415)
  })

  test('refuses a wrong checksum, small and large, and keeps nothing', async () => {
    for (const size of [100, 1_000_000]) {
      const headers = {
        'Upload-Length': String(size),
        'Upload-Checksum': `crc32 ${Buffer.alloc(4).toString('base64')}`,
        ...octets,
      }
      expect((await create(headers, makeBytes(size))).status).toBe(460)
    }
    expect(await world.database.knex('uploads').where({ share_uid: share.uid })).toEqual([])
  })

  test('keeps nothing when the sender goes away before the response', async () => {
    for (const size of [1_000, 5_000_000]) {
      const half = await sendHalf(replica.port, 'POST', '/api/uploads', {
        headers: creation(share, {
          'Upload-Length': String(size),
          'Content-Length': String(size),
          ...octets,
        }),
        body: makeBytes(500),
      })
      half.socket.destroy()
    }
    await eventually(async () => {
      const rows = await world.database.knex('uploads').where({ share_uid: share.uid })
      return rows.length === 0
    })
  })
})

describe('deferred length', () => {
  test('takes bytes first and the length with any later PATCH, once', async () => {
    const path = await createUpload(replica, share, { 'Upload-Defer-Length': '1' })
    const before = await replica.send('HEAD', path, { headers: tus })
    expect(before.headers['upload-defer-length']).toBe('1')
    expect(before.headers['upload-length']).toBeUndefined()
    await replica.send('PATCH', path, { headers: append(0), body: Buffer.from('hello ') })
    const declared = append(6, { 'Upload-Length': '11' })
    await replica.send('PATCH', path, { headers: declared, body: Buffer.from('w') })
    const again = append(7, { 'Upload-Length': '12' })
    const refused = await replica.send('PATCH', path, { headers: again, body: Buffer.from('o') })
    expect(refused.code).toBe('upload_length_conflict')
    await replica.send('PATCH', path, { headers: append(7), body: Buffer.from('orld') })
    expect(await storedFiles(world, share)).toMatchObject([
      { sizeBytes: 11, sha256: sha256(Buffer.from('hello world')) },
    ])
  })

  test('finishes with an empty PATCH that declares the present end', async () => {
    const path = await createUpload(replica, share, { 'Upload-Defer-Length': '1' })
    await replica.send('PATCH', path, { headers: append(0), body: Buffer.from('abc') })
    const headers = append(3, { 'Upload-Length': '3' })
    expect((await replica.send('PATCH', path, { headers })).status).toBe(204)
    expect(await storedFiles(world, share)).toHaveLength(1)
  })

  test('refuses a length below what is stored', async () => {
    const path = await createUpload(replica, share, { 'Upload-Defer-Length': '1' })
    await replica.send('PATCH', path, { headers: append(0), body: Buffer.from('abc') })
    const headers = append(3, { 'Upload-Length': '2' })
    expect((await replica.send('PATCH', path, { headers })).status).toBe(413)
  })
})

describe('hostile metadata', () => {
  const withMetadata = (value: string) => ({ 'Upload-Length': '1', 'Upload-Metadata': value })
  const named = (filename: string) => withMetadata(encodeMetadata({ shareId: share.id, filename }))

  test.each([
    '../../etc/passwd',
    '/etc/passwd',
    'C:\\x',
    '..',
    '.',
    '%2e%2e%2f',
    'a/b/../c',
    'ü💧',
    'a\r\nSet-Cookie: x=y',
    'a\u202egpj.exe',
  ])('takes %s for a label and stores it under a key of its own', async (name) => {
    const response = await create({ ...named(name), ...octets }, Buffer.from('x'))
    expect(response.status).toBe(201)
    expect(await storedFiles(world, share)).toMatchObject([{ name, sizeBytes: 1 }])
  })

  test.each([
    ['an empty name', ''],
    ['a NUL', 'a\0b'],
    ['ten thousand characters', 'a'.repeat(10_000)],
  ])('refuses %s', async (_what, name) => {
    expect((await create(named(name))).status).toBe(400)
  })

  test.each([
    ['a name of 256 bytes', { filename: 'x'.repeat(256) }],
    ['a name of 256 bytes in fewer characters', { filename: `${'水'.repeat(85)}x` }],
    ['a path with a name of 256 bytes', { filename: 'a', relativePath: `b/${'x'.repeat(256)}/a` }],
  ])('refuses %s, which no file system keeps', async (_what, names) => {
    const metadata = encodeMetadata({ shareId: share.id, ...names })
    for (const length of [{ 'Upload-Length': '1' }, { 'Upload-Defer-Length': '1' }]) {
      const response = await create({ ...length, 'Upload-Metadata': metadata })
      expect(response).toMatchObject({ status: 400, code: 'file_name_too_long' })
    }
    expect(await world.database.knex('uploads').where({ share_uid: share.uid })).toEqual([])
  })

  test('takes names of 255 bytes, each on a path', async () => {
    const relativePath = `${'水'.repeat(85)}/${'x'.repeat(255)}`
    const metadata = encodeMetadata({ shareId: share.id, filename: 'x', relativePath })
    expect((await create(withMetadata(metadata))).status).toBe(201)
  })

  test.each([
    ['no metadata', ''],
    ['a value that is not base64', 'filename !!!'],
    ['a value that is not UTF-8', `filename ${Buffer.from([0xff, 0xfe]).toString('base64')}`],
    ['a key given twice', 'filename YQ==,filename Yg=='],
    ['a third word', 'filename YQ== Yg=='],
    ['a prototype', `__proto__ ${Buffer.from('{"isAdmin":true}').toString('base64')}`],
  ])('refuses %s', async (_what, metadata) => {
    const prefix = `shareId ${Buffer.from(share.id).toString('base64')}`
    expect((await create(withMetadata(`${prefix},${metadata}`))).status).toBe(400)
    expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined()
  })

  test('keeps a prototype beside a valid name without touching anything', async () => {
    const metadata = `${encodeMetadata({ shareId: share.id, filename: 'a' })},__proto__ e30=,constructor e30=`
    const response = await create(withMetadata(metadata))
    expect(response.status).toBe(201)
    const head = await replica.send('HEAD', String(response.headers['location']), { headers: tus })
    expect(head.headers['upload-metadata']).toBe(metadata)
  })
})

test.each(['..%2f..%2fetc', 'a'.repeat(101), '%00', "'%20or%201=1--", '%E0%A4%A', '%C3%A9'])(
  'finds no upload called %s',
  async (id) => {
    const { status } = await replica.send('HEAD', `/api/uploads/${id}`, { headers: tus })
    expect([400, 404]).toContain(status)
  },
)

test('lists the unfinished uploads of the signed-in user only', async () => {
  await createUpload(replica, share, { 'Upload-Length': '5' })
  const other = world.ports.addShare()
  const mine = await replica.send('GET', '/api/uploads', { headers: ownerHeaders(share) })
  expect(JSON.parse(mine.text)).toMatchObject([{ shareId: share.id, sizeBytes: 5 }])
  const theirs = await replica.send('GET', '/api/uploads', { headers: ownerHeaders(other) })
  expect(JSON.parse(theirs.text)).toEqual([])
  expect((await replica.send('GET', '/api/uploads')).status).toBe(403)
})

import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { readPrefixChecksum } from '@floe/contracts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  append,
  createFileWorld,
  createUpload,
  creation,
  eventually,
  type FileWorld,
  inspectOffset,
  makeBytes,
  octets,
  type Replica,
  sha256,
  storedFiles,
  tus,
} from '../../../testing/file-world.ts'
import { sendHalf } from '../../../testing/http-client.ts'
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
  // Between two requests an upload stays held for a moment.
  await eventually(async () => {
    const held = await world.database.knex('uploads').whereNotNull('lease_holder')
    return held.length === 0
  })
})

const patch = (path: string, headers: Record<string, string>, body?: Buffer | Buffer[]) =>
  replica.send('PATCH', path, { headers, ...(body !== undefined && { body }) })

describe('PATCH', () => {
  test('makes the upload a file with its last byte, and HEAD still tells it', async () => {
    const body = makeBytes(300_000)
    const path = await createUpload(replica, share, { 'Upload-Length': '300000' })
    const first = await patch(path, append(0), body.subarray(0, 1))
    expect(first.status).toBe(204)
    expect(first.headers['upload-offset']).toBe('1')
    expect(first.headers['cache-control']).toBe('no-store')
    await patch(path, append(1), body.subarray(1))
    expect(await storedFiles(world, share)).toMatchObject([
      { sizeBytes: 300_000, crc32: crc32(body), sha256: sha256(body) },
    ])
    expect(await inspectOffset(replica, path)).toBe(300_000)
    const [event] = await world.database
      .knex('outbox')
      .where({ name: 'upload.finished' })
      .orderBy('id', 'desc')
    expect(event).toMatchObject({ payload: { shareUid: share.uid } })
  })

  test('works through X-HTTP-Method-Override, and for no other method', async () => {
    const path = await createUpload(replica, share, { 'Upload-Length': '3' })
    const override = (method: string) => ({ ...append(0), 'X-HTTP-Method-Override': method })
    const body = Buffer.from('abc')
    const refused = await replica.send('POST', path, { headers: override('PUT'), body })
    expect(refused.status).toBe(405)
    expect((await replica.send('POST', path, { headers: override('patch'), body })).status).toBe(
      204,
    )
    expect(await storedFiles(world, share)).toHaveLength(1)
  })

  test.each([
    ['a wrong offset', { 'Upload-Offset': '1' }, 409],
    ['an offset that is not a number', { 'Upload-Offset': 'one' }, 400],
    ['another version', { 'Tus-Resumable': '1.1.0' }, 412],
    ['another content type', { 'Content-Type': 'text/plain' }, 415],
    ['a compressed body', { 'Content-Encoding': 'gzip' }, 415],
    ['an unknown checksum', { 'Upload-Checksum': 'crc64 AAAA' }, 400],
    ['a checksum that is not base64', { 'Upload-Checksum': 'md5 ***' }, 400],
  ])('refuses %s and keeps the offset', async (_what, headers, status) => {
    const path = await createUpload(replica, share, { 'Upload-Length': '3' })
    const all = { ...append(0), ...headers } as Record<string, string>
    const response = await patch(path, all, Buffer.from('abc'))
    expect(response.status).toBe(status)
    expect(response.headers['tus-resumable']).toBe('1.0.0')
    if (status === 412) expect(response.headers['tus-version']).toBe('1.0.0')
    expect(await inspectOffset(replica, path)).toBe(0)
  })

  test('refuses a missing version and a missing offset', async () => {
    const path = await createUpload(replica, share, { 'Upload-Length': '3' })
    const body = Buffer.from('abc')
    expect((await patch(path, { ...octets, 'Upload-Offset': '0' }, body)).status).toBe(412)
    expect((await patch(path, { ...octets, ...tus }, body)).status).toBe(400)
    expect((await replica.send('HEAD', path)).status).toBe(412)
  })

  test('knows no absent upload', async () => {
    const path = `/api/uploads/${'x'.repeat(32)}`
    expect((await patch(path, append(0), Buffer.from('a'))).status).toBe(404)
    expect((await replica.send('HEAD', path, { headers: tus })).status).toBe(404)
    expect((await replica.send('DELETE', path, { headers: tus })).status).toBe(404)
  })

  test('never writes past the declared length, whatever the body says of itself', async () => {
    const path = await createUpload(replica, share, { 'Upload-Length': '10' })
    await patch(path, append(0), Buffer.from('01234'))
    for (const body of [Buffer.from('567890'), [Buffer.from('567'), Buffer.from('890')]]) {
      expect((await patch(path, append(5), body)).code).toBe('upload_length_exceeded')
      expect(await inspectOffset(replica, path)).toBe(5)
    }
    const many = Array.from({ length: 64 }, () => makeBytes(100_000))
    expect((await patch(path, append(5), many)).status).toBe(413)
    await patch(path, append(5), Buffer.from('56789'))
    expect(await storedFiles(world, share)).toMatchObject([
      { sha256: sha256(Buffer.from('0123456789')) },
    ])
    for (const body of [Buffer.from('x'), [Buffer.from('x')]]) {
      expect((await patch(path, append(10), body)).status).toBe(413)
    }
    expect((await patch(path, append(10))).status).toBe(204)
  })

  test('lets a browser that still sends a refused body see the response', async () => {
    const path = await createUpload(replica, share, { 'Upload-Length': '10' })
    expect((await patch(path, append(0), makeBytes(20_000_000))).status).toBe(413)
  })

  test('keeps what came before the sender went away, to the last byte read', async () => {
    const body = makeBytes(700_000)
    const path = await createUpload(replica, share, { 'Upload-Length': '1000000' })
    const half = await sendHalf(replica.port, 'PATCH', path, {
      headers: { ...append(0), 'Content-Length': '1000000' },
      body,
    })
    half.socket.destroy()
    await eventually(async () => {
      const row = await world.database.knex('uploads').where({ share_uid: share.uid }).first()
      return row.lease_token > 0 && row.lease_holder === null
    })
    const offset = await inspectOffset(replica, path)
    expect(offset).toBeGreaterThan(0)
    const rest = Buffer.concat([body.subarray(offset), makeBytes(1_000_000 - body.length)])
    expect((await patch(path, append(offset), rest)).status).toBe(204)
    const whole = Buffer.concat([body.subarray(0, offset), rest])
    expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(whole) }])
  })

  test('survives a sender that leaves before the first byte', async () => {
    const path = await createUpload(replica, share, { 'Upload-Length': '10' })
    const half = await sendHalf(replica.port, 'PATCH', path, {
      headers: { ...append(0), 'Content-Length': '10' },
      body: Buffer.alloc(0),
    })
    half.socket.destroy()
    await eventually(async () => (await inspectOffset(replica, path)) === 0)
    expect((await patch(path, append(0), makeBytes(10))).status).toBe(204)
  })
})

test('HEAD tells the CRC-32 of exactly the bytes before the offset, also of a cut request', async () => {
  const body = makeBytes(1_000_000)
  const path = await createUpload(replica, share, { 'Upload-Length': '1000000' })
  const inspect = async () => {
    const { headers } = await replica.send('HEAD', path, { headers: tus })
    const offset = Number(headers['upload-offset'])
    const checksum = readPrefixChecksum(String(headers['upload-checksum']))
    expect(checksum).toBe(crc32(body.subarray(0, offset)))
    return offset
  }
  expect(await inspect()).toBe(0)
  await patch(path, append(0), body.subarray(0, 100_001))
  expect(await inspect()).toBe(100_001)
  const half = await sendHalf(replica.port, 'PATCH', path, {
    headers: { ...append(100_001), 'Content-Length': '899999' },
    body: body.subarray(100_001, 700_000),
  })
  half.socket.destroy()
  await eventually(async () => (await inspect()) > 100_001)
  const offset = await inspect()
  await patch(path, append(offset), body.subarray(offset))
  expect(await inspect()).toBe(body.length)
})

describe('shares that end meanwhile', () => {
  test.each([
    ['gone', 410],
    ['locked', 400],
  ] as const)('refuses bytes for a share that is %s', async (state, status) => {
    const path = await createUpload(replica, share, { 'Upload-Length': '3' })
    share.state = state
    expect((await patch(path, append(0), Buffer.from('abc'))).status).toBe(status)
    expect((await replica.send('HEAD', path, { headers: tus })).status).toBe(status)
  })

  test('knows no upload of a share whose files were deleted', async () => {
    const path = await createUpload(replica, share, { 'Upload-Length': '3' })
    share.state = 'gone'
    await replica.runJob('delete-share-files', { shareUid: share.uid })
    expect((await patch(path, append(0), Buffer.from('abc'))).status).toBe(404)
  })

  test('ends a transfer whose share is deleted under it, and leaves no row', async () => {
    const path = await createUpload(replica, share, { 'Upload-Length': '100000000' })
    const half = await sendHalf(replica.port, 'PATCH', path, {
      headers: { ...append(0), 'Content-Length': '100000000' },
      body: makeBytes(5_000_000),
    })
    share.state = 'gone'
    await replica.runJob('delete-share-files', { shareUid: share.uid })
    half.socket.write(makeBytes(95_000_000))
    expect(await half.response).toMatch(/^HTTP\/1.1 4(10|23) /)
    half.socket.destroy()
    expect(await world.database.knex('uploads').where({ share_uid: share.uid })).toEqual([])
  })
})

describe('the limit of a share', () => {
  const total = async () => {
    const row = await world.database.knex('share_totals').where({ share_uid: share.uid }).first()
    return Number(row.reserved_bytes)
  }

  test('is what a storage can hold at most, also for a length that is told late', async () => {
    const path = await createUpload(replica, share, { 'Upload-Defer-Length': '1' })
    const headers = { ...append(0), 'Upload-Length': String(Number.MAX_SAFE_INTEGER) }
    const refused = await patch(path, headers, makeBytes(100))
    expect(refused).toMatchObject({ status: 413, code: 'share_too_large' })
    expect(await inspectOffset(replica, path)).toBe(0)
    expect((await patch(path, append(0), makeBytes(100))).status).toBe(204)
  })

  test('holds for bodies whose length nobody told', async () => {
    share.maxSizeBytes = 1_000
    const path = await createUpload(replica, share, { 'Upload-Defer-Length': '1' })
    const pieces = Array.from({ length: 20 }, () => makeBytes(100))
    expect((await patch(path, append(0), pieces)).code).toBe('share_too_large')
    expect(await inspectOffset(replica, path)).toBe(0)
    expect(await total()).toBe(0)
    expect((await patch(path, append(0), pieces.slice(0, 4))).status).toBe(204)
    expect(await total()).toBe(400)
    expect((await patch(path, append(400), makeBytes(601))).status).toBe(413)
    expect(await total()).toBe(400)
    expect((await patch(path, append(400), makeBytes(600))).status).toBe(204)
  })

  test('is never passed by parallel uploads racing for the last bytes', async () => {
    share.maxSizeBytes = 100_000
    const paths = await Promise.all(
      Array.from({ length: 8 }, () => createUpload(replica, share, { 'Upload-Defer-Length': '1' })),
    )
    const responses = await Promise.all(
      paths.map((path, index) => {
        const body = makeBytes(30_000)
        return patch(path, append(0), index % 2 === 0 ? body : [body])
      }),
    )
    const accepted = responses.filter(({ status }) => status === 204).length
    expect(accepted).toBeGreaterThan(0)
    expect(accepted).toBeLessThanOrEqual(3)
    expect(await total()).toBe(accepted * 30_000)
    const created = await Promise.all(
      Array.from({ length: 10 }, () =>
        replica.send('POST', '/api/uploads', {
          headers: creation(share, { 'Upload-Length': '10000', ...octets }),
          body: makeBytes(10_000),
        }),
      ),
    )
    const more = created.filter(({ status }) => status === 201).length
    expect(await total()).toBe(accepted * 30_000 + more * 10_000)
    expect(await total()).toBeLessThanOrEqual(100_000)
    expect(await total()).toBeGreaterThan(90_000)
  })

  test('counts an upload of unknown length beyond 2 GiB', async () => {
    share.maxSizeBytes = 10_000_000_000
    const path = await createUpload(replica, share, { 'Upload-Defer-Length': '1' })
    const headers = append(0, { 'Upload-Length': '6000000000' })
    expect((await patch(path, headers, Buffer.from('abc'))).status).toBe(204)
    expect(await total()).toBe(6_000_000_000)
    await replica.send('DELETE', path, { headers: tus })
    expect(await total()).toBe(0)
  })

  test('is given back by termination', async () => {
    share.maxSizeBytes = 100
    const path = await createUpload(replica, share, { 'Upload-Length': '100' })
    expect((await replica.send('DELETE', path, { headers: tus })).status).toBe(204)
    expect(await total()).toBe(0)
    expect((await replica.send('HEAD', path, { headers: tus })).status).toBe(404)
    await createUpload(replica, share, { 'Upload-Length': '100' })
  })
})

describe('checksum', () => {
  const digestOf = (algorithm: string, body: Buffer) => {
    if (algorithm !== 'crc32') return createHash(algorithm).update(body).digest('base64')
    const digest = Buffer.alloc(4)
    digest.writeUInt32BE(crc32(body))
    return digest.toString('base64')
  }

  test.each(['crc32', 'sha1', 'sha256', 'md5'])(
    'takes a body of the promised %s, and nothing of any other',
    async (algorithm) => {
      const body = makeBytes(5_000_000)
      const path = await createUpload(replica, share, { 'Upload-Length': '10000000' })
      const headers = (offset: number) =>
        append(offset, { 'Upload-Checksum': `${algorithm} ${digestOf(algorithm, body)}` })
      expect((await patch(path, headers(0), body)).headers['upload-offset']).toBe('5000000')
      const damaged = Buffer.from(body)
      damaged[4_999_999] = (damaged[4_999_999] ?? 0) ^ 1
      const refused = await patch(path, headers(5_000_000), damaged)
      expect(refused.status).toBe(460)
      expect(await inspectOffset(replica, path)).toBe(5_000_000)
      expect((await patch(path, headers(5_000_000), body)).status).toBe(204)
      const whole = Buffer.concat([body, body])
      expect(await storedFiles(world, share)).toMatchObject([
        { sha256: sha256(whole), crc32: crc32(whole) },
      ])
    },
  )

  test('keeps nothing of a promised body that was cut', async () => {
    const path = await createUpload(replica, share, { 'Upload-Length': '5000000' })
    await patch(path, append(0), makeBytes(1_000))
    const half = await sendHalf(replica.port, 'PATCH', path, {
      headers: {
        ...append(1_000),
        'Content-Length': '4000000',
        'Upload-Checksum': `md5 ${digestOf('md5', Buffer.from('x'))}`,
      },
      body: makeBytes(3_500_000),
    })
    expect(await inspectOffset(replica, path)).toBe(1_000)
    half.socket.destroy()
  })

  test('does not drop bytes of former bodies that were not yet saved', async () => {
    const body = makeBytes(2_000)
    const path = await createUpload(replica, share, { 'Upload-Length': '2000' })
    await patch(path, append(0), body.subarray(0, 1_000))
    // As after a killed database: the last, unsynced commit is lost.
    await world.database
      .knex('uploads')
      .where({ share_uid: share.uid })
      .update({ offset_bytes: 0, crc32: 0 })
    const rest = body.subarray(1_000)
    const headers = append(1_000, { 'Upload-Checksum': `sha1 ${digestOf('sha1', rest)}` })
    expect((await patch(path, headers, rest)).status).toBe(204)
    expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
  })
})

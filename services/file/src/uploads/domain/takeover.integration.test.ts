import { performance } from 'node:perf_hooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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
import { type HalfRequest, sendHalf } from '../../testing/http-client.ts'
import type { TestShare } from '../../testing/test-ports.ts'

let world: FileWorld
let share: TestShare
let one: Replica
let two: Replica

beforeAll(async () => {
  world = await createFileWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  share = world.ports.addShare()
  one = await world.startReplica()
  two = await world.startReplica()
})
afterEach(async () => {
  await one.stop()
  await two.stop()
  expect(await world.findMiscounts()).toEqual([])
})

/**
 * A PATCH that sent some bytes and then fell silent without closing; of many bytes, the first
 * batch is stored already.
 */
async function stall(replica: Replica, path: string, body: Buffer): Promise<HalfRequest> {
  const tokenBefore = await leaseToken()
  const half = await sendHalf(replica.port, 'PATCH', path, {
    headers: { ...append(0), 'Content-Length': '1000000000' },
    body,
  })
  await eventually(async () => (await leaseToken()) > tokenBefore)
  await eventually(async () => body.length < manyBytes || (await storedBytes()) > 0)
  return half
}

const manyBytes = 9_000_000

async function storedBytes(): Promise<number> {
  const row = await world.database.knex('uploads').where({ share_uid: share.uid }).first()
  return (await world.objects.storedBytes(String(row.object_key))) ?? 0
}

async function leaseToken(): Promise<number> {
  const row = await world.database.knex('uploads').where({ share_uid: share.uid }).first()
  return Number(row?.lease_token ?? 0)
}

const patch = (replica: Replica, path: string, offset: number, body: Buffer) =>
  replica.send('PATCH', path, { headers: append(offset), body })

describe('in one process', () => {
  test('HEAD evicts a stalled PATCH and keeps its bytes', async () => {
    const path = await createUpload(one, share, { 'Upload-Length': '1000000000' })
    const half = await stall(one, path, makeBytes(manyBytes))
    const stored = await storedBytes()
    expect(await inspectOffset(one, path)).toBeGreaterThanOrEqual(stored)
    expect(await half.response).toMatch(/^HTTP\/1.1 423 /)
    half.socket.destroy()
  })

  test('a stalled PATCH costs no CPU', async () => {
    const path = await createUpload(one, share, { 'Upload-Length': '1000000000' })
    const half = await stall(one, path, makeBytes(10_000))
    const before = process.cpuUsage()
    const from = performance.now()
    await eventually(() => Promise.resolve(performance.now() - from > 400), 10_000)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(200)
    half.socket.destroy()
  })

  test.each([400_000, manyBytes])(
    'of many connections that send %d bytes at once exactly one wins, and all get a response',
    async (lengthBytes) => {
      const body = makeBytes(lengthBytes)
      const path = await createUpload(one, share, { 'Upload-Length': `${lengthBytes}` })
      const responses = await Promise.all(
        Array.from({ length: 12 }, () => patch(one, path, 0, body)),
      )
      const losers = responses.filter(({ status }) => status !== 204)
      expect(losers).toHaveLength(11)
      expect(losers.every(({ status }) => [409, 413, 423].includes(status))).toBe(true)
      expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
    },
  )

  test('termination ends a stalled PATCH too', async () => {
    const path = await createUpload(one, share, { 'Upload-Length': '1000000000' })
    const half = await stall(one, path, makeBytes(10_000))
    expect((await one.send('DELETE', path, { headers: tus })).status).toBe(204)
    expect((await one.send('HEAD', path, { headers: tus })).status).toBe(404)
    half.socket.destroy()
  })
})

describe('across processes', () => {
  test('the newest connection takes over from a stalled one elsewhere', async () => {
    const body = makeBytes(600_000)
    const path = await createUpload(one, share, { 'Upload-Length': '600000' })
    const half = await sendHalf(one.port, 'PATCH', path, {
      headers: { ...append(0), 'Content-Length': '600000' },
      body: body.subarray(0, 200_000),
    })
    await eventually(async () => (await leaseToken()) > 0)
    const offset = await inspectOffset(two, path)
    expect(offset).toBeLessThanOrEqual(200_000)
    expect((await patch(two, path, offset, body.subarray(offset))).status).toBe(204)
    expect(await half.response).toMatch(/^HTTP\/1.1 423 /)
    expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
    half.socket.destroy()
  })

  test('termination does not give way to connections that come after it', async () => {
    const path = await createUpload(one, share, { 'Upload-Length': '1000000000' })
    const half = await stall(one, path, makeBytes(10_000))
    const ended = two.send('DELETE', path, { headers: tus })
    const later = await Promise.all(
      [one, two, one, two, two].map((replica) => replica.send('HEAD', path, { headers: tus })),
    )
    expect((await ended).status).toBe(204)
    expect(later.every(({ status }) => [200, 404, 423].includes(status))).toBe(true)
    expect((await one.send('HEAD', path, { headers: tus })).status).toBe(404)
    half.socket.destroy()
  })

  test.each([400_000, manyBytes])(
    'of two that send %d bytes at once exactly one wins',
    async (lengthBytes) => {
      const body = makeBytes(lengthBytes)
      const path = await createUpload(one, share, { 'Upload-Length': `${lengthBytes}` })
      const responses = await Promise.all(
        [one, two].map((replica) => patch(replica, path, 0, body)),
      )
      const [winner, loser] = responses.map(({ status }) => status).sort()
      expect(winner).toBe(204)
      expect([409, 413, 423]).toContain(loser)
      expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
    },
  )

  test('a PATCH leaves the upload to a sender that is heard, and takes it from a silent one', async () => {
    const body = makeBytes(5_000)
    const path = await createUpload(one, share, { 'Upload-Length': '5000' })
    const half = await sendHalf(one.port, 'PATCH', path, {
      headers: { ...append(0), 'Content-Length': '5000' },
      body: Buffer.alloc(0),
    })
    await eventually(async () => (await leaseToken()) > 0)
    expect((await patch(two, path, 0, body)).status).toBe(423)
    expect((await patch(one, path, 0, body)).status).toBe(423)
    await eventually(async () => (await patch(two, path, 0, body)).status === 204, 20_000)
    expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
    half.socket.destroy()
  })

  test('a killed process frees its uploads at once, and its bytes are found', async () => {
    const path = await createUpload(one, share, { 'Upload-Length': '1000000000' })
    const half = await stall(one, path, makeBytes(manyBytes))
    const stored = await storedBytes()
    await one.kill()
    expect(await inspectOffset(two, path)).toBeGreaterThanOrEqual(stored)
    half.socket.destroy()
  })

  test('a lease that could not be given back is given up when another process asks', async () => {
    const path = await createUpload(one, share, { 'Upload-Length': '10' })
    await inspectOffset(one, path)
    // What a release that failed leaves behind: a row in the name of a process that lives.
    const locks = await world.database.knex.raw<{ rows: { key: number }[] }>(
      `select distinct objid::bigint::int as key from pg_locks
       where locktype = 'advisory' and classid = 1179385858
         and database = (select oid from pg_database where datname = current_database())`,
    )
    for (const { key } of locks.rows) {
      await world.database.knex('uploads').where({ share_uid: share.uid }).update({
        lease_holder: key,
      })
      for (const replica of [one, two]) await inspectOffset(replica, path)
    }
  })

  test('a process the others take for dead stops writing, and works on once it is back', async () => {
    const path = await createUpload(one, share, { 'Upload-Length': '1000000000' })
    const half = await stall(one, path, makeBytes(manyBytes))
    await world.database.knex.raw(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'floe-presence' and datname = current_database()`,
    )
    expect(await half.response).toMatch(/^HTTP\/1.1 423 /)
    await eventually(async () => {
      const { status } = await one.send('HEAD', path, { headers: tus })
      return status === 200
    })
    half.socket.destroy()
  })

  test('a writer that lost its lease saves nothing any more', async () => {
    const path = await createUpload(one, share, { 'Upload-Length': '1000' })
    const half = await sendHalf(one.port, 'PATCH', path, {
      headers: { ...append(0), 'Content-Length': '1000' },
      body: Buffer.alloc(0),
    })
    await eventually(async () => (await leaseToken()) > 0)
    // As if it had been taken for dead.
    await world.database.knex('uploads').where({ share_uid: share.uid }).update({
      lease_token: 100,
      lease_holder: null,
      offset_bytes: 0,
    })
    half.socket.write(makeBytes(1_000))
    expect(await half.response).toMatch(/^HTTP\/1.1 423 /)
    const row = await world.database.knex('uploads').where({ share_uid: share.uid }).first()
    expect(row).toMatchObject({ finished_at: null, lease_token: 100, offset_bytes: 0 })
    expect(await storedFiles(world, share)).toEqual([])
    half.socket.destroy()
  })
})

import { AppError } from '@floe/errors'
import type { ObjectStore, ObjectWriter } from '@floe/storage'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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
import type { TestShare } from '../../testing/test-ports.ts'
import { CHECKPOINT_BYTES } from './upload.ts'

let world: FileWorld
let share: TestShare

beforeAll(async () => {
  world = await createFileWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  share = world.ports.addShare()
})
afterEach(async () => {
  expect(await world.findMiscounts()).toEqual([])
})

const rowOf = () => world.database.knex('uploads').where({ share_uid: share.uid }).first()
const changeRow = (values: object) =>
  world.database.knex('uploads').where({ share_uid: share.uid }).update(values)

const patch = (replica: Replica, path: string, offset: number, body: Buffer) =>
  replica.send('PATCH', path, { headers: append(offset), body })

/** Leaves bytes past the row, as a process does that dies between writing and noting. */
async function writeUnnoted(body: Buffer, offsetBytes: number): Promise<void> {
  const { object_key: key } = await rowOf()
  if ((await world.objects.storedBytes(key)) === null) await world.objects.create(key)
  const writer = await world.objects.openWriter(key, { offsetBytes })
  await writer.write([body])
  await writer.close()
}

describe('after a killed process', () => {
  test('adopts the bytes it wrote without saving how many, and saves it once', async () => {
    const replica = await world.startReplica()
    const body = makeBytes(3_000_000)
    const path = await createUpload(replica, share, { 'Upload-Length': '3000000' })
    await writeUnnoted(body.subarray(0, 2_000_000), 0)
    expect(await inspectOffset(replica, path)).toBe(2_000_000)
    expect(await rowOf()).toMatchObject({ offset_bytes: 2_000_000, lease_holder: null })
    await patch(replica, path, 2_000_000, body.subarray(2_000_000))
    expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
    await replica.stop()
  })

  test('HEAD makes the file when only the last response was lost', async () => {
    const replica = await world.startReplica()
    const body = makeBytes(500_000)
    const path = await createUpload(replica, share, { 'Upload-Length': '500000' })
    await writeUnnoted(body, 0)
    expect(await inspectOffset(replica, path)).toBe(500_000)
    expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
    await replica.stop()
  })

  test('never adopts bytes whose promised checksum was not verified', async () => {
    const killed = await world.startReplica()
    const body = makeBytes(2_000)
    const path = await createUpload(killed, share, { 'Upload-Length': '2000' })
    await patch(killed, path, 0, body.subarray(0, 500))
    await killed.stop()
    const replica = await world.startReplica()
    // The promise is on the row before the first byte is stored.
    await changeRow({ discards_unverified: true })
    await writeUnnoted(makeBytes(1_500), 500)
    expect(await inspectOffset(replica, path)).toBe(500)
    await patch(replica, path, 500, body.subarray(500, 900))
    expect(await inspectOffset(replica, path)).toBe(900)
    await replica.stop()
    expect(await rowOf()).toMatchObject({ discards_unverified: false })
    const next = await world.startReplica()
    await patch(next, path, 900, body.subarray(900))
    expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
    await next.stop()
  })

  test('begins again when the object itself was lost', async () => {
    const killed = await world.startReplica()
    const body = makeBytes(1_000)
    const path = await createUpload(killed, share, { 'Upload-Length': '1000' })
    await patch(killed, path, 0, body.subarray(0, 500))
    await killed.stop()
    const replica = await world.startReplica()
    const { object_key: key } = await rowOf()
    await world.objects.remove([key])
    expect(await inspectOffset(replica, path)).toBe(0)
    await patch(replica, path, 0, body)
    expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
    await replica.stop()
  })
})

describe('after a power cut', () => {
  test('trusts no byte that was not synced, and nothing that lies beyond', async () => {
    const before = await world.startReplica({ bootId: 'first' })
    const body = makeBytes(CHECKPOINT_BYTES + 9_000_000)
    const path = await createUpload(before, share, { 'Upload-Length': String(body.length) })
    await patch(before, path, 0, body.subarray(0, body.length - 10))
    const { synced_bytes: synced } = await rowOf()
    expect(synced).toBeGreaterThanOrEqual(CHECKPOINT_BYTES)
    expect(await inspectOffset(before, path)).toBe(body.length - 10)
    await before.stop()

    const after = await world.startReplica({ bootId: 'second' })
    await writeUnnoted(Buffer.alloc(5_000_000), synced)
    expect(await inspectOffset(after, path)).toBe(synced)
    expect(await inspectOffset(after, path)).toBe(synced)
    const middle = synced + 1_000
    expect((await patch(after, path, synced, body.subarray(synced, middle))).status).toBe(204)
    expect(await inspectOffset(after, path)).toBe(middle)
    await patch(after, path, middle, body.subarray(middle))
    expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
    await after.stop()
  })

  test('what was acknowledged since the restart survives another kill', async () => {
    const before = await world.startReplica({ bootId: 'first' })
    const body = makeBytes(3_000)
    const path = await createUpload(before, share, { 'Upload-Length': '3000' })
    await patch(before, path, 0, body.subarray(0, 1_000))
    await before.stop()
    const after = await world.startReplica({ bootId: 'second' })
    expect(await inspectOffset(after, path)).toBe(0)
    await patch(after, path, 0, body.subarray(0, 2_000))
    // The last, unsynced commit is lost with the killed database.
    await changeRow({ offset_bytes: 0, crc32: 0 })
    expect(await inspectOffset(after, path)).toBe(2_000)
    await patch(after, path, 2_000, body.subarray(2_000))
    expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
    await after.stop()
  })
})

describe('a store that fails', () => {
  interface Fault {
    /** Writes succeed until this many bytes are in, then fail with `code`. */
    roomBytes: number
    code: 'storage_full' | 'internal'
    failsToClose?: boolean
  }

  async function startFailing(fault: Fault): Promise<Replica> {
    const refuse = (detail: string) => Promise.reject(new AppError(fault.code, { detail }))
    return world.startReplica({
      wrapObjects: (objects): ObjectStore => ({
        ...objects,
        putSmall: (key, chunks) =>
          fault.roomBytes > 0 ? objects.putSmall(key, chunks) : refuse('small'),
        openWriter: async (key, options) => {
          const writer = await objects.openWriter(key, options)
          const failing: ObjectWriter = {
            ...writer,
            get position() {
              return writer.position
            },
            write: async (chunks) => {
              const bytes = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
              if (bytes > fault.roomBytes) {
                await writer.write([Buffer.concat(chunks).subarray(0, fault.roomBytes)])
                fault.roomBytes = 0
                return refuse('write')
              }
              fault.roomBytes -= bytes
              await writer.write(chunks)
            },
            close: async () => {
              await writer.close()
              if (fault.failsToClose) await refuse('close')
            },
          }
          return failing
        },
      }),
    })
  }

  test('responds with 507, keeps the offset right, and goes on when there is space again', async () => {
    const fault: Fault = { roomBytes: 5_000_000, code: 'storage_full' }
    const replica = await startFailing(fault)
    const body = makeBytes(12_000_000)
    const path = await createUpload(replica, share, { 'Upload-Length': String(body.length) })
    const full = await patch(replica, path, 0, body)
    expect(full.status).toBe(507)
    expect(full.code).toBe('storage_full')
    const offset = await inspectOffset(replica, path)
    expect(offset).toBe(5_000_000)
    expect((await patch(replica, path, offset, body.subarray(offset))).status).toBe(507)
    fault.roomBytes = Infinity
    expect((await patch(replica, path, offset, body.subarray(offset))).status).toBe(204)
    expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
    await replica.stop()
  })

  test('gives back what a failed body had set aside', async () => {
    const replica = await startFailing({ roomBytes: 0, code: 'storage_full' })
    share.maxSizeBytes = 10_000_000
    const path = await createUpload(replica, share, { 'Upload-Defer-Length': '1' })
    expect((await patch(replica, path, 0, makeBytes(9_000_000))).status).toBe(507)
    const small = await replica.send('POST', '/api/uploads', {
      headers: creation(share, { 'Upload-Length': '1000', ...octets }),
      body: makeBytes(1_000),
    })
    expect(small.status).toBe(507)
    const large = await replica.send('POST', '/api/uploads', {
      headers: creation(share, { 'Upload-Length': '1000000', ...octets }),
      body: makeBytes(1_000_000),
    })
    expect(large.status).toBe(507)
    const totals = await world.database.knex('share_totals').where({ share_uid: share.uid }).first()
    expect(totals.reserved_bytes).toBeLessThanOrEqual(4_000_000)
    expect(await world.database.knex('uploads').where({ share_uid: share.uid })).toHaveLength(1)
    await replica.stop()
  })

  test('never keeps a lease, whatever fails on the way out', async () => {
    const replica = await startFailing({ roomBytes: 0, code: 'internal', failsToClose: true })
    const path = await createUpload(replica, share, { 'Upload-Length': '1000' })
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect((await patch(replica, path, 0, makeBytes(1_000))).status).toBe(500)
      expect(await rowOf()).toMatchObject({ lease_holder: null, offset_bytes: 0 })
    }
    expect((await replica.send('HEAD', path, { headers: tus })).status).toBe(200)
    await replica.stop()
  })
})

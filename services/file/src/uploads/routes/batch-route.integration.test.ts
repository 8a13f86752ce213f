import { randomUUID } from 'node:crypto'
import { BATCH_TYPE, type BatchFile, encodeManifest, MOST_BATCH_FILE_BYTES } from '@floe/contracts'
import type { ObjectStore } from '@floe/storage'
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

type Sent = BatchFile & { bytes: Buffer }

const file = (name: string, bytes: Buffer): Sent => ({
  id: randomUUID(),
  name,
  sizeBytes: bytes.length,
  bytes,
})
const bodyOf = (files: readonly Sent[]) =>
  Buffer.concat([encodeManifest(files), ...files.map(({ bytes }) => bytes)])

const headersOf = (share: TestShare) => ({ ...ownerHeaders(share), 'Content-Type': BATCH_TYPE })
const pathOf = (share: TestShare) => `/api/shares/${share.id}/files/batch`

describe.each(['files', 'minio'] as const)('a batch into %s', (objectsIn) => {
  let world: FileWorld
  let replica: Replica
  let share: TestShare

  beforeAll(async () => {
    world = await createFileWorld({ objectsIn })
    replica = await world.startReplica()
  })
  afterAll(() => world.close())
  beforeEach(() => {
    share = world.ports.addShare()
  })
  afterEach(async () => {
    expect(await world.findMiscounts()).toEqual([])
    expect(await world.database.knex('uploads').where({ kind: 'batch' })).toEqual([])
  })

  const send = (files: readonly Sent[], to = replica) =>
    to.send('POST', pathOf(share), { headers: headersOf(share), body: bodyOf(files) })

  const refusedOf = (text: string) => (JSON.parse(text) as { refused: object[] }).refused

  async function expectStored(files: readonly Sent[]): Promise<void> {
    const stored = await storedFiles(world, share)
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
    expect([...stored].sort(byId)).toMatchObject(
      [...files].sort(byId).map(({ id, name, sizeBytes, bytes }) => ({
        id,
        name,
        sizeBytes,
        sha256: sha256(bytes),
      })),
    )
  }

  async function expectNoOrphans(): Promise<void> {
    const keys = new Set<string>()
    for await (const { key } of world.objects.list()) keys.add(key)
    const rows: { object_key: string }[] = await world.database.knex('files').select('object_key')
    for (const { object_key: key } of rows) keys.delete(key)
    expect([...keys]).toEqual([])
  }

  test('makes each a file of its own, with name, folder, bytes and digest', async () => {
    const files = [
      file('a.txt', Buffer.from('first')),
      file('photos/2026/ü 😀\n.jpg', makeBytes(70_000)),
      file('empty', Buffer.alloc(0)),
      file('largest.bin', makeBytes(MOST_BATCH_FILE_BYTES)),
      ...Array.from({ length: 200 }, (_, index) => file(`many/${index}`, makeBytes(index))),
    ]
    const response = await send(files)
    expect(response.text).toBe('{"refused":[]}')
    await expectStored(files)
    const rows: { sha256: Buffer | null }[] = await world.database
      .knex('files')
      .where({ share_uid: share.uid })
    expect(rows.every(({ sha256: digest }) => digest !== null)).toBe(true)
    const events = await world.database
      .knex('outbox')
      .where({ name: 'upload.finished' })
      .whereRaw("payload->>'shareUid' = ?", [share.uid])
    expect(events).toHaveLength(files.length)
    await expectNoOrphans()
  })

  test('sent again, or by two tabs at once, is there once', async () => {
    const files = Array.from({ length: 50 }, (_, index) => file(`${index}.bin`, makeBytes(500)))
    const responses = await Promise.all([send(files), send(files), send(files.slice(10))])
    responses.push(await send(files))
    for (const { status, text } of responses) {
      expect(status).toBe(200)
      expect(refusedOf(text)).toEqual([])
    }
    await expectStored(files)
    await expectNoOrphans()
  })

  test('refuses by name what the share has otherwise by this id, and keeps that', async () => {
    const [first, other] = [file('a', makeBytes(10)), file('b', makeBytes(20))]
    await send([first])
    const changed = { ...first, bytes: makeBytes(11), sizeBytes: 11 }
    const response = await send([changed, other])
    expect(refusedOf(response.text)).toEqual([
      { id: first.id, name: first.name, error: 'file_id_taken' },
    ])
    await expectStored([first, other])
  })

  test('refuses only what no file system could keep', async () => {
    const good = file('good', makeBytes(10))
    const long = file('x'.repeat(256), makeBytes(10))
    const response = await send([long, good])
    expect(refusedOf(response.text)).toEqual([
      { id: long.id, name: long.name, error: 'file_name_too_long' },
    ])
    await expectStored([good])
  })

  test('refuses one file over the limit among 500, by name', async () => {
    share.maxSizeBytes = 499 * 10
    const files = Array.from({ length: 499 }, (_, index) => file(`${index}`, makeBytes(10)))
    const large = file('large', makeBytes(5000))
    const response = await send([...files.slice(0, 250), large, ...files.slice(250)])
    expect(refusedOf(response.text)).toEqual([
      { id: large.id, name: 'large', error: 'share_too_large' },
    ])
    await expectStored(files)
    await expectNoOrphans()
  })

  test('takes in their order as many as an account may still store', async () => {
    world.ports.settings['share.userStorageLimit'] = 1000
    try {
      const files = Array.from({ length: 4 }, (_, index) => file(`${index}`, makeBytes(300)))
      const response = await send(files)
      expect(refusedOf(response.text)).toEqual([
        { id: files[3]?.id, name: '3', error: 'quota_exceeded' },
      ])
      await expectStored(files.slice(0, 3))
    } finally {
      world.ports.settings['share.userStorageLimit'] = 0
    }
  })

  test('cut at any byte leaves nothing, and the same batch is stored whole afterwards', async () => {
    const files = Array.from({ length: 20 }, (_, index) => file(`${index}`, makeBytes(1000)))
    const body = bodyOf(files)
    for (const cut of [2, 60, body.length - 20_000, body.length - 1]) {
      const half = await sendHalf(replica.port, 'POST', pathOf(share), {
        headers: { ...headersOf(share), 'Content-Length': String(body.length) },
        body: body.subarray(0, cut),
      })
      half.socket.destroy()
    }
    expect(await storedFiles(world, share)).toEqual([])
    expect((await send(files)).status).toBe(200)
    await expectStored(files)
    await expectNoOrphans()
  })

  test('that storage cannot take leaves nothing behind', async () => {
    const failing = await world.startReplica({
      wrapObjects: (objects): ObjectStore => ({
        ...objects,
        async putMany(many) {
          await objects.putMany(many.slice(0, 3))
          throw new Error('storage broke')
        },
      }),
    })
    const files = Array.from({ length: 6 }, (_, index) => file(`${index}`, makeBytes(100)))
    expect((await send(files, failing)).status).toBe(500)
    expect(await storedFiles(world, share)).toEqual([])
    await expectNoOrphans()
    await send(files)
    await expectStored(files)
    await failing.stop()
  })

  test('of a process that died between rows and files goes with the next clean-up', async () => {
    let reached: () => void = () => undefined
    const isPut = new Promise<void>((resolve) => (reached = resolve))
    const dying = await world.startReplica({
      wrapObjects: (objects): ObjectStore => ({
        ...objects,
        async putMany(many) {
          await objects.putMany(many)
          reached()
          return new Promise(() => undefined)
        },
      }),
    })
    const files = Array.from({ length: 6 }, (_, index) => file(`${index}`, makeBytes(100)))
    const lost = send(files, dying).catch(() => null)
    await isPut
    await dying.kill()
    await lost
    await send(files)
    await expectStored(files)
    world.clock.now = new Date(world.clock.now.getTime() + 11 * 60_000)
    await replica.runJob('expire-uploads')
    await expectNoOrphans()
  })

  test('that is no batch is refused whole', async () => {
    const good = [file('a', makeBytes(10))]
    const wrong: [Buffer, Record<string, string>, number, string][] = [
      [bodyOf(good), { 'Content-Type': 'application/octet-stream' }, 415, 'unsupported_media_type'],
      [Buffer.alloc(0), {}, 400, 'validation_failed'],
      [Buffer.from([0, 0, 0, 9, 1]), {}, 400, 'validation_failed'],
      [Buffer.concat([Buffer.from([0, 0, 0, 2]), Buffer.from('{]')]), {}, 400, 'validation_failed'],
      [bodyOf([...good, ...good]), {}, 400, 'validation_failed'],
      [bodyOf(good).subarray(0, -1), {}, 400, 'validation_failed'],
      [Buffer.concat([bodyOf(good), Buffer.alloc(1)]), {}, 400, 'validation_failed'],
      [bodyOf([file('a', makeBytes(MOST_BATCH_FILE_BYTES + 1))]), {}, 400, 'validation_failed'],
      [Buffer.alloc(10 * 1024 * 1024), {}, 413, 'payload_too_large'],
    ]
    for (const [body, headers, status, code] of wrong) {
      const all = { ...headersOf(share), ...headers }
      const response = await replica.send('POST', pathOf(share), { headers: all, body })
      expect(response).toMatchObject({ status, code })
    }
    expect(await storedFiles(world, share)).toEqual([])
  })

  test('goes into a share whose owner sends it, while it takes files', async () => {
    const body = bodyOf([file('a', makeBytes(10))])
    const other = world.ports.addShare()
    const post = (headers: Record<string, string>) =>
      replica.send('POST', pathOf(share), {
        headers: { 'Content-Type': BATCH_TYPE, ...headers },
        body,
      })
    expect(await post(ownerHeaders(other))).toMatchObject({ status: 403, code: 'forbidden' })
    share.state = 'locked'
    expect(await post(ownerHeaders(share))).toMatchObject({ status: 400, code: 'share_locked' })
  })

  test('beside its share being removed leaves nothing of it', async () => {
    const removing = await world.startReplica({
      wrapObjects: (objects): ObjectStore => ({
        ...objects,
        async putMany(many) {
          await objects.putMany(many)
          const rows: { id: string }[] = await world.database
            .knex('uploads')
            .where({ share_uid: share.uid })
          for (const { id } of rows.slice(0, 2)) {
            await world.database.knex('uploads').where({ id }).increment('lease_token', 1)
          }
        },
      }),
    })
    const files = Array.from({ length: 5 }, (_, index) => file(`${index}`, makeBytes(100)))
    const refused = refusedOf((await send(files, removing)).text)
    expect(refused).toHaveLength(2)
    expect(refused).toMatchObject([{ error: 'upload_gone' }, { error: 'upload_gone' }])
    await eventually(async () => (await storedFiles(world, share)).length === 3)
    await world.database
      .knex('uploads')
      .where({ share_uid: share.uid })
      .update({ expires_at: new Date(0) })
    await replica.runJob('expire-uploads')
    await expectNoOrphans()
    await removing.stop()
  })
})

import { uploadGrantSchema } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { inRequest } from '@floe/log'
import type { ObjectStore } from '@floe/storage'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { latch } from '@floe/testing'
import {
  createFileWorld,
  creation,
  type FileWorld,
  inspectOffset,
  makeBytes,
  octets,
  type Replica,
  sha256,
  storedFiles,
} from '../../testing/file-world.ts'
import type { TestShare } from '../../testing/test-ports.ts'
import { noLimits } from '../../quotas/domain/quotas.ts'
import { createUploadStore } from '../stores/upload-store.ts'
import { draftUpload } from './begin-upload.ts'
import { createSmallFiles } from './small-files.ts'
import { UPLOAD_LIFETIME_MS } from './upload.ts'

describe.each(['files', 'minio'] as const)('small files one by one into %s', (objectsIn) => {
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
  })

  const send = (name: string, body: Buffer, to = replica) =>
    to.send('POST', '/api/uploads', {
      headers: creation(share, { 'Upload-Length': String(body.length), ...octets }, name),
      body,
    })

  async function expectStored(files: Record<string, Buffer>): Promise<void> {
    expect(await storedFiles(world, share)).toMatchObject(
      Object.entries(files)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, body]) => ({ name, sizeBytes: body.length, sha256: sha256(body) })),
    )
  }

  async function expectNoOrphans(): Promise<void> {
    const known = new Set<string>()
    for (const table of ['files', 'uploads']) {
      for (const { object_key: key } of await world.database.knex(table)) known.add(String(key))
    }
    for await (const { key } of world.objects.list()) expect(known).toContain(key)
  }

  function openStore() {
    const { database, objects, clock } = world
    return createUploadStore({
      database,
      clock: () => clock.now,
      bootId: 'boot',
      instanceKey: 1,
      removeObject: (key) => objects.remove([key]),
    })
  }

  /** What was not stored, by name, of files that all come at the same moment. */
  async function storeAtOnce(
    files: Record<string, Buffer>,
    { limits = noLimits, putSmall = world.objects.putSmall } = {},
  ): Promise<Record<string, unknown>> {
    const { objects, clock } = world
    const store = openStore()
    const smallFiles = createSmallFiles({
      store,
      objects: { putSmall, remove: objects.remove },
      targets: { confirm: (_upload, told) => Promise.resolve(told) },
      discard: async (id) => {
        const upload = await store.find(id)
        if (upload) await objects.remove([upload.objectKey])
        return upload !== null && store.remove({ upload, token: 0 })
      },
      log: { debug: () => undefined, info: () => undefined },
    })
    const { uid: shareUid, id: shareId, userId } = share
    const target = { maxSizeBytes: limits.maxShareBytes, edition: 1 }
    const grant = uploadGrantSchema.parse({
      ...{ shareUid, shareId, userId, chargedTo: userId },
      ...target,
    })
    const failures: Record<string, unknown> = {}
    await Promise.all(
      Object.entries(files).map(async ([name, body]) => {
        const draft = draftUpload({ grant, name, lengthBytes: body.length, limits })
        const file = { draft, target: { ...target, toldAt: clock.now }, body: [body] }
        await inRequest({ requestId: `request-${name}` }, () => smallFiles.store(file)).catch(
          (error: unknown) => (failures[name] = (error as { code?: unknown }).code),
        )
      }),
    )
    return failures
  }

  test('makes each a file of its own, and HEAD tells the offset of each', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`${100 + index}.bin`, makeBytes(1_000 + index)]),
    )
    const created = await Promise.all(
      Object.entries(files).map(async ([name, body]) => {
        const { status, headers } = await send(name, body)
        expect({ status, offset: headers['upload-offset'] }).toEqual({
          status: 201,
          offset: String(body.length),
        })
        return { path: String(headers['location']), body }
      }),
    )
    await expectStored(files)
    for (const { path, body } of created) {
      expect(await inspectOffset(replica, path)).toBe(body.length)
    }
  })

  test('records one event for each, with the id of its own request', async () => {
    const names = ['a', 'b', 'c', 'd']
    expect(await storeAtOnce(Object.fromEntries(names.map((n) => [n, makeBytes(10)])))).toEqual({})
    const events = await world.database
      .knex('outbox')
      .whereRaw("payload ->> 'shareUid' = ?", [share.uid])
      .join('files', (join) => {
        join.on(world.database.knex.raw("files.id::text = payload ->> 'fileId'"))
      })
      .orderBy('files.name')
      .select('files.name', 'request_id')
    expect(events).toEqual(names.map((name) => ({ name, request_id: `request-${name}` })))
  })

  test.each([
    ['share_too_large', { ...noLimits, maxShareBytes: 1_000 }],
    ['quota_exceeded', { ...noLimits, maxUserBytes: 1_000 }],
  ])('refuses with %s the one that does not fit, and lets the others in', async (code, limits) => {
    const files = { a: makeBytes(300), b: makeBytes(300), c: makeBytes(300) }
    const failures = await storeAtOnce({ ...files, large: makeBytes(950) }, { limits })
    expect(failures).toEqual({ large: code })
    await expectStored(files)
    await expectNoOrphans()
  })

  test('never exceeds a limit together', async () => {
    const limits = { ...noLimits, maxShareBytes: 1_000 }
    const files = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`${index}`, makeBytes(300)]),
    )
    const failures = await storeAtOnce(files, { limits })
    expect(Object.values(failures)).toEqual(Array.from({ length: 17 }, () => 'share_too_large'))
    expect(await storedFiles(world, share)).toHaveLength(3)
    await expectNoOrphans()
  })

  test('lets one whose object cannot be written fail alone', async () => {
    const files = { a: makeBytes(10), b: makeBytes(10), c: makeBytes(10) }
    const failures = await storeAtOnce(
      { ...files, broken: makeBytes(99) },
      {
        putSmall: (key, chunks) =>
          chunks[0]?.byteLength === 99
            ? Promise.reject(new AppError('storage_full'))
            : world.objects.putSmall(key, chunks),
      },
    )
    expect(failures).toEqual({ broken: 'storage_full' })
    await expectStored(files)
    expect(await world.database.knex('uploads').where({ share_uid: share.uid })).toHaveLength(3)
    await expectNoOrphans()
  })

  test('does not bring back one that was removed on its way', async () => {
    const store = openStore()
    const files = { a: makeBytes(10), b: makeBytes(10) }
    const failures = await storeAtOnce(
      { ...files, removed: makeBytes(99) },
      {
        putSmall: async (key, chunks) => {
          if (chunks[0]?.byteLength === 99) await store.removeLost(key)
          await world.objects.putSmall(key, chunks)
        },
      },
    )
    expect(failures).toEqual({ removed: 'upload_gone' })
    await expectStored(files)
    await expectNoOrphans()
  })

  test('keeps objects whose rows are not finished yet from being reconciled away', async () => {
    const reconciling = await world.startReplica({
      wrapObjects: (objects): ObjectStore => ({
        ...objects,
        putSmall: async (key, chunks) => {
          await objects.putSmall(key, chunks)
          await replica.runJob('reconcile-objects')
        },
      }),
    })
    const body = makeBytes(1_000)
    expect((await send('a', body, reconciling)).status).toBe(201)
    await expectStored({ a: body })
    await reconciling.stop()
  })

  test('of a process that died between objects and files are not there, and go in the end', async () => {
    const isPut = latch()
    const dying = await world.startReplica({
      wrapObjects: (objects): ObjectStore => ({
        ...objects,
        putSmall: async (key, chunks) => {
          await objects.putSmall(key, chunks)
          isPut.open()
          return new Promise(() => undefined)
        },
      }),
    })
    const body = makeBytes(1_000)
    const lost = send('a', body, dying).catch(() => null)
    await isPut.opened
    await dying.kill()
    await lost
    expect(await storedFiles(world, share)).toEqual([])
    expect((await send('a', body)).status).toBe(201)
    await expectStored({ a: body })
    world.clock.now = new Date(world.clock.now.getTime() + UPLOAD_LIFETIME_MS + 60_000)
    await replica.runJob('expire-uploads')
    await replica.runJob('reconcile-objects')
    await expectStored({ a: body })
    expect(await world.database.knex('uploads').where({ share_uid: share.uid })).toEqual([])
    await expectNoOrphans()
  })
})

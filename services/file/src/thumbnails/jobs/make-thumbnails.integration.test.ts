import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { AppError } from '@floe/errors'
import type { ReadGrant } from '@floe/contracts'
import type { ObjectStore } from '@floe/storage'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createEditedShare, type EditedShare } from '../../testing/edited-share.ts'
import { createFileWorld, type FileWorld, type Replica } from '../../testing/file-world.ts'

const run = promisify(execFile)

let world: FileWorld
let replica: Replica
let edited: EditedShare

beforeAll(async () => {
  world = await createFileWorld()
  replica = await world.startReplica()
})
afterAll(() => world.close())
beforeEach(async () => {
  edited = createEditedShare(world, replica)
})

interface Row {
  name: string
  state: string
  object_key: string | null
  attempts: number
}

const make = (by = replica, signal?: AbortSignal) =>
  by.runJob('make-thumbnails', { shareUid: edited.share.uid }, signal)

const rows = (): Promise<Row[]> =>
  world.database
    .knex('thumbnails')
    .join('files', { 'files.share_uid': 'thumbnails.share_uid', 'files.id': 'file_id' })
    .where({ 'thumbnails.share_uid': edited.share.uid })
    .orderBy('name')
    .select('name', 'state', 'thumbnails.object_key', 'attempts')

async function states(): Promise<Record<string, string>> {
  return Object.fromEntries((await rows()).map(({ name, state }) => [name, state]))
}

async function storedKeys(): Promise<Set<string>> {
  const keys = new Set<string>()
  for await (const { key } of world.objects.list()) keys.add(key)
  return keys
}

/** Objects that no row tells of, whatever the row is of. */
async function strays(): Promise<string[]> {
  const keys = await storedKeys()
  for (const table of ['files', 'uploads', 'thumbnails', 'archive_segments']) {
    for (const row of await world.database.knex(table).select('object_key')) {
      keys.delete(String(row.object_key))
    }
  }
  return [...keys]
}

function paint(width = 900, height = 600, background = '#2f7d9c') {
  return sharp({ create: { width, height, channels: 3, background } })
}

const jpeg = () => paint().jpeg().toBuffer()
const thumbnailPath = (path: string) => `${path}/thumbnail`

async function grant(): Promise<ReadGrant> {
  const credentials = {
    accessToken: null,
    shareToken: null,
    ownerToken: null,
    reverseShareToken: null,
    clientAddress: '127.0.0.1',
    userAgent: '',
  }
  const { id } = edited.share
  return world.ports.share.authorizeRead({ shareId: id, access: 'direct', credentials })
}

async function listedThumbnails() {
  const listed = await replica.files.listFiles({ grant: await grant() })
  return Object.fromEntries(listed.map(({ name, thumbnail }) => [name, thumbnail]))
}

describe('a picture', () => {
  test('gets a thumbnail that its listing tells of and its address yields', async () => {
    const path = await edited.addFile('trip/Sea.JPG', await jpeg())
    await edited.complete()
    expect(await listedThumbnails()).toEqual({ 'trip/Sea.JPG': undefined })
    expect(await replica.send('GET', thumbnailPath(path))).toMatchObject({
      status: 404,
      code: 'thumbnail_not_found',
    })
    await make()
    expect(await listedThumbnails()).toEqual({ 'trip/Sea.JPG': { width: 480, height: 320 } })
    const response = await fetch(`http://127.0.0.1:${replica.port}${thumbnailPath(path)}`)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'content-disposition': 'inline; filename="thumbnail.webp"',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^sandbox;/),
      'cache-control': expect.stringContaining('private'),
      etag: expect.stringMatching(/^"[^"]+"$/),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 480, height: 320 })
  })

  test('is sent by range, by HEAD, and not again to a browser that has it', async () => {
    const path = thumbnailPath(await edited.addFile('a.png', await paint().png().toBuffer()))
    await edited.complete()
    await make()
    const whole = await edited.download(path)
    const part = await edited.download(path, { Range: 'bytes=2-9' })
    expect(part).toMatchObject({ status: 206, bytes: whole.bytes.subarray(2, 10) })
    const again = await edited.download(path, { 'If-None-Match': whole.etag })
    expect(again).toMatchObject({ status: 304, etag: whole.etag })
    expect(again.bytes).toHaveLength(0)
    const head = await replica.send('HEAD', path)
    expect(head).toMatchObject({
      status: 200,
      text: '',
      headers: { 'content-length': String(whole.bytes.length) },
    })
  })

  test('that is looked at counts as no download', async () => {
    const path = await edited.addFile('a.jpg', await jpeg())
    await edited.complete()
    await make()
    await world.database.knex('outbox').delete()
    expect(await edited.statusOf(thumbnailPath(path))).toBe(200)
    expect(await edited.statusOf(path)).toBe(200)
    const recorded = () => world.database.knex('outbox').where({ name: 'share.downloaded' })
    await expect.poll(async () => (await recorded()).length).toBe(1)
  })

  test('keeps neither its camera nor its place, and stands upright', async () => {
    const photograph = await paint()
      .withExif({ IFD0: { Model: 'Kamera 9000' }, IFD3: { GPSLatitude: '54/1 7/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const path = await edited.addFile('a.jpg', photograph)
    await edited.complete()
    await make()
    expect(await listedThumbnails()).toEqual({ 'a.jpg': { width: 320, height: 480 } })
    const { bytes } = await edited.download(thumbnailPath(path))
    expect((await sharp(bytes).metadata()).exif).toBeUndefined()
    expect(photograph.includes('Exif')).toBe(true)
    expect(bytes.includes('EXIF')).toBe(false)
  })
})

describe('what is no picture', () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><text>hi</text></svg>')

  test('is refused once and not tried again, while the others are made', async () => {
    const whole = await paint(900, 600).jpeg().toBuffer()
    await edited.addFile('cut.jpg', whole.subarray(0, whole.length / 2))
    await edited.addFile('drawing.png', svg)
    await edited.addFile('good.jpg', whole)
    await edited.addFile('notes.jpg', Buffer.from('Milk, bread, butter'))
    const path = await edited.addFile('plain.txt', Buffer.from('plain'))
    await edited.complete()
    await make()
    const expected = {
      'cut.jpg': 'refused',
      'drawing.png': 'refused',
      'good.jpg': 'ready',
      'notes.jpg': 'refused',
    }
    expect(await states()).toEqual(expected)
    const before = await rows()
    await make()
    expect(await rows()).toEqual(before)
    expect(await edited.statusOf(thumbnailPath(path))).toBe(404)
  })

  test('costs its name and size a look, and a file of too many bytes not even an attempt', async () => {
    const path = await edited.addFile('huge.jpg')
    await edited.addFile('empty.jpg', Buffer.alloc(0))
    const id = path.split('/').at(-1)
    await world.database.knex('files').where({ id }).update({ size_bytes: 100_000_001 })
    await make()
    await world.database.knex('files').where({ id }).update({ size_bytes: 20 })
    expect(await states()).toEqual({})
  })
})

/** The processes that this one started to decode pictures. */
async function decoders(): Promise<number[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,command='])
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number)
    const isOurs = parent === process.pid && line.includes('decode-process')
    return isOurs && pid !== undefined ? [pid] : []
  })
}

describe('a decoder that dies', () => {
  function killing(times: number) {
    let left = times
    return (objects: ObjectStore): ObjectStore => ({
      ...objects,
      openReader: async (key, span) => {
        const reader = await objects.openReader(key, span)
        return {
          ...reader,
          read: async (buffer, position) => {
            if (left > 0) {
              left -= 1
              for (const pid of await decoders()) process.kill(pid, 'SIGKILL')
            }
            return reader.read(buffer, position)
          },
        }
      },
    })
  }

  test('fails the job, and the next attempt makes the thumbnail', async () => {
    const worker = await world.startReplica({ wrapObjects: killing(1) })
    await edited.addFile('a.jpg', await jpeg())
    await edited.addFile('b.jpg', await jpeg())
    await expect(make(worker)).rejects.toMatchObject({ code: 'internal' })
    expect(await states()).toEqual({ 'a.jpg': 'wanted', 'b.jpg': 'ready' })
    await make(worker)
    expect(await states()).toEqual({ 'a.jpg': 'ready', 'b.jpg': 'ready' })
    await worker.stop()
    expect(await strays()).toEqual([])
  })

  test('three times over the same picture is taken for its fault', async () => {
    const worker = await world.startReplica({ wrapObjects: killing(3) })
    await edited.addFile('a.jpg', await jpeg())
    for (const turn of [1, 2]) {
      await expect(make(worker), String(turn)).rejects.toMatchObject({ code: 'internal' })
    }
    await make(worker)
    expect(await states()).toEqual({ 'a.jpg': 'refused' })
    await worker.stop()
  })

  test('ends with the service that started it', async () => {
    const worker = await world.startReplica()
    await edited.addFile('a.jpg', await jpeg())
    const before = await decoders()
    await make(worker)
    expect((await decoders()).length).toBe(before.length + 1)
    await worker.stop()
    expect(await decoders()).toEqual(before)
  })
})

describe('storage that fails', () => {
  test('is tried again, and counts against no picture', async () => {
    let isFull = true
    const worker = await world.startReplica({
      wrapObjects: (objects) => ({
        ...objects,
        putSmall: async (key, chunks) => {
          if (isFull) throw new AppError('storage_full')
          await objects.putSmall(key, chunks)
        },
      }),
    })
    await edited.addFile('a.jpg', await jpeg())
    for (let turn = 0; turn < 4; turn += 1) {
      await expect(make(worker)).rejects.toMatchObject({ code: 'internal' })
    }
    isFull = false
    await make(worker)
    expect(await states()).toEqual({ 'a.jpg': 'ready' })
    await worker.stop()
  })

  test('once the thumbnail is written leaves nothing behind', async () => {
    let isBroken = true
    const worker = await world.startReplica({
      wrapObjects: (objects) => ({
        ...objects,
        putSmall: async (key, chunks) => {
          await objects.putSmall(key, chunks)
          if (isBroken) throw new AppError('internal')
        },
      }),
    })
    await edited.addFile('a.jpg', await jpeg())
    await expect(make(worker)).rejects.toMatchObject({ code: 'internal' })
    isBroken = false
    await make(worker)
    expect(await states()).toEqual({ 'a.jpg': 'ready' })
    expect(await strays()).toEqual([])
    await worker.stop()
  })
})

describe('two workers', () => {
  test('never make the same thumbnail, and one that is killed leaves its pictures to the other', async () => {
    let stuck = 0
    const doomed = await world.startReplica({
      wrapObjects: (objects) => ({
        ...objects,
        putSmall: () => {
          stuck += 1
          return new Promise(() => undefined)
        },
      }),
    })
    for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) await edited.addFile(name, await jpeg())
    void make(doomed).catch(() => undefined)
    await expect.poll(() => stuck, { timeout: 20_000 }).toBe(2)
    await make()
    expect(await states()).toEqual({ 'a.jpg': 'wanted', 'b.jpg': 'wanted', 'c.jpg': 'ready' })
    await doomed.kill()
    await expect
      .poll(() => make().then(states), { timeout: 20_000 })
      .toEqual({ 'a.jpg': 'ready', 'b.jpg': 'ready', 'c.jpg': 'ready' })
    expect(await strays()).toEqual([])
  })

  test('that are told to stop give their picture back at once', async () => {
    await edited.addFile('a.jpg', await jpeg())
    const abort = new AbortController()
    const worker = await world.startReplica({
      wrapObjects: (objects) => ({
        ...objects,
        openReader: (key, span) => {
          abort.abort(new Error('stopping'))
          return objects.openReader(key, span)
        },
      }),
    })
    await expect(make(worker, abort.signal)).rejects.toThrow('stopping')
    expect(await rows()).toMatchObject([{ state: 'wanted', attempts: 0 }])
    await make()
    expect(await states()).toEqual({ 'a.jpg': 'ready' })
    await worker.stop()
  })
})

describe('thumbnails go', () => {
  const objectsOf = async () => (await rows()).flatMap((row) => row.object_key ?? [])

  async function expectGone(keys: readonly string[]) {
    const stored = await storedKeys()
    expect(keys.length).toBeGreaterThan(0)
    expect(keys.filter((key) => stored.has(key))).toEqual([])
    expect(await strays()).toEqual([])
  }

  test('with their share', async () => {
    await edited.addFile('a.jpg', await jpeg())
    await edited.complete()
    await make()
    const keys = await objectsOf()
    edited.share.state = 'gone'
    await replica.runJob('delete-share-files', { shareUid: edited.share.uid })
    expect(await rows()).toEqual([])
    await expectGone(keys)
  })

  test('with a file that is removed before anybody saw it', async () => {
    const path = await edited.addFile('a.jpg', await jpeg())
    await make()
    const keys = await objectsOf()
    await edited.removeFile(path)
    expect(await rows()).toEqual([])
    await expectGone(keys)
  })

  test('with a removed file once it is purged, and not before', async () => {
    const path = await edited.addFile('a.jpg', await jpeg())
    await edited.addFile('kept.jpg', await jpeg())
    await edited.complete()
    await make()
    edited.reopen()
    await edited.removeFile(path)
    expect(await edited.statusOf(thumbnailPath(path)), 'until it is published').toBe(200)
    const [keys, kept] = [(await objectsOf()).slice(0, 1), (await objectsOf()).slice(1)]
    await edited.complete()
    expect(await edited.statusOf(thumbnailPath(path)), 'afterwards').toBe(404)
    await replica.runJob('purge-removed-files')
    world.clock.now = new Date(world.clock.now.getTime() + 3_600_000)
    await replica.runJob('purge-removed-files')
    world.clock.now = new Date()
    expect(await states()).toEqual({ 'kept.jpg': 'ready' })
    await expectGone(keys)
    expect((await storedKeys()).has(kept[0] ?? '')).toBe(true)
  })

  test('with an edit that is given up', async () => {
    await edited.addFile('a.jpg', await jpeg())
    await edited.complete()
    edited.reopen()
    const path = await edited.addFile('b.jpg', await jpeg())
    await make()
    expect(await edited.statusOf(thumbnailPath(path)), 'nobody sees it yet').toBe(404)
    const keys = (await objectsOf()).slice(1)
    const { uid: shareUid, edition } = edited.share
    await replica.files.discardChanges({ shareUid, edition })
    expect(await states()).toEqual({ 'a.jpg': 'ready' })
    await expectGone(keys)
  })

  test('never by reconciliation, which makes lost ones again and knows old pictures', async () => {
    const path = await edited.addFile('a.jpg', await jpeg())
    await edited.addFile('b.jpg', await jpeg())
    await edited.complete()
    await make()
    await replica.runJob('reconcile-objects')
    expect(await edited.statusOf(thumbnailPath(path))).toBe(200)

    await world.objects.remove((await objectsOf()).slice(0, 1))
    await world.database
      .knex('thumbnails')
      .where({ object_key: (await objectsOf())[1] })
      .delete()
    await world.database.knex('outbox').delete()
    await replica.runJob('reconcile-objects')
    const asked = await world.database.knex('outbox').where({ name: 'thumbnails.wanted' })
    expect(asked.map(({ payload }) => payload)).toContainEqual({ shareUid: edited.share.uid })
    await make()
    expect(await states()).toEqual({ 'a.jpg': 'ready', 'b.jpg': 'ready' })
    expect(await edited.statusOf(thumbnailPath(path))).toBe(200)
  })
})

import { randomUUID } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { SMALL_BODY_BYTES } from '../uploads/domain/upload.ts'
import { createEditedShare, type EditedShare } from '../testing/edited-share.ts'
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
  tus,
} from '../testing/file-world.ts'
import { sendHalf } from '../testing/http-client.ts'
import type { TestShare } from '../testing/test-ports.ts'

let world: FileWorld
let replica: Replica
let edited: EditedShare
let share: TestShare

beforeAll(async () => {
  world = await createFileWorld()
  replica = await world.startReplica()
})
afterAll(() => world.close())
beforeEach(() => {
  edited = createEditedShare(world, replica)
  share = edited.share
})
afterEach(async () => {
  vi.restoreAllMocks()
  expect(await world.findMiscounts()).toEqual([])
  world.clock.now = new Date()
})

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const pass = (ms: number) => {
  world.clock.now = new Date(world.clock.now.getTime() + ms)
}

describe('during an edit', () => {
  test('visitors read the old files and archive to the byte, afterwards the new ones', async () => {
    const [kept, removed] = [await edited.addFile('kept.bin'), await edited.addFile('removed.bin')]
    await edited.complete()
    const before = await edited.downloadArchive()
    const removedBefore = await edited.download(removed)
    edited.reopen()

    const added = await edited.addFile('added.bin')
    await edited.removeFile(removed)
    expect(await edited.downloadArchive()).toEqual(before)
    const [start, rest] = [before.bytes.subarray(0, 30), before.bytes.subarray(30)]
    const resumed = await edited.downloadArchive({ Range: 'bytes=30-', 'If-Range': before.etag })
    expect(resumed).toMatchObject({ status: 206, etag: before.etag })
    expect(Buffer.concat([start, resumed.bytes])).toEqual(before.bytes)
    expect(resumed.bytes).toEqual(rest)
    expect(await edited.download(removed)).toEqual(removedBefore)
    expect(await edited.statusOf(added)).toBe(404)

    await edited.complete()
    expect([
      await edited.statusOf(kept),
      await edited.statusOf(added),
      await edited.statusOf(removed),
    ]).toEqual([200, 200, 404])
    const after = await edited.downloadArchive({ Range: 'bytes=30-', 'If-Range': before.etag })
    expect(after.status).toBe(200)
    expect(after.etag).not.toBe(before.etag)
    expect(after.bytes.includes('added.bin')).toBe(true)
    expect(after.bytes.includes('removed.bin')).toBe(false)
  })

  test('an edit completed without a change leaves the archive as it was', async () => {
    await edited.addFile('a.bin')
    await edited.complete()
    const before = await edited.downloadArchive()
    edited.reopen()
    await edited.complete()
    expect(await edited.downloadArchive()).toEqual(before)
  })

  test('a file added and removed again was never there, and goes at once', async () => {
    await edited.addFile('a.bin')
    await edited.complete()
    edited.reopen()
    const added = await edited.addFile('b.bin')
    const before = await edited.objectKeys()
    await edited.removeFile(added)
    expect(await edited.files()).toEqual([{ name: 'a.bin', added: 1, removed: null }])
    expect((await edited.objectKeys()).size).toBe(before.size - 1)
    expect((await edited.tryToRemove(added)).code).toBe('file_not_found')
  })

  test('a removed file is gone for its owner, and its id is not used twice', async () => {
    const path = await edited.addFile('a.bin')
    await edited.complete()
    edited.reopen()
    await edited.removeFile(path)
    expect((await edited.tryToRemove(path)).code).toBe('file_not_found')
    const id = path.split('/').at(-1) ?? ''
    expect((await edited.sendChunk(id, 'again.bin', makeBytes(5))).code).toBe('file_id_taken')
    expect(await edited.files()).toEqual([{ name: 'a.bin', added: 1, removed: 2 }])
  })

  test('removed bytes free their space at once', async () => {
    share.maxSizeBytes = 100
    const path = await edited.addFile('a.bin', makeBytes(100))
    await edited.complete()
    edited.reopen()
    expect((await edited.sendChunk(randomUUID(), 'b.bin', makeBytes(100))).code).toBe(
      'share_too_large',
    )
    await edited.removeFile(path)
    await edited.addFile('b.bin', makeBytes(100))
    await edited.complete()
    expect(await edited.files()).toEqual([
      { name: 'a.bin', added: 1, removed: 2 },
      { name: 'b.bin', added: 2, removed: null },
    ])
  })

  test('an abandoned upload goes after a day, and with it nothing else', async () => {
    const kept = await edited.addFile('a.bin')
    await edited.complete()
    edited.reopen()
    const path = await createUpload(replica, share, { 'Upload-Length': '1000' })
    await replica.send('PATCH', path, { headers: append(0), body: makeBytes(10) })
    pass(25 * HOUR_MS)
    await replica.runJob('expire-uploads')
    expect((await replica.send('HEAD', path, { headers: tus })).status).toBe(404)
    expect(await edited.files()).toEqual([{ name: 'a.bin', added: 1, removed: null }])
    expect(await edited.statusOf(kept)).toBe(200)
  })

  test('discarding it leaves what was published, and nothing of what was added', async () => {
    share.maxSizeBytes = 200
    const [kept, removed] = [await edited.addFile('kept.bin'), await edited.addFile('removed.bin')]
    await edited.complete()
    const [published, objectKeys] = [await edited.downloadArchive(), await edited.objectKeys()]
    edited.reopen()
    await edited.removeFile(removed)
    const added = await edited.addFile('added.bin', makeBytes(100))
    const unfinished = await createUpload(replica, share, { 'Upload-Length': '50' })
    await replica.send('PATCH', unfinished, { headers: append(0), body: makeBytes(10) })

    for (let round = 0; round < 2; round += 1) {
      await replica.files.discardChanges({ shareUid: share.uid, edition: 1 })
      expect(await edited.files()).toEqual([
        { name: 'kept.bin', added: 1, removed: null },
        { name: 'removed.bin', added: 1, removed: null },
      ])
      expect(await world.findMiscounts()).toEqual([])
    }
    const gone = await replica.send('HEAD', unfinished, { headers: tus })
    expect(gone.status).toBe(404)
    expect(await edited.objectKeys()).toEqual(objectKeys)
    expect(await edited.downloadArchive()).toEqual(published)
    expect([await edited.statusOf(kept), await edited.statusOf(added)]).toEqual([200, 404])

    // The space is there again, and the next edit publishes nothing of this one.
    await edited.addFile('next.bin', makeBytes(160))
    await edited.complete()
    expect((await edited.files()).map(({ name }) => name)).toEqual([
      'kept.bin',
      'next.bin',
      'removed.bin',
    ])
  })

  test('terminating an upload takes its file back as deleting the file does', async () => {
    const body = makeBytes(3)
    const paths: string[] = []
    for (const name of ['published.bin', 'added.bin']) {
      const headers = creation(share, { 'Upload-Length': '3', ...octets }, name)
      const response = await replica.send('POST', '/api/uploads', { headers, body })
      paths.push(String(response.headers['location']))
      if (name === 'published.bin') await edited.complete()
      expect((await replica.send('DELETE', paths[0] ?? '', { headers: tus })).code).toBe(
        name === 'published.bin' ? 'share_locked' : undefined,
      )
      edited.reopen()
    }
    expect((await replica.send('DELETE', paths[1] ?? '', { headers: tus })).status).toBe(204)
    expect(await edited.files()).toEqual([{ name: 'published.bin', added: 1, removed: 2 }])
    for (const path of paths) {
      expect((await replica.send('DELETE', path, { headers: tus })).code).toBe('upload_not_found')
    }
  })
})

describe('what is uploaded during an edit', () => {
  beforeEach(async () => {
    await edited.addFile('first.bin')
    await edited.complete()
    edited.reopen()
  })
  const addedBy = async (name: string) => {
    const found = (await edited.files()).find((file) => file.name === name)
    return found?.added
  }

  test.each([
    ['in one small request', 100],
    ['in one request with its creation', SMALL_BODY_BYTES + 1],
  ])('becomes part of the next edition: %s', async (_how, sizeBytes) => {
    const filename = `${randomUUID()}.bin`
    const response = await replica.send('POST', '/api/uploads', {
      headers: creation(share, { 'Upload-Length': String(sizeBytes), ...octets }, filename),
      body: makeBytes(sizeBytes),
    })
    expect(response.status).toBe(201)
    expect(await addedBy(filename)).toBe(2)
  })

  test('becomes part of the next edition: in several requests to several replicas', async () => {
    const filename = `${randomUUID()}.bin`
    const upload = await createUpload(replica, share, { 'Upload-Length': '30' }, filename)
    const other = await world.startReplica()
    await other.send('PATCH', upload, { headers: append(0), body: makeBytes(10) })
    await other.send('PATCH', upload, { headers: append(10), body: makeBytes(10) })
    await other.kill()
    expect(await inspectOffset(replica, upload)).toBe(20)
    await replica.send('PATCH', upload, { headers: append(20), body: makeBytes(10) })
    expect(await addedBy(filename)).toBe(2)
  })

  test('becomes part of the next edition: joined from parts', async () => {
    const filename = `${randomUUID()}.bin`
    const part = await replica.send('POST', '/api/uploads', {
      headers: creation(share, { 'Upload-Length': '4', 'Upload-Concat': 'partial', ...octets }),
      body: makeBytes(4),
    })
    const concat = `final;${String(part.headers['location'])}`
    const joined = await replica.send('POST', '/api/uploads', {
      headers: creation(share, { 'Upload-Concat': concat }, filename),
    })
    expect(joined.status).toBe(201)
    expect(await addedBy(filename)).toBe(2)
  })

  test('is a file of the edition in which its last byte was confirmed', async () => {
    const filename = `${randomUUID()}.bin`
    const upload = await createUpload(replica, share, { 'Upload-Length': '30' }, filename)
    const asked = vi.spyOn(world.ports.share, 'uploadTarget')
    const half = await sendHalf(replica.port, 'PATCH', upload, {
      headers: { ...append(0), 'Content-Length': '30' },
      body: makeBytes(10),
    })
    await vi.waitFor(() => expect(asked).toHaveBeenCalled())
    await edited.complete()
    edited.reopen()
    pass(MINUTE_MS)
    half.socket.write(makeBytes(20))
    expect(await half.response).toContain(' 204 ')
    half.socket.destroy()
    // Edition 2 is what visitors read by now: it must not change.
    expect(await addedBy(filename)).toBe(3)
  })

  test('is no file of a share completed meanwhile, until it is reopened', async () => {
    const filename = `${randomUUID()}.bin`
    const upload = await createUpload(replica, share, { 'Upload-Length': '30' }, filename)
    const asked = vi.spyOn(world.ports.share, 'uploadTarget')
    const half = await sendHalf(replica.port, 'PATCH', upload, {
      headers: { ...append(0), 'Content-Length': '30' },
      body: makeBytes(10),
    })
    await vi.waitFor(() => expect(asked).toHaveBeenCalled())
    await edited.complete()
    pass(MINUTE_MS)
    half.socket.write(makeBytes(20))
    expect(await half.response).toContain('share_locked')
    half.socket.destroy()
    expect(await addedBy(filename)).toBeUndefined()
    edited.reopen()
    expect(await inspectOffset(replica, upload)).toBe(30)
    expect(await addedBy(filename)).toBe(3)
  })

  test('is no file of a share completed while a small body came in', async () => {
    const filename = `${randomUUID()}.bin`
    const asked = vi.spyOn(world.ports.share, 'authorizeUpload')
    const half = await sendHalf(replica.port, 'POST', '/api/uploads', {
      headers: {
        ...creation(share, { 'Upload-Length': '30', ...octets }, filename),
        'Content-Length': '30',
      },
      body: makeBytes(10),
    })
    await vi.waitFor(() => expect(asked).toHaveBeenCalled())
    await edited.complete()
    pass(MINUTE_MS)
    half.socket.write(makeBytes(20))
    expect(await half.response).toContain('share_locked')
    half.socket.destroy()
    expect(await addedBy(filename)).toBeUndefined()
  })
})

describe('an archive download that runs across the completion', () => {
  test('ends as it began, to the byte', async () => {
    const big = 9 * 1024 * 1024
    await edited.addFile('a.bin', makeBytes(big))
    const removed = await edited.addFile('b.bin', makeBytes(big))
    await edited.complete()
    const before = await edited.downloadArchive()

    const running = await begin(edited.archivePath)
    const chunks: Buffer[] = []
    const body = running[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    const first = await body.next()
    if (!first.done) chunks.push(first.value)
    edited.reopen()
    await edited.removeFile(removed)
    await edited.addFile('c.bin')
    await edited.complete()
    await purge()
    pass(HOUR_MS - MINUTE_MS)
    await purge()
    await replica.runJob('reconcile-objects')

    expect((await edited.downloadArchive()).etag).not.toBe(before.etag)
    for (let next = await body.next(); !next.done; next = await body.next()) chunks.push(next.value)
    expect(Buffer.concat(chunks).equals(before.bytes)).toBe(true)
    expect(running.headers.etag).toBe(before.etag)
  })
})

const purge = () => replica.runJob('purge-removed-files')

function begin(path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port: replica.port, path, agent: false }, resolve).on('error', reject)
  })
}

import { randomUUID } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import type { ObjectStore } from '@floe/storage'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { SMALL_BODY_BYTES } from '../domain/upload.ts'
import {
  append,
  createFileWorld,
  createUpload,
  creation,
  type FileWorld,
  inspectOffset,
  makeBytes,
  octets,
  ownerHeaders,
  type Replica,
  tus,
} from '../testing/file-world.ts'
import { sendHalf } from '../testing/http-client.ts'
import type { TestShare } from '../testing/test-ports.ts'

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
  vi.restoreAllMocks()
  await expectTotals()
  world.clock.now = new Date()
})

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const pass = (ms: number) => {
  world.clock.now = new Date(world.clock.now.getTime() + ms)
}
const expectTotals = async () => expect(await world.findMiscounts()).toEqual([])

const reopen = () => {
  share.state = 'open'
}
async function complete(): Promise<void> {
  world.ports.complete(share)
  await expectTotals()
}

/** Adds a file in one request; answers its path as visitors ask for it. */
async function addFile(name: string, body: Buffer = makeBytes(20)): Promise<string> {
  const id = randomUUID()
  const answer = await sendChunk(id, name, body)
  expect(answer.status, answer.text).toBe(201)
  await expectTotals()
  return `/api/shares/${share.id}/files/${id}`
}
function sendChunk(id: string, name: string, body: Buffer) {
  const query = new URLSearchParams({ id, name, chunkIndex: '0', totalChunks: '1' })
  return replica.send('POST', `/api/shares/${share.id}/files?${query.toString()}`, {
    headers: { ...ownerHeaders(share), 'Content-Type': 'application/octet-stream' },
    body,
  })
}
async function removeFile(path: string): Promise<void> {
  const answer = await replica.send('DELETE', path, { headers: ownerHeaders(share) })
  expect(answer.status, answer.text).toBe(200)
  await expectTotals()
}

async function download(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`http://127.0.0.1:${replica.port}${path}`, { headers })
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, etag: answer.headers.get('etag') ?? '', bytes }
}
const archivePath = () => `/api/shares/${share.id}/files/zip`
const downloadArchive = (headers?: Record<string, string>) => download(archivePath(), headers)
const statusOf = async (path: string) => (await download(path)).status

async function files() {
  const rows = await world.database.knex('files').where({ share_uid: share.uid }).orderBy('name')
  return rows.map(({ name, added_edition: added, removed_edition: removed }) => ({
    name,
    added,
    removed,
  }))
}
async function objectKeys(): Promise<Set<string>> {
  const rows = await world.database.knex('files').where({ share_uid: share.uid })
  const known = new Set(rows.map(({ object_key: key }) => String(key)))
  const stored = new Set<string>()
  for await (const { key } of world.objects.list()) if (known.has(key)) stored.add(key)
  return stored
}

describe('during an edit', () => {
  test('visitors read the old files and archive to the byte, afterwards the new ones', async () => {
    const [kept, removed] = [await addFile('kept.bin'), await addFile('removed.bin')]
    await complete()
    const before = await downloadArchive()
    const removedBefore = await download(removed)
    reopen()

    const added = await addFile('added.bin')
    await removeFile(removed)
    expect(await downloadArchive()).toEqual(before)
    const [start, rest] = [before.bytes.subarray(0, 30), before.bytes.subarray(30)]
    const resumed = await downloadArchive({ Range: 'bytes=30-', 'If-Range': before.etag })
    expect(resumed).toMatchObject({ status: 206, etag: before.etag })
    expect(Buffer.concat([start, resumed.bytes])).toEqual(before.bytes)
    expect(resumed.bytes).toEqual(rest)
    expect(await download(removed)).toEqual(removedBefore)
    expect(await statusOf(added)).toBe(404)

    await complete()
    expect([await statusOf(kept), await statusOf(added), await statusOf(removed)]).toEqual([
      200, 200, 404,
    ])
    const after = await downloadArchive({ Range: 'bytes=30-', 'If-Range': before.etag })
    expect(after.status).toBe(200)
    expect(after.etag).not.toBe(before.etag)
    expect(after.bytes.includes('added.bin')).toBe(true)
    expect(after.bytes.includes('removed.bin')).toBe(false)
  })

  test('an edit completed without a change leaves the archive as it was', async () => {
    await addFile('a.bin')
    await complete()
    const before = await downloadArchive()
    reopen()
    await complete()
    expect(await downloadArchive()).toEqual(before)
  })

  test('a file added and removed again was never there, and goes at once', async () => {
    await addFile('a.bin')
    await complete()
    reopen()
    const added = await addFile('b.bin')
    const before = await objectKeys()
    await removeFile(added)
    expect(await files()).toEqual([{ name: 'a.bin', added: 1, removed: null }])
    expect((await objectKeys()).size).toBe(before.size - 1)
    expect((await replica.send('DELETE', added, { headers: ownerHeaders(share) })).code).toBe(
      'file_not_found',
    )
  })

  test('a removed file is gone for its owner, and its id is not used twice', async () => {
    const path = await addFile('a.bin')
    await complete()
    reopen()
    await removeFile(path)
    expect((await replica.send('DELETE', path, { headers: ownerHeaders(share) })).code).toBe(
      'file_not_found',
    )
    const id = path.split('/').at(-1) ?? ''
    expect((await sendChunk(id, 'again.bin', makeBytes(5))).code).toBe('file_id_taken')
    expect(await files()).toEqual([{ name: 'a.bin', added: 1, removed: 2 }])
  })

  test('removed bytes make room at once', async () => {
    share.maxSizeBytes = 100
    const path = await addFile('a.bin', makeBytes(100))
    await complete()
    reopen()
    expect((await sendChunk(randomUUID(), 'b.bin', makeBytes(100))).code).toBe('share_too_large')
    await removeFile(path)
    await addFile('b.bin', makeBytes(100))
    await complete()
    expect(await files()).toEqual([
      { name: 'a.bin', added: 1, removed: 2 },
      { name: 'b.bin', added: 2, removed: null },
    ])
  })

  test('terminating an upload takes its file back as deleting the file does', async () => {
    const body = makeBytes(3)
    const paths: string[] = []
    for (const name of ['published.bin', 'added.bin']) {
      const headers = creation(share, { 'Upload-Length': '3', ...octets }, name)
      const answer = await replica.send('POST', '/api/uploads', { headers, body })
      paths.push(String(answer.headers['location']))
      if (name === 'published.bin') await complete()
      expect((await replica.send('DELETE', paths[0] ?? '', { headers: tus })).code).toBe(
        name === 'published.bin' ? 'share_locked' : undefined,
      )
      reopen()
    }
    expect((await replica.send('DELETE', paths[1] ?? '', { headers: tus })).status).toBe(204)
    expect(await files()).toEqual([{ name: 'published.bin', added: 1, removed: 2 }])
    for (const path of paths) {
      expect((await replica.send('DELETE', path, { headers: tus })).code).toBe('upload_not_found')
    }
  })
})

describe('what is uploaded during an edit', () => {
  beforeEach(async () => {
    await addFile('first.bin')
    await complete()
    reopen()
  })
  const addedBy = async (name: string) => {
    const found = (await files()).find((file) => file.name === name)
    return found?.added
  }

  test.each([
    ['in one small request', 100],
    ['in one request with its creation', SMALL_BODY_BYTES + 1],
  ])('becomes part of the next edition: %s', async (_how, sizeBytes) => {
    const filename = `${randomUUID()}.bin`
    const answer = await replica.send('POST', '/api/uploads', {
      headers: creation(share, { 'Upload-Length': String(sizeBytes), ...octets }, filename),
      body: makeBytes(sizeBytes),
    })
    expect(answer.status).toBe(201)
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
    await complete()
    reopen()
    pass(MINUTE_MS)
    half.socket.write(makeBytes(20))
    expect(await half.answered).toContain(' 204 ')
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
    await complete()
    pass(MINUTE_MS)
    half.socket.write(makeBytes(20))
    expect(await half.answered).toContain('share_locked')
    half.socket.destroy()
    expect(await addedBy(filename)).toBeUndefined()
    reopen()
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
    await complete()
    pass(MINUTE_MS)
    half.socket.write(makeBytes(20))
    expect(await half.answered).toContain('share_locked')
    half.socket.destroy()
    expect(await addedBy(filename)).toBeUndefined()
  })
})

describe('an archive download that runs across the completion', () => {
  test('ends as it began, to the byte', async () => {
    const big = 9 * 1024 * 1024
    await addFile('a.bin', makeBytes(big))
    const removed = await addFile('b.bin', makeBytes(big))
    await complete()
    const before = await downloadArchive()

    const running = await begin(archivePath())
    const chunks: Buffer[] = []
    const body = running[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    const first = await body.next()
    if (!first.done) chunks.push(first.value)
    reopen()
    await removeFile(removed)
    await addFile('c.bin')
    await complete()
    await purge()
    pass(HOUR_MS - MINUTE_MS)
    await purge()
    await replica.runJob('reconcile-objects')

    expect((await downloadArchive()).etag).not.toBe(before.etag)
    for (let next = await body.next(); !next.done; next = await body.next()) chunks.push(next.value)
    expect(Buffer.concat(chunks).equals(before.bytes)).toBe(true)
    expect(running.headers.etag).toBe(before.etag)
  })
})

describe('purging', () => {
  const setup = async () => {
    const kept = await addFile('kept.bin')
    const removed = await addFile('removed.bin')
    await complete()
    reopen()
    await removeFile(removed)
    return { kept, removed }
  }

  test('takes rows and objects of removed files an hour after the publication', async () => {
    const { kept } = await setup()
    await complete()
    await purge()
    pass(HOUR_MS - 1)
    await purge()
    expect(await files()).toHaveLength(2)
    expect((await objectKeys()).size).toBe(2)
    pass(1)
    await purge()
    expect(await files()).toEqual([{ name: 'kept.bin', added: 1, removed: null }])
    expect((await objectKeys()).size).toBe(1)
    expect(await statusOf(kept)).toBe(200)
    await replica.runJob('reconcile-objects')
    expect((await objectKeys()).size).toBe(1)
  })

  test('takes nothing of an edit that is not published, however long it lasts', async () => {
    const { removed } = await setup()
    const before = await downloadArchive()
    for (let day = 0; day < 30; day += 1) {
      pass(24 * HOUR_MS)
      await purge()
    }
    await replica.runJob('expire-uploads')
    await replica.runJob('reconcile-objects')
    expect(await statusOf(removed)).toBe(200)
    expect(await downloadArchive()).toEqual(before)
  })

  test('takes nothing that a later edit removes, before that one is published', async () => {
    const { kept } = await setup()
    await addFile('another.bin')
    await complete()
    reopen()
    await removeFile(kept)
    await purge()
    pass(HOUR_MS)
    await purge()
    expect(await files()).toEqual([
      { name: 'another.bin', added: 2, removed: null },
      { name: 'kept.bin', added: 1, removed: 3 },
    ])
    expect(await statusOf(kept)).toBe(200)
  })

  test('is finished by the next run after dying between objects and rows', async () => {
    await setup()
    await complete()
    await purge()
    pass(HOUR_MS)
    const dying = await world.startReplica({
      wrapObjects: (objects: ObjectStore) => ({
        ...objects,
        remove: async (keys) => {
          await objects.remove(keys)
          throw new Error('killed')
        },
      }),
    })
    await expect(dying.runJob('purge-removed-files')).rejects.toThrow('killed')
    expect(await files()).toHaveLength(2)
    await expectTotals()
    await purge()
    expect(await files()).toHaveLength(1)
  })

  test('leaves nothing of a share that was deleted first', async () => {
    await setup()
    await complete()
    await purge()
    share.state = 'gone'
    const before = await objectKeys()
    expect(before.size).toBe(2)
    await replica.runJob('delete-share-files', { shareUid: share.uid })
    pass(HOUR_MS)
    await purge()
    expect(await files()).toEqual([])
    const left: string[] = []
    for await (const { key } of world.objects.list()) if (before.has(key)) left.push(key)
    expect(left).toEqual([])
  })
})

const purge = () => replica.runJob('purge-removed-files')

function begin(path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port: replica.port, path, agent: false }, resolve).on('error', reject)
  })
}

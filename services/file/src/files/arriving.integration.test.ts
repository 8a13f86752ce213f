import { fileRoutes, type ReadGrant, uploadRoutes } from '@floe/contracts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createEditedShare, type EditedShare } from '../testing/edited-share.ts'
import {
  append,
  createFileWorld,
  createUpload,
  eventually,
  type FileWorld,
  inspectOffset,
  makeBytes,
  type Replica,
  tus,
} from '../testing/file-world.ts'
import { sendHalf } from '../testing/http-client.ts'
import type { TestShare } from '../testing/test-ports.ts'

let world: FileWorld
let replica: Replica
let arriving: EditedShare
let share: TestShare

beforeAll(async () => {
  world = await createFileWorld()
  replica = await world.startReplica()
})
afterAll(() => world.close())
beforeEach(() => {
  arriving = createEditedShare(world, replica)
  share = arriving.share
  Object.assign(share, { edition: 1, isUploading: true })
})
afterEach(async () => {
  expect(await world.findMiscounts()).toEqual([])
})

const secret = Buffer.from('nobody may read this yet '.repeat(4_000))
const filesPath = () => `/api/shares/${share.id}/files`
const unfinished = () => {
  const grant = { shareUid: share.uid, edition: 1 } as ReadGrant
  return replica.files.listUnfinished({ grant })
}

/** An upload of which the first half is there. */
async function sendFirstHalf(filename = 'film.mov') {
  const headers = { 'Upload-Length': String(secret.length) }
  const path = await createUpload(replica, share, headers, filename)
  const body = secret.subarray(0, secret.length / 2)
  const response = await replica.send('PATCH', path, { headers: append(0), body })
  expect(response.status, response.text).toBe(204)
  const row = await world.database.knex('uploads').where({ share_uid: share.uid, name: filename })
  return { path, fileId: String(row[0]?.file_id) }
}

describe('while the files of a share arrive', () => {
  test('one that is there is downloaded to the byte, and in ranges', async () => {
    await sendFirstHalf()
    const bytes = makeBytes(5_000)
    const path = await arriving.addFile('a.bin', bytes)
    const whole = await arriving.download(path)
    expect(whole).toMatchObject({ status: 200, bytes })
    const range = { Range: 'bytes=100-199', 'If-Range': whole.etag }
    const part = await arriving.download(path, range)
    expect(part).toMatchObject({ status: 206, bytes: bytes.subarray(100, 200) })
  })

  test('no route responds with a byte of one that is not', async () => {
    await arriving.addFile('a.bin')
    const { path, fileId } = await sendFirstHalf()
    const uploadId = path.split('/').at(-1) ?? ''
    const routes = Object.values({ ...fileRoutes, ...uploadRoutes })
    let reads = 0
    for (const { method, path: pattern } of routes) {
      if (method !== 'get' && method !== 'head') continue
      for (const id of [fileId, uploadId]) {
        const filled = pattern
          .replace(':shareId', share.id)
          .replace(':fileId', id)
          .replace(':uploadId', uploadId)
        for (const query of ['', '?download=false', '?folder=film.mov', '?selection=AAAA']) {
          const response = await replica.send(method.toUpperCase(), filled + query, {
            headers: tus,
          })
          reads += 1
          const where = `${method} ${filled}${query}`
          expect(response.text, where).not.toContain('nobody may read')
          if (pattern.includes(':fileId')) expect(response.status, where).toBe(404)
        }
      }
    }
    expect(reads).toBeGreaterThan(30)
    expect(await inspectOffset(replica, path)).toBe(secret.length / 2)
  })

  test.each([
    ['the archive', '/zip', 503, 'archive_not_ready'],
    ['a folder', '/zip?folder=photos', 503, 'archive_not_ready'],
    ['a selection', '/zip?selection=AAAA', 503, 'archive_not_ready'],
  ])('%s waits, and says when to come again', async (_what, path, status, code) => {
    await arriving.addFile('photos/a.bin')
    const get = () => replica.send('GET', filesPath() + path)
    const early = await get()
    expect(early).toMatchObject({ status, code })
    expect(Number(early.headers['retry-after'])).toBeGreaterThan(0)
    await arriving.complete()
    expect((await get()).code).not.toBe(code)
  })

  test('the checksums wait for all files', async () => {
    await arriving.addFile('a.bin')
    const get = () => replica.send('GET', `${filesPath()}/SHA256SUMS`)
    await replica.runJob('hash-share-files', { shareUid: share.uid })
    expect(await get()).toMatchObject({ status: 409, code: 'digests_not_ready' })
    await arriving.complete()
    expect(await get()).toMatchObject({ status: 200, text: expect.stringMatching(/ {2}a\.bin\n$/) })
  })

  test('files are chosen for an archive only once all are there', async () => {
    const path = await arriving.addFile('a.bin')
    const body = Buffer.from(JSON.stringify({ files: [path.split('/').at(-1)] }))
    const headers = { 'Content-Type': 'application/json' }
    const choose = () => replica.send('POST', `${filesPath()}/selection`, { headers, body })
    expect(await choose()).toMatchObject({ status: 503, code: 'archive_not_ready' })
    await arriving.complete()
    expect((await choose()).status).toBe(200)
  })

  test('the archive has every file once the share is complete, and its status says so', async () => {
    const grant = { shareUid: share.uid, edition: 1, archiveLevel: 0 } as ReadGrant
    const isReady = async (isUploading: boolean) =>
      (await replica.files.archiveStatus({ grant: { ...grant, isUploading } })).isReady
    await arriving.addFile('a.bin', makeBytes(100))
    expect(await isReady(true)).toBe(false)
    const { path } = await sendFirstHalf()
    const rest = { headers: append(secret.length / 2), body: secret.subarray(secret.length / 2) }
    expect((await replica.send('PATCH', path, rest)).status).toBe(204)
    await arriving.complete()
    expect(await isReady(false)).toBe(true)
    const { status, bytes } = await arriving.downloadArchive()
    expect([status, bytes.includes(secret)]).toEqual([200, true])
    expect(await arriving.files()).toMatchObject([
      { name: 'a.bin', added: 1 },
      { name: 'film.mov', added: 1 },
    ])
  })

  test('a file that is removed disappears, and stays stored for downloads that run', async () => {
    const [path, other] = [await arriving.addFile('a.bin'), await arriving.addFile('b.bin')]
    const before = await arriving.objectKeys()
    await arriving.removeFile(path)
    expect(await arriving.statusOf(path)).toBe(404)
    expect(await arriving.statusOf(other)).toBe(200)
    expect(await arriving.objectKeys()).toEqual(before)
    expect(await arriving.files()).toMatchObject([{ added: 1, removed: 1 }, { removed: null }])
  })
})

describe('what is on its way', () => {
  test('is told by name, size and what has come, and no longer once it is a file', async () => {
    const { path } = await sendFirstHalf('photos/film.mov')
    world.clock.now = new Date(world.clock.now.getTime() + 1000)
    await createUpload(replica, share, { 'Upload-Length': '7' }, 'later.txt')
    // The pause after a request ends soon.
    await eventually(async () => (await unfinished()).receivedBytes > 0)
    expect(await unfinished()).toEqual({
      fileCount: 2,
      sizeBytes: secret.length + 7,
      receivedBytes: secret.length / 2,
      files: [
        {
          name: 'photos/film.mov',
          sizeBytes: secret.length,
          receivedBytes: secret.length / 2,
        },
        { name: 'later.txt', sizeBytes: 7, receivedBytes: 0 },
      ],
    })
    const rest = { headers: append(secret.length / 2), body: secret.subarray(secret.length / 2) }
    expect((await replica.send('PATCH', path, rest)).status).toBe(204)
    expect(await unfinished()).toMatchObject({ fileCount: 1, files: [{ name: 'later.txt' }] })
  })

  test('is told while a long request is still under way', async () => {
    const headers = { 'Upload-Length': String(secret.length) }
    const path = await createUpload(replica, share, headers, 'film.mov')
    const { socket } = await sendHalf(replica.port, 'PATCH', path, {
      headers: append(0, { 'Content-Length': String(secret.length) }),
      body: secret.subarray(0, 1_000),
    })
    let sentBytes = 1_000
    await eventually(async () => {
      world.clock.now = new Date(world.clock.now.getTime() + 2_000)
      socket.write(secret.subarray(sentBytes, sentBytes + 1))
      sentBytes += 1
      return (await unfinished()).receivedBytes > 0
    })
    expect((await unfinished()).receivedBytes).toBeLessThanOrEqual(sentBytes)
    socket.end()
    await eventually(async () => (await unfinished()).receivedBytes === sentBytes)
  })

  test('takes back what was dropped', async () => {
    const headers = { 'Upload-Length': String(secret.length) }
    const path = await createUpload(replica, share, headers, 'film.mov')
    const wrong = { 'Upload-Checksum': `sha1 ${Buffer.alloc(20).toString('base64')}` }
    const response = await replica.send('PATCH', path, { headers: append(0, wrong), body: secret })
    expect(response.status).toBe(460)
    expect(await unfinished()).toMatchObject({ fileCount: 1, receivedBytes: 0 })
  })
})

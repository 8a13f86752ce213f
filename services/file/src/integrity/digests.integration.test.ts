import { createHash } from 'node:crypto'
import type { ReadGrant } from '@floe/contracts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { SMALL_BODY_BYTES } from '../uploads/domain/upload.ts'
import { createEditedShare, type EditedShare } from '../testing/edited-share.ts'
import {
  createFileWorld,
  creation,
  type FileWorld,
  makeBytes,
  octets,
  type Replica,
} from '../testing/file-world.ts'

let world: FileWorld
let replica: Replica
let edited: EditedShare
let path: string

beforeAll(async () => {
  world = await createFileWorld()
  replica = await world.startReplica()
})
afterAll(() => world.close())
beforeEach(() => {
  edited = createEditedShare(world, replica)
  path = `/api/shares/${edited.share.id}/files/SHA256SUMS`
})

const digestOf = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
const hash = () => replica.runJob('hash-share-files', { shareUid: edited.share.uid })

/** Whole in one request, as the page sends small files. */
async function addWhole(name: string, body: Buffer) {
  const headers = creation(edited.share, { ...octets, 'Upload-Length': String(body.length) }, name)
  expect(await replica.send('POST', '/api/uploads', { headers, body })).toMatchObject({
    status: 201,
  })
}

async function listedDigests(): Promise<(string | null)[]> {
  const { uid: shareUid, id: shareId } = edited.share
  const grant = { shareUid, shareId, edition: 1, hasPassword: false, isOwner: false } as ReadGrant
  const [listed, ofShares] = await Promise.all([
    replica.files.listFiles({ grant }),
    replica.files.listFilesOfShares({ grants: [grant] }),
  ])
  expect(ofShares).toEqual([{ shareUid, files: listed }])
  return listed.map(({ sha256 }) => sha256)
}

test('small files have their digests at once', async () => {
  const [a, b] = [makeBytes(10), makeBytes(0)]
  await addWhole('a.bin', a)
  await addWhole('folder/b.bin', b)
  await edited.complete()
  const response = await replica.send('GET', path)
  expect(response).toMatchObject({
    status: 200,
    text: `${digestOf(a)}  a.bin\n${digestOf(b)}  folder/b.bin\n`,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'attachment; filename="SHA256SUMS"',
      'x-content-type-options': 'nosniff',
    },
  })
  expect(await listedDigests()).toEqual([digestOf(a), digestOf(b)])
})

test('a list that lacks a digest is refused until it is there', async () => {
  // Too big to be digested as it comes in.
  const [a, b] = [makeBytes(10), makeBytes(SMALL_BODY_BYTES + 1)]
  await addWhole('a.bin', a)
  await edited.addFile('b.bin', b)
  await edited.complete()
  expect(await listedDigests()).toEqual([digestOf(a), null])
  for (const method of ['GET', 'HEAD']) {
    expect(await replica.send(method, path)).toMatchObject({
      status: 409,
      code: 'digests_not_ready',
      headers: { 'retry-after': '5' },
    })
  }
  await hash()
  expect(await replica.send('GET', path)).toMatchObject({ status: 200 })
  expect(await listedDigests()).toEqual([digestOf(a), digestOf(b)])
})

test('a list is asked for again only when it is another', async () => {
  const file = await edited.addFile('a.bin')
  await edited.addFile('b.bin')
  await edited.complete()
  await hash()
  const whole = await replica.send('GET', path)
  const etag = String(whole.headers['etag'])
  expect(whole.headers['repr-digest']).toMatch(/^sha-256=:.+:$/)
  const head = await replica.send('HEAD', path)
  expect(head).toMatchObject({
    status: 200,
    text: '',
    headers: { etag, 'content-length': String(whole.text.length) },
  })
  const again = { headers: { 'If-None-Match': etag } }
  expect(await replica.send('GET', path, again)).toMatchObject({ status: 304, text: '' })
  const range = { headers: { Range: 'bytes=64-' } }
  expect(await replica.send('GET', path, range)).toMatchObject({
    status: 206,
    text: whole.text.slice(64),
  })
  edited.reopen()
  await edited.removeFile(file)
  expect(await replica.send('GET', path, again)).toMatchObject({ status: 304 })
  await edited.complete()
  expect(await replica.send('GET', path, again)).toMatchObject({ status: 200 })
})

test('a share without files has no list', async () => {
  expect(await replica.send('GET', path)).toMatchObject({ status: 404, code: 'file_not_found' })
})

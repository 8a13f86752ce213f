import type { ReadGrant } from '@floe/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  creation,
  createFileWorld,
  type FileWorld,
  makeBytes,
  octets,
  type Replica,
} from '../../testing/file-world.ts'
import type { TestShare } from '../../testing/test-ports.ts'

const content = makeBytes(100_000)
const prefix = '/srv/floe/objects/'

describe('where a proxy sends files from disk, a download', () => {
  let world: FileWorld
  let replica: Replica
  let share: TestShare
  beforeAll(async () => {
    world = await createFileWorld({ sendfile: { header: 'X-Sendfile', prefix } })
    replica = await world.startReplica()
  })
  afterAll(() => world.close())
  beforeEach(() => {
    share = world.ports.addShare()
  })

  async function addFile(name: string, body: Buffer): Promise<{ path: string; key: string }> {
    const headers = creation(share, { ...octets, 'Upload-Length': String(body.length) }, name)
    const created = await replica.send('POST', '/api/uploads', { headers, body })
    expect(created.status, created.text).toBe(201)
    const row: unknown = await world.database
      .knex('files')
      .where({ share_uid: share.uid, name })
      .first('id', 'object_key')
    const { id, object_key: key } = row as { id: string; object_key: string }
    return { path: `/api/shares/${share.id}/files/${id}`, key }
  }

  async function countOf(path: string): Promise<number> {
    const grant = { shareUid: share.uid, shareId: share.id, edition: 1 } as ReadGrant
    const since = '2000-01-01T00:00:00.000Z'
    const { files } = await replica.files.countDownloads({ grant, only: null, since })
    return files.find(({ id }) => path.endsWith(id))?.total ?? 0
  }

  const get = (path: string, headers: Record<string, string> = {}) =>
    replica.send('GET', path, { headers })

  test('names the file of the object by its key alone and says all but the bytes', async () => {
    const { path, key } = await addFile('../etc/Übersicht "neu".txt', content)
    const here = await replica.send('HEAD', path)
    const left = await get(path)
    expect(left).toMatchObject({
      status: 200,
      text: '',
      headers: { 'x-sendfile': `${prefix}${key.slice(0, 2)}/${key}`, 'content-length': '0' },
    })
    const framing = ['x-sendfile', 'content-length', 'accept-ranges', 'date']
    const described = Object.entries(here.headers).filter(([name]) => !framing.includes(name))
    expect(described.map(([name]) => name)).toEqual(
      expect.arrayContaining(['content-security-policy', 'etag', 'repr-digest', 'last-modified']),
    )
    expect(left.headers).toMatchObject(Object.fromEntries(described))
    expect(left.headers['accept-ranges']).toBeUndefined()
  })

  test('leaves a range to the proxy, which has the request', async () => {
    const { path } = await addFile('a.bin', content)
    const ranged = await get(path, { Range: 'bytes=5-9' })
    expect(ranged).toMatchObject({ status: 200, text: '' })
    expect(ranged.headers['x-sendfile']).toBeDefined()
    expect(ranged.headers['content-range']).toBeUndefined()
  })

  test('stays here where it is conditional, looked at, empty, refused or made of many', async () => {
    const { path } = await addFile('a.txt', content)
    const empty = await addFile('empty.txt', Buffer.alloc(0))
    const { headers } = await replica.send('HEAD', path)
    expect(headers).toMatchObject({ 'content-length': '100000', 'accept-ranges': 'bytes' })
    expect(headers['x-sendfile']).toBeUndefined()
    const [etag, date] = [String(headers['etag']), String(headers['last-modified'])]
    const here: [number, string, Record<string, string>?][] = [
      [200, `${path}?download=false`],
      [206, path, { Range: 'bytes=5-', 'If-Range': etag }],
      [206, path, { Range: 'bytes=5-', 'If-Range': date }],
      [200, path, { Range: 'bytes=5-', 'If-Range': '"another"' }],
      [304, path, { 'If-None-Match': etag }],
      [200, path, { 'If-None-Match': '"another"' }],
      [304, path, { 'If-Modified-Since': date }],
      [200, path, { 'If-Match': etag }],
      [412, path, { 'If-Match': '"another"' }],
      [200, path, { 'If-Unmodified-Since': date }],
      [416, path, { Range: 'bytes=100000-' }],
      [404, path.replace(/[^/]+$/, '00000000-0000-4000-8000-000000000000')],
      [200, empty.path],
      [200, `/api/shares/${share.id}/files/zip`],
    ]
    for (const [status, target, sent] of here) {
      const response = await get(target, sent)
      expect({ target, sent, status: response.status }).toEqual({ target, sent, status })
      expect(response.headers['x-sendfile']).toBeUndefined()
    }
    share.state = 'gone'
    const gone = await get(path)
    expect(gone).toMatchObject({ status: 404, code: 'share_not_found' })
    expect(gone.headers['x-sendfile']).toBeUndefined()
  })

  test('counts once, also where a client continues it', async () => {
    const { path } = await addFile('a.bin', content)
    for (const Range of ['bytes=0-', 'bytes=40000-', 'bytes=99999-']) {
      expect((await get(path, { Range })).headers['x-sendfile']).toBeDefined()
    }
    expect(await countOf(path)).toBe(1)
  })
})

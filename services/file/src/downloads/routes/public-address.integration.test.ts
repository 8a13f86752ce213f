import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
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

const run = promisify(execFile)
const content = makeBytes(9_000_000)

describe('where people reach the bucket, a download', () => {
  let world: FileWorld
  let replica: Replica
  let share: TestShare
  let directory: string
  beforeAll(async () => {
    world = await createFileWorld({ objectsIn: 'minio', hasPublicAddresses: true })
    replica = await world.startReplica()
    directory = await mkdtemp(join(tmpdir(), 'floe-public-'))
  })
  afterAll(async () => {
    await world.close()
    await rm(directory, { recursive: true, force: true })
  })
  beforeEach(() => {
    share = world.ports.addShare()
  })

  /** Returns its path. */
  async function addFile(name: string, body: Buffer): Promise<string> {
    const headers = creation(share, { ...octets, 'Upload-Length': String(body.length) }, name)
    const created = await replica.send('POST', '/api/uploads', { headers, body })
    expect(created.status, created.text).toBe(201)
    const row: unknown = await world.database
      .knex('files')
      .where({ share_uid: share.uid, name })
      .first('id')
    return `/api/shares/${share.id}/files/${(row as { id: string }).id}`
  }

  async function countOf(path: string): Promise<number> {
    const grant = { shareUid: share.uid, shareId: share.id, edition: 1 } as ReadGrant
    const since = '2000-01-01T00:00:00.000Z'
    const { files } = await replica.files.countDownloads({ grant, only: null, since })
    return files.find(({ id }) => path.endsWith(id))?.total ?? 0
  }

  const get = (path: string, headers: Record<string, string> = {}) =>
    replica.send('GET', path, { headers })

  test('is sent there, and an address that opens it is neither kept nor told on', async () => {
    const path = await addFile('a.bin', content)
    const response = await get(path)
    expect(response).toMatchObject({
      status: 302,
      text: '',
      headers: {
        location: expect.stringMatching(
          /^http:\/\/127\.0\.0\.1:\d+\/floe\/objects\/[0-9a-f]{32}\?/,
        ),
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'content-length': '0',
      },
    })
    const followed = await fetch(String(response.headers['location']))
    expect(Buffer.from(await followed.arrayBuffer()).equals(content)).toBe(true)
    expect(await countOf(path)).toBe(1)
  })

  test.each([
    ['summer.jpg', 'image/jpeg'],
    ['page.html', 'application/octet-stream'],
    ['drawing.svg', 'application/octet-stream'],
    ['Übersicht "neu" 50%+&=;#?.txt', 'text/plain; charset=utf-8'],
    ["日本語 '(1)'.pdf", 'application/pdf'],
  ])('has there the name and type that it has here: %s', async (name, type) => {
    const path = await addFile(name, Buffer.from('some content'))
    const [here, away] = [await replica.send('HEAD', path), await get(path)]
    const there = await fetch(String(away.headers['location']))
    expect(here.headers['content-type']).toBe(type)
    for (const header of ['content-type', 'content-disposition', 'content-length']) {
      expect(there.headers.get(header), header).toBe(here.headers[header])
    }
    expect(there.headers.get('content-disposition')).toMatch(/^attachment; /)
  })

  test('stays here where it is looked at, read by a script, continued by our tag or empty', async () => {
    const path = await addFile('a.txt', content)
    const empty = await addFile('empty.txt', Buffer.alloc(0))
    const { headers } = await replica.send('HEAD', path)
    const etag = String(headers['etag'])
    expect(headers).toMatchObject({ 'content-length': '9000000', 'accept-ranges': 'bytes' })
    const here: [number, string, Record<string, string>?][] = [
      [200, `${path}?download=false`],
      [200, path, { 'Sec-Fetch-Mode': 'cors' }],
      [200, path, { 'Sec-Fetch-Mode': 'same-origin' }],
      [206, path, { Range: 'bytes=5-', 'If-Range': etag }],
      [200, path, { Range: 'bytes=5-', 'If-Range': '"another"' }],
      [304, path, { 'If-None-Match': etag }],
      [412, path, { 'If-Match': '"another"' }],
      [416, path, { Range: 'bytes=9000000-' }],
      [200, empty],
      [200, `/api/shares/${share.id}/files/zip`],
    ]
    for (const [status, target, sent] of here) {
      const response = await get(target, sent)
      expect({ target, sent, status: response.status }).toEqual({ target, sent, status })
      expect(response.headers['location']).toBeUndefined()
    }
    const navigated = await get(path, { 'Sec-Fetch-Mode': 'navigate' })
    expect(navigated.status).toBe(302)
  })

  test('is refused here and never sent away where it would be refused anyway', async () => {
    const path = await addFile('a.bin', content)
    const absent = path.replace(/[^/]+$/, '00000000-0000-4000-8000-000000000000')
    const other = world.ports.addShare()
    const elsewhere = path.replace(share.id, other.id)
    for (const target of [absent, elsewhere]) {
      expect(await get(target)).toMatchObject({ status: 404, code: 'file_not_found' })
    }
    share.state = 'gone'
    const gone = await get(path)
    expect(gone).toMatchObject({ status: 404, code: 'share_not_found' })
    expect(gone.headers['location']).toBeUndefined()
  })

  test('counts once, also where a client continues it', async () => {
    const path = await addFile('a.bin', content)
    for (const Range of ['bytes=0-', 'bytes=4000000-', 'bytes=8999999-']) {
      expect((await get(path, { Range })).status).toBe(302)
    }
    expect(await countOf(path)).toBe(1)
  })

  test('is resumed by curl and wget, which ask here and there', async () => {
    const path = await addFile('a.bin', content)
    const url = `http://127.0.0.1:${replica.port}${path}`
    for (const [program, options] of [
      ['curl', ['-sSL', '-C', '-', '-o']],
      ['wget', ['-q', '-c', '-O']],
    ] as const) {
      const target = join(directory, `${program}.bin`)
      await writeFile(target, content.subarray(0, 5_000_001))
      await run(program, [...options, target, url])
      expect((await readFile(target)).equals(content), program).toBe(true)
    }
    expect(await countOf(path)).toBe(0)
  })
})

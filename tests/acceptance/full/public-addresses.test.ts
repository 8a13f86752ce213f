import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { shareActivitySchema } from '@floe/contracts'
import {
  hostileNames,
  reserveMinioServer,
  type RunningFloe,
  type S3Server,
  startFloe,
} from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { signUp } from '../world/accounts.ts'
import { ownArrangements } from '../world/arrangements.ts'
import { type Client, createClient } from '../world/http-client.ts'
import { addFile, completeShare, createShare, openShare, publishShare } from '../world/shares.ts'

const run = promisify(execFile)
const content = randomBytes(9_000_001)

// With settings and a storage that no other test has: a Floe of its own.
describe.each(ownArrangements)('downloads from a bucket that people reach, %s', (arrangement) => {
  let minio: S3Server
  let floe: RunningFloe
  let owner: Client
  let directory: string
  let output = ''
  const addresses: string[] = []

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'floe-addresses-'))
    minio = await reserveMinioServer()
    await minio.start()
    floe = await startFloe({
      arrangement,
      environment: {
        S3_ENDPOINT: minio.endpoint,
        // Another host to clients: cookies do not go there.
        S3_PUBLIC_ENDPOINT: minio.endpoint.replace('127.0.0.1', 'localhost'),
        S3_ACCESS_KEY: minio.accessKey,
        S3_SECRET_KEY: minio.secretKey,
        S3_BUCKET: 'floe',
        LOG_LEVEL: 'trace',
        FLOE_SPLIT_LOGS: 'yes',
      },
      onOutput: (chunk) => {
        output += chunk.toString()
      },
    })
    owner = await signUp(floe)
  })
  afterAll(async () => {
    await floe?.stop()
    await minio?.remove()
    await rm(directory, { recursive: true, force: true })
  })

  async function enter(shareId: string, password?: string): Promise<Client> {
    const visitor = createClient(floe.url)
    expect((await openShare(visitor, shareId, password)).status).toBe(200)
    return visitor
  }

  async function addressOf(client: Client, path: string): Promise<string> {
    const response = await client.send('GET', path)
    expect(response.status, response.text).toBe(302)
    const address = response.headers.location ?? ''
    addresses.push(address)
    return address
  }

  test('give exactly the bytes, without a word about it to anybody', async () => {
    const { id, fileIds } = await publishShare(owner, { 'data.bin': content })
    const path = `/api/shares/${id}/files/${fileIds[0]}`
    const visitor = await enter(id)
    const response = await visitor.send('GET', path)
    expect(response.headers).toMatchObject({
      location: expect.stringMatching(/^http:\/\/localhost:\d+\/floe\/objects\//),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    const there = await fetch(await addressOf(visitor, path))
    expect(there.headers.get('content-disposition')).toBe('attachment; filename="data.bin"')
    expect(Buffer.from(await there.arrayBuffer()).equals(content)).toBe(true)
    const shown = await visitor.send('GET', `${path}?download=false`)
    expect(shown.status).toBe(200)
    const head = await visitor.send('HEAD', path)
    expect(head.headers['content-length']).toBe(String(content.length))
  })

  test('are resumed by curl', async () => {
    const { id, fileIds } = await publishShare(owner, { 'data.bin': content })
    const visitor = await enter(id)
    const jar = join(directory, 'cookies')
    const path = `/api/shares/${id}/files/${fileIds[0]}`
    const cookies = visitor.cookies.header(path).split('; ')
    const lines = cookies.map((pair) =>
      ['127.0.0.1', 'FALSE', '/', 'FALSE', '0', ...pair.split('=', 2)].join('\t'),
    )
    await writeFile(jar, `# Netscape HTTP Cookie File\n${lines.join('\n')}\n`)
    const target = join(directory, 'resumed.bin')
    await writeFile(target, content.subarray(0, 4_000_000))
    await run('curl', ['-sSfL', '-C', '-', '-b', jar, '-o', target, floe.url + path])
    expect((await readFile(target)).equals(content)).toBe(true)
  })

  test('are called there as they are here, whatever their names', async () => {
    const shareId = await createShare(owner)
    const ids: string[] = []
    const someNames = hostileNames().filter((_, index) => index % 5 === 0)
    for (const { name } of someNames) {
      const query = new URLSearchParams({ name, chunkIndex: '0', totalChunks: '1' })
      const response = await owner.send(
        'POST',
        `/api/shares/${shareId}/files?${query.toString()}`,
        {
          bytes: name,
          headers: { 'Content-Type': 'application/octet-stream' },
        },
      )
      if (response.status === 201) ids.push((response.body as { id: string }).id)
    }
    expect(ids.length).toBeGreaterThan(30)
    await completeShare(owner, shareId)
    const visitor = await enter(shareId)
    for (const id of ids) {
      const path = `/api/shares/${shareId}/files/${id}`
      const here = await visitor.send('HEAD', path)
      const there = await fetch(await addressOf(visitor, path))
      for (const name of ['content-disposition', 'content-type', 'content-length']) {
        expect(there.headers.get(name), name).toBe(here.headers[name])
      }
      await there.arrayBuffer()
    }
  })

  test('count once each, and not where they are continued', async () => {
    const { id, fileIds } = await publishShare(owner, { 'a.bin': content, 'b.bin': content })
    const visitor = await enter(id)
    const [a, b] = fileIds.map((fileId) => `/api/shares/${id}/files/${fileId}`)
    for (const path of [a, a, b]) await addressOf(visitor, path ?? '')
    for (const Range of ['bytes=1-', 'bytes=5000000-']) {
      expect((await visitor.send('GET', a ?? '', { headers: { Range } })).status).toBe(302)
    }
    await visitor.send('HEAD', a ?? '')
    // Each replica writes what it counted within a second.
    await vi.waitFor(async () => {
      const receipts = await owner.send('GET', `/api/shares/${id}/receipts`)
      const activity = shareActivitySchema.parse(receipts.body)
      expect(activity.files.map(({ total }) => total)).toEqual([2, 1])
      expect(activity.downloads.total).toBe(3)
    })
  })

  test('are refused without an address wherever they are refused', async () => {
    const password = 'a password of this share'
    const locked = await publishShare(owner, { 'a.txt': 'locked' }, { security: { password } })
    const other = await publishShare(owner, { 'b.txt': 'other' })
    const ended = await publishShare(owner, { 'c.txt': 'ended' })
    const deleted = await publishShare(owner, { 'd.txt': 'deleted' })
    const open = await createShare(owner)
    const unpublished = await addFile(owner, open, 'e.txt', 'not yet')
    const fileOf = (share: { id: string; fileIds: string[] }) =>
      `/api/shares/${share.id}/files/${share.fileIds[0]}`

    const stranger = createClient(floe.url)
    const wrong = createClient(floe.url)
    expect((await openShare(wrong, locked.id, 'another')).status).toBe(403)
    const visitor = await enter(ended.id)
    await addressOf(visitor, fileOf(ended))
    const soon = new Date(Date.now() + 1_000).toISOString()
    await owner.send('PATCH', `/api/shares/${ended.id}`, { json: { expiration: soon } })
    const former = await enter(deleted.id)
    await addressOf(former, fileOf(deleted))
    expect((await owner.send('DELETE', `/api/shares/${deleted.id}`)).status).toBeLessThan(300)

    const refused: [Client, string, number][] = [
      [stranger, fileOf(locked), 403],
      [wrong, fileOf(locked), 403],
      [await enter(other.id), `/api/shares/${other.id}/files/${locked.fileIds[0]}`, 404],
      [stranger, `/api/shares/${open}/files/${unpublished}`, 404],
      [former, fileOf(deleted), 404],
    ]
    for (const [client, path, status] of refused) {
      const response = await client.send('GET', path)
      expect([path, response.status]).toEqual([path, status])
      expect(response.headers.location).toBeUndefined()
    }
    const seeTheEnd = async () => {
      const response = await visitor.send('GET', fileOf(ended))
      expect([response.status, response.headers.location]).toEqual([404, undefined])
    }
    await vi.waitFor(seeTheEnd, { timeout: 10_000 })
    await addressOf(await enter(locked.id, password), fileOf(locked))
  })

  test('have addresses that no log shows', () => {
    expect(addresses.length).toBeGreaterThan(30)
    expect(output).toContain('/api/shares/:shareId/files/:fileId')
    for (const address of addresses) {
      const signature = new URL(address).searchParams.get('X-Amz-Signature') ?? ''
      expect(signature).toMatch(/^[0-9a-f]{64}$/)
      expect(output.includes(signature)).toBe(false)
    }
  })
})

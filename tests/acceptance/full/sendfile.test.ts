import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { shareActivitySchema } from '@floe/contracts'
import { type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { signUp } from '../world/accounts.ts'
import { ownArrangements } from '../world/arrangements.ts'
import { type Client, createClient } from '../world/http-client.ts'
import { type ReverseProxy, startReverseProxy } from '../world/reverse-proxy.ts'
import { openShare, publishShare } from '../world/shares.ts'

const content = randomBytes(9_000_001)
/** Of Floe's own response, as `HEAD` shows it. */
const keptHeaders = [
  ...['content-type', 'content-disposition', 'content-length', 'accept-ranges', 'cache-control'],
  ...['etag', 'last-modified', 'repr-digest', 'content-security-policy', 'referrer-policy'],
  ...['x-content-type-options', 'x-frame-options', 'strict-transport-security'],
  ...['cross-origin-resource-policy', 'cross-origin-opener-policy'],
]
const ways = ownArrangements.flatMap((arrangement) =>
  (['nginx', 'caddy'] as const).map((name) => ({ arrangement, name })),
)

// With settings that no other test has: a Floe of its own.
describe.each(ways)('$name that sends files itself, $arrangement', ({ arrangement, name }) => {
  let floe: RunningFloe
  let relay: Relay
  let proxy: ReverseProxy
  let owner: Client

  beforeAll(async () => {
    floe = await startFloe({
      arrangement,
      environment: { SENDFILE_HEADER: 'X-Accel-Redirect', TRUSTED_PROXIES: '127.0.0.1' },
    })
    relay = await startRelay(Number(new URL(floe.url).port))
    const objectsDirectory = join(floe.dataDirectory, 'objects')
    proxy = await startReverseProxy(name, `http://127.0.0.1:${relay.port}`, { objectsDirectory })
    owner = await signUp(floe)
  })
  afterAll(async () => {
    await proxy?.stop()
    relay?.stop()
    await floe?.stop()
  })

  /** A visitor of a new share of one file. */
  async function visit(files: Record<string, Buffer> = { 'Größe 1.txt': content }) {
    const { id, fileIds } = await publishShare(owner, files)
    const visitor = createClient(floe.url)
    expect((await openShare(visitor, id)).status).toBe(200)
    const path = `/api/shares/${id}/files/${fileIds[0]}`
    const Cookie = visitor.cookies.header(path)
    return {
      id,
      path,
      visitor,
      get: (headers: Record<string, string> = {}, suffix = '') =>
        proxy.get(path + suffix, { headers: { Cookie, ...headers } }),
      head: async () => {
        const asked = proxy.open(path, { method: 'HEAD', headers: { Cookie } })
        asked.end()
        const [response] = (await once(asked, 'response')) as [IncomingMessage]
        response.resume()
        return response
      },
    }
  }

  test('gives exactly the bytes, which Floe does not send, under the headers of Floe', async () => {
    const { get, head } = await visit()
    // A job computes the digest.
    const seeDigest = async () => {
      const response = await head()
      expect(response.headers['repr-digest']).toMatch(/^sha-256=:/)
      return response
    }
    const described = await vi.waitFor(seeDigest, { timeout: 10_000 })
    expect(described.statusCode).toBe(200)
    const before = relay.receivedBytes()
    const { head: whole, bytes } = await get()
    expect(whole.statusCode).toBe(200)
    expect(bytes.equals(content)).toBe(true)
    expect(relay.receivedBytes() - before).toBeLessThan(4_000)
    for (const header of keptHeaders) {
      expect(described.headers[header], header).toBeDefined()
      expect(whole.headers[header], header).toEqual(described.headers[header])
    }
    expect(whole.headers).toMatchObject({
      'content-length': String(content.length),
      'content-type': 'text/plain; charset=utf-8',
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      'x-request-id': expect.stringMatching(/./),
    })
    expect(whole.headers['x-accel-redirect']).toBeUndefined()
  })

  test('sends ranges, and resumes by the tag and the date that it gave', async () => {
    const { get } = await visit()
    const { head: whole } = await get({ Range: 'bytes=0-' })
    expect(whole.statusCode).toBe(206)
    const before = relay.receivedBytes()
    const ranges = [
      ['bytes=0-0', 0, 1],
      ['bytes=4000000-', 4_000_000, content.length],
      ['bytes=5-1000004', 5, 1_000_005],
      ['bytes=-7', content.length - 7, content.length],
    ] as const
    for (const [Range, start, end] of ranges) {
      const { head, bytes } = await get({ Range })
      expect(head.statusCode, Range).toBe(206)
      expect(head.headers['content-range']).toBe(`bytes ${start}-${end - 1}/${content.length}`)
      expect(head.headers.etag).toBe(whole.headers.etag)
      expect(bytes.equals(content.subarray(start, end)), Range).toBe(true)
    }
    expect(relay.receivedBytes() - before).toBeLessThan(16_000)
    const resumed = { Range: 'bytes=8000000-' }
    for (const condition of [whole.headers.etag, whole.headers['last-modified']]) {
      const { head, bytes } = await get({ ...resumed, 'If-Range': String(condition) })
      expect(head.statusCode, condition).toBe(206)
      expect(bytes.equals(content.subarray(8_000_000)), condition).toBe(true)
    }
    const other = await get({ ...resumed, 'If-Range': '"another"' })
    expect(other.head.statusCode).toBe(200)
    expect(other.bytes.equals(content)).toBe(true)
    expect((await get({ Range: 'bytes=9000001-' })).head.statusCode).toBe(416)
  })

  test('leaves conditions and what is looked at to Floe', async () => {
    const { get } = await visit()
    const { head } = await get()
    const etag = String(head.headers.etag)
    expect((await get({ 'If-None-Match': etag })).head.statusCode).toBe(304)
    expect((await get({ 'If-Match': '"another"' })).head.statusCode).toBe(412)
    for (const [condition, suffix] of [
      [{ 'If-Match': etag }, ''],
      [{ 'If-Unmodified-Since': String(head.headers['last-modified']) }, ''],
      [{}, '?download=false'],
    ] as const) {
      const { head: shown, bytes } = await get(condition, suffix)
      expect(shown.statusCode).toBe(200)
      expect(bytes.equals(content)).toBe(true)
    }
  })

  test('counts downloads as ever', async () => {
    const { id, get, head } = await visit()
    for (const headers of [{}, {}, { Range: 'bytes=100-' }]) await get(headers)
    await head()
    const seeCount = async () => {
      const receipts = await owner.send('GET', `/api/shares/${id}/receipts`)
      expect(shareActivitySchema.parse(receipts.body).downloads.total).toBe(2)
    }
    await vi.waitFor(seeCount, { timeout: 10_000 })
  })

  test('gives a file of a share with a password to nobody without it', async () => {
    const password = 'a password of this share'
    const locked = await publishShare(owner, { 'a.bin': content }, { security: { password } })
    const path = `/api/shares/${locked.id}/files/${locked.fileIds[0]}`
    const refused = await proxy.get(path, {})
    expect(refused.head.statusCode).toBe(403)
    expect(refused.bytes.length).toBeLessThan(1_000)
    const visitor = createClient(floe.url)
    expect((await openShare(visitor, locked.id, password)).status).toBe(200)
    const headers = { Cookie: visitor.cookies.header(path) }
    expect((await proxy.get(path, { headers })).bytes.equals(content)).toBe(true)
  })

  test('gives no object to those who ask for it by its name', async () => {
    const { path, visitor } = await visit({ 'a.bin': randomBytes(2_000) })
    const direct = await visitor.send('GET', path)
    const internal = String(direct.headers['x-accel-redirect'])
    expect(internal).toMatch(/^\/floe-objects\/[0-9a-f]{2}\/[0-9a-f]{32}$/)
    expect(direct.bytes.length).toBe(0)
    const objects = await readdir(join(floe.dataDirectory, 'objects'), { recursive: true })
    expect(objects).toContain(internal.slice('/floe-objects/'.length))
    for (const address of [internal, internal.replace('/', '/./'), `/x/..${internal}`]) {
      const { head } = await proxy.get(address, { headers: { 'X-Accel-Redirect': internal } })
      expect(head.statusCode, address).toBe(404)
    }
  })

  test('says that a file is not there where its object is gone', async () => {
    const { path, visitor, get } = await visit({ 'a.bin': content })
    const direct = await visitor.send('GET', path)
    const file = String(direct.headers['x-accel-redirect']).replace('/floe-objects/', '')
    await rm(join(floe.dataDirectory, 'objects', file))
    const { head } = await get()
    expect(head.statusCode).toBe(404)
    expect(head.headers['x-accel-redirect']).toBeUndefined()
  })
})

interface Relay {
  port: number
  /** What Floe has sent through it. */
  receivedBytes(): number
  stop(): void
}

/** Stands between the proxy and Floe, and counts. */
async function startRelay(floePort: number): Promise<Relay> {
  let received = 0
  const server: Server = createServer((client) => {
    const upstream = connect(floePort, '127.0.0.1')
    upstream.on('data', (chunk: Buffer) => (received += chunk.length))
    for (const socket of [client, upstream]) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    receivedBytes: () => received,
    stop: () => server.close(),
  }
}

import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { StorageStatus, UserView } from '@floe/contracts'
import { type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newAccount, signUp } from './world/accounts.ts'
import { ownArrangements } from './world/arrangements.ts'
import { type HttpResponse, type Client, createClient } from './world/http-client.ts'
import { createReverseShare, openSender } from './world/reverse-shares.ts'
import { codeOf, completeShare, createShare, sendChunk } from './world/shares.ts'
import { append, createUpload } from './world/tus.ts'
import { verify } from './world/verify.ts'

const CHUNK = 100_000
const SIZE = 250_000
/** Nearly another file, but not quite. */
const ROOM = 7 * SIZE + SIZE - 1

// Limits of the instance count whatever anybody stores: a Floe of its own.
describe.each(ownArrangements)('storage limits, %s', (arrangement) => {
  let floe: RunningFloe
  let admin: Client
  let owner: Client
  let ownerId: string
  let shareId: string

  beforeAll(async () => {
    floe = await startFloe({ arrangement })
    admin = await signUp(floe)
    await set('share.chunkSize', CHUNK)
    await set('share.allowUnauthenticatedShares', true)
  })
  afterAll(() => floe?.stop())
  beforeEach(async () => {
    owner = await signUp(floe, newAccount())
    ownerId = ((await owner.send('GET', '/api/users/me')).body as UserView).id
    shareId = await createShare(owner)
  })

  async function set(key: string, value: unknown): Promise<void> {
    const response = await admin.send('PATCH', '/api/configs/admin', { json: [{ key, value }] })
    expect(response.status, response.text).toBe(200)
  }

  const limitUser = async (storageLimit: number | null) => {
    const response = await admin.send('PATCH', `/api/users/${ownerId}`, { json: { storageLimit } })
    expect(response.body).toMatchObject({ storageLimit })
  }

  const statusOf = async (client: Client) =>
    (await client.send('GET', '/api/users/me/storage')).body as StorageStatus

  async function objects(): Promise<{ count: number; bytes: number }> {
    const root = join(floe.dataDirectory, 'objects')
    const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
    const found = await Promise.all(
      entries
        .filter((entry) => entry.isFile())
        .map((entry) => stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))),
    )
    return { count: found.length, bytes: found.reduce((sum, { size }) => sum + size, 0) }
  }

  const inOneRequest = (to: string, client = owner) =>
    createUpload(client, {
      shareId: to,
      filename: 'one.bin',
      lengthBytes: SIZE,
      bytes: randomBytes(SIZE),
    })

  async function inSeveralRequests(to: string): Promise<HttpResponse> {
    const created = await createUpload(owner, {
      shareId: to,
      filename: 'two.bin',
      lengthBytes: SIZE,
    })
    if (created.status !== 201) return created
    const path = created.headers.location ?? ''
    await append(owner, path, 0, randomBytes(CHUNK))
    return append(owner, path, CHUNK, randomBytes(SIZE - CHUNK))
  }

  async function inChunks(to: string): Promise<HttpResponse> {
    const id = randomUUID()
    for (let index = 0; ; index += 1) {
      const bytes = randomBytes(Math.min(CHUNK, SIZE - index * CHUNK))
      const response = await sendChunk(owner, to, { name: 'c.bin', id, index, total: 3 }, bytes)
      if (response.status !== 201 || index === 2) return response
    }
  }

  const ways: [string, (to: string) => Promise<HttpResponse>][] = [
    ['tus in one request', (to) => inOneRequest(to)],
    ['tus in several requests', inSeveralRequests],
    ['the chunk protocol', inChunks],
  ]
  const limits = ['of the account', 'of the instance'] as const
  const cases = limits.flatMap((limit) => ways.map(([way, send]) => ({ limit, way, send })))

  test.each(cases)(
    'the limit $limit lets exactly 7 of 20 parallel files in by $way, and nothing else stays',
    async ({ limit, send }) => {
      const before = await objects()
      if (limit === 'of the account') await limitUser(ROOM)
      else await set('share.totalStorageLimit', before.bytes + ROOM)
      let mostBytes = 0
      let isOver = false
      const sample = async () => {
        while (!isOver) mostBytes = Math.max(mostBytes, (await objects()).bytes)
      }
      const sampling = sample()
      const responses = await Promise.all(Array.from({ length: 20 }, () => send(shareId)))
      isOver = true
      await sampling

      const refused = responses.filter(({ status }) => status >= 400)
      const code = limit === 'of the account' ? 'quota_exceeded' : 'instance_quota_exceeded'
      expect(refused.map((response) => [response.status, codeOf(response)])).toEqual(
        Array.from({ length: 13 }, () => [413, code]),
      )
      expect(mostBytes - before.bytes).toBeLessThanOrEqual(ROOM)
      expect(mostBytes).toBeGreaterThan(before.bytes)
      expect(await objects()).toEqual({
        count: before.count + 7,
        bytes: before.bytes + 7 * SIZE,
      })
      expect((await owner.send('GET', '/api/uploads')).body).toEqual([])
      expect(await statusOf(owner)).toMatchObject({ usedBytes: 7 * SIZE, leftBytes: SIZE - 1 })
      await set('share.totalStorageLimit', 0)
    },
    60_000,
  )

  test('an administrator sees what users store, and nobody else does', async () => {
    await inOneRequest(shareId)
    const path = `/api/users/storage?ids=${ownerId}`
    expect((await admin.send('GET', path)).body).toEqual([{ userId: ownerId, usedBytes: SIZE }])
    expect((await owner.send('GET', path)).status).toBe(403)
    const listed = (await admin.send('GET', '/api/users')).body as UserView[]
    expect(listed.find(({ id }) => id === ownerId)).toMatchObject({ storageLimit: null })
    expect((await owner.send('GET', '/api/users/me')).body).not.toHaveProperty('storageLimit')
  })

  test.each([-1, 1.5, '10', 2 ** 60])('refuses %s for a limit', async (storageLimit) => {
    const response = await admin.send('PATCH', `/api/users/${ownerId}`, { json: { storageLimit } })
    expect([response.status, codeOf(response)]).toEqual([400, 'validation_failed'])
  })

  test('one share of an account holds what its own limit says, whatever that of all is', async () => {
    await set('share.maxSize', 2 * SIZE)
    const limit = async (shareSizeLimit: number | null) => {
      const json = { shareSizeLimit }
      const response = await admin.send('PATCH', `/api/users/${ownerId}`, { json })
      expect(response.body).toMatchObject({ shareSizeLimit })
      expect((await owner.send('GET', '/api/users/me')).body).toMatchObject({ shareSizeLimit })
    }
    const fill = async () => codeOf(await inOneRequest(shareId)) ?? 'stored'
    await limit(SIZE)
    expect(await fill()).toBe('stored')
    // What was known of the limit a second ago may still hold.
    await expect.poll(fill, { timeout: 5_000 }).toBe('share_too_large')
    await limit(3 * SIZE)
    await expect.poll(fill, { timeout: 5_000 }).toBe('stored')
    await limit(null)
    await expect.poll(fill, { timeout: 5_000 }).toBe('share_too_large')
    await set('share.maxSize', '')
    for (const shareSizeLimit of [-1, 1.5, '10']) {
      const json = { shareSizeLimit }
      const response = await admin.send('PATCH', `/api/users/${ownerId}`, { json })
      expect(codeOf(response)).toBe('validation_failed')
    }
  })

  test('what is sent through a reverse share counts for its receiver', async () => {
    const token = await createReverseShare(owner)
    const sender = openSender(owner, token)
    const sent = await createShare(sender)
    expect((await inOneRequest(sent, sender)).status).toBe(201)
    expect(await statusOf(owner)).toMatchObject({ usedBytes: SIZE })
    await limitUser(SIZE)
    // What was known of the limit a second ago may still hold.
    await expect
      .poll(async () => codeOf(await inOneRequest(sent, sender)), { timeout: 5_000 })
      .toBe('quota_exceeded')
  })

  test('room comes back with a share that is deleted', async () => {
    await inOneRequest(shareId)
    await completeShare(owner, shareId)
    await limitUser(SIZE)
    expect((await owner.send('DELETE', `/api/shares/${shareId}`)).status).toBe(200)
    await expect
      .poll(() => statusOf(owner), { timeout: 10_000 })
      .toMatchObject({
        usedBytes: 0,
        leftBytes: SIZE,
      })
  })

  test('a raised limit lets in what it refused', async () => {
    await limitUser(SIZE - 1)
    expect(codeOf(await inOneRequest(shareId))).toBe('quota_exceeded')
    await limitUser(SIZE)
    // What was known of the limit a second ago may still hold.
    await expect
      .poll(async () => (await inOneRequest(shareId)).status, { timeout: 5_000 })
      .toBe(201)
  })

  test('a share without an account counts for the instance alone', async () => {
    const visitor = createClient(floe.url)
    await set('share.userStorageLimit', 1)
    const anonymous = await createShare(visitor)
    expect((await inOneRequest(anonymous, visitor)).status).toBe(201)
    await set('share.userStorageLimit', 0)
  })

  test('every counter adds up in the end', async () => {
    const { code, lines, errors } = await verify(floe.dataDirectory)
    expect({ code, errors, lines }).toMatchObject({ code: 0, errors: '' })
  })
})

import { type PingvinData, type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signIn } from '../world/accounts.ts'
import { createClient } from '../world/http-client.ts'
import { ALICE, dataOf, files, MADE, NEVER, SESSION } from '../world/pingvin-data.ts'
import { importPingvin, usePingvin } from '../world/pingvin.ts'
import { openSender } from '../world/reverse-shares.ts'
import { keysOf, openShare, sendChunk } from '../world/shares.ts'

const CHUNK_BYTES = 100_000
const OPEN_FILE = 'd7f1a0c2-1111-4222-8333-000000000001'

/** With a share that anybody may open. */
function withOpenShare(data: PingvinData): PingvinData {
  const share = { id: 'open-one', createdAt: MADE, expiration: NEVER, uploadLocked: 1 }
  const chunkSize = { category: 'share', name: 'chunkSize', type: 'number', order: 9 }
  const { rows } = data
  return {
    ...data,
    rows: {
      ...rows,
      Share: [...(rows.Share ?? []), { ...share, creatorId: ALICE, views: 3 }],
      File: [
        ...(rows.File ?? []),
        { id: OPEN_FILE, createdAt: MADE, name: 'open.txt', size: '4', shareId: 'open-one' },
      ],
      Config: [...(rows.Config ?? []), { ...chunkSize, value: String(CHUNK_BYTES) }],
    },
    files: { ...data.files, [`open-one/${OPEN_FILE}`]: 'open' },
  }
}

describe.each(['A', 'B'] as const)('a client of version %s, against what it knew', (version) => {
  let floe: RunningFloe
  const write = usePingvin()
  beforeAll(async () => {
    floe = await startFloe({ arrangement: 'embedded' })
    const source = await write(withOpenShare(dataOf(version)))
    expect((await importPingvin(floe, source)).code).toBe(1)
  })
  afterAll(() => floe?.stop())

  const open = (path: string) =>
    createClient(floe.url).send('GET', path, { headers: { Accept: 'text/html' } })

  test('finds pages at its old addresses', async () => {
    expect(await open('/s/Holiday_2024')).toMatchObject({
      status: 307,
      headers: { location: '/share/Holiday_2024' },
    })
    for (const path of [
      '/share/Holiday_2024',
      '/share/open-one',
      '/upload/send-to-bob',
      `/auth/resetPassword/${SESSION}`,
    ]) {
      const page = await open(path)
      expect(page.status, path).toBe(200)
      expect(page.headers['content-type']).toMatch(/^text\/html/)
    }
  })

  test('reads a file at its direct link without having opened the share, which counts', async () => {
    const path = `/api/shares/open-one/files/${OPEN_FILE}`
    expect(await createClient(floe.url).send('GET', path)).toMatchObject({
      status: 200,
      text: 'open',
    })
    const alice = await signIn(floe.url, { email: 'alice@example.org', password: 'old password 1' })
    const { body } = await alice.send('GET', '/api/shares/open-one/from-owner')
    expect(body).toMatchObject({ views: 4 })
    const locked = `/api/shares/Holiday_2024/files/${files[0]?.id}`
    expect((await createClient(floe.url).send('GET', locked)).status).toBe(403)
  })

  test('goes on with the cookies of its browser, and lists its shares', async () => {
    const browser = createClient(floe.url)
    browser.cookies.set('refresh_token', SESSION, '/api/auth/token')
    expect(keysOf((await browser.send('POST', '/api/auth/token')).body)).toEqual(['accessToken'])
    const { body } = await browser.send('GET', '/api/shares')
    expect((body as { id: string }[]).map(({ id }) => id)).toEqual(
      expect.arrayContaining(['Holiday_2024', 'open-one']),
    )
  })

  test('opens a share with its password, and reads its files and the archive', async () => {
    const visitor = createClient(floe.url)
    const token = await openShare(visitor, 'Holiday_2024', 'share password')
    expect(keysOf(token.body)).toEqual(['token'])
    expect(visitor.cookies.names()).toContain('share_Holiday_2024_token')
    const { body } = await visitor.send('GET', '/api/shares/Holiday_2024/metaData')
    expect(body).toMatchObject({ id: 'Holiday_2024', isZipReady: true })
    const archive = await visitor.send('GET', '/api/shares/Holiday_2024/files/zip')
    expect(archive.headers['content-type']).toBe('application/zip')
  })

  test('adds files in chunks to a share that it opens again', async () => {
    const alice = await signIn(floe.url, { email: 'alice@example.org', password: 'old password 1' })
    const { body: settings } = await alice.send('GET', '/api/configs')
    expect(settings).toContainEqual(
      expect.objectContaining({ key: 'share.chunkSize', value: String(CHUNK_BYTES) }),
    )
    const reopened = await alice.send('DELETE', '/api/shares/open-one/complete')
    expect(reopened.status, reopened.text).toBe(200)
    const [first, last] = [Buffer.alloc(CHUNK_BYTES, 1), Buffer.from('the end')]
    const chunk = { name: 'chunked.bin', total: 2 }
    const begun = await sendChunk(alice, 'open-one', chunk, first)
    const { id } = begun.body as { id: string }
    const wrong = await sendChunk(alice, 'open-one', { ...chunk, id, index: 0 }, first)
    expect(wrong.body).toMatchObject({ error: 'unexpected_chunk_index', expectedChunkIndex: 1 })
    const ended = await sendChunk(alice, 'open-one', { ...chunk, id, index: 1 }, last)
    expect(ended.status, ended.text).toBe(201)
    expect((await alice.send('POST', '/api/shares/open-one/complete')).status).toBe(202)
    const visitor = createClient(floe.url)
    await openShare(visitor, 'open-one')
    const file = await visitor.send('GET', `/api/shares/open-one/files/${id}`)
    expect(file.bytes.equals(Buffer.concat([first, last]))).toBe(true)
    const old = await visitor.send('GET', `/api/shares/open-one/files/${OPEN_FILE}`)
    expect(old.text).toBe('open')
  })

  test('sends files through its reverse share', async () => {
    const sender = openSender(floe, 'send-to-bob')
    const { body } = await sender.send('GET', '/api/reverseShares/send-to-bob')
    expect(body).toMatchObject({ token: 'send-to-bob', maxShareSize: '1000000000' })
    const created = await sender.send('POST', '/api/shares', {
      json: { id: 'through-it', expiration: '1-day', recipients: [], security: {} },
    })
    expect(created.status, created.text).toBe(201)
    expect((await sendChunk(sender, 'through-it', { name: 'new.txt' }, 'new')).status).toBe(201)
    expect((await sender.send('POST', '/api/shares/through-it/complete')).status).toBe(202)
  })
})

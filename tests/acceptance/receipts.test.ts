import { shareActivitySchema, type ShareActivity } from '@floe/contracts'
import { beforeAll, expect, test, vi } from 'vitest'
import { signUp } from './world/accounts.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { openShare, publishShare, type PublishedShare } from './world/shares.ts'

onOneArrangement('embedded', 'the activity of a share', (floe) => {
  let owner: Client
  beforeAll(async () => {
    owner = await signUp(floe)
  })

  async function read(shareId: string, query = ''): Promise<ShareActivity> {
    const response = await owner.send('GET', `/api/shares/${shareId}/receipts${query}`)
    expect(response.status, response.text).toBe(200)
    return shareActivitySchema.parse(response.body)
  }

  /** Each process gathers downloads for a second; the one that is asked writes its own at once. */
  async function readAll(shareId: string, downloads: number): Promise<ShareActivity> {
    return vi.waitFor(async () => {
      const activity = await read(shareId)
      expect(activity.downloads.total).toBe(downloads)
      return activity
    }, 10_000)
  }

  async function enter({ id }: PublishedShare): Promise<Client> {
    const visitor = createClient(floe.url)
    expect((await openShare(visitor, id)).status).toBe(200)
    return visitor
  }

  const pathOf = ({ id, fileIds }: PublishedShare, index: number) =>
    `/api/shares/${id}/files/${fileIds[index]}`

  test('tells one view and exactly what was downloaded', async () => {
    const share = await publishShare(owner, { 'a.txt': 'aaaa', 'b.txt': 'bbbb', 'c.txt': 'cccc' })
    const before = Date.now()
    const visitor = await enter(share)
    for (const path of [pathOf(share, 0), pathOf(share, 0), `/api/shares/${share.id}/files/zip`]) {
      expect((await visitor.send('GET', path)).status).toBe(200)
    }
    const activity = await readAll(share.id, 3)
    expect(activity).toMatchObject({ views: { total: 1 } })
    expect(activity.archive.total).toBe(1)
    expect(activity.files.map(({ name, size, total }) => [name, size, total])).toEqual([
      ['a.txt', '4', 2],
      ['b.txt', '4', 0],
      ['c.txt', '4', 0],
    ])
    const [a, b] = activity.files
    expect(Date.parse(a?.lastDownloadedAt ?? '')).toBeGreaterThanOrEqual(before)
    expect(b?.lastDownloadedAt).toBeNull()
    const hourly = (hours: ShareActivity['views']['hours']) =>
      hours.reduce((sum, { count }) => sum + count, 0)
    expect(hourly(activity.views.hours)).toBe(1)
    expect(hourly(activity.downloads.hours)).toBe(3)
    for (const [file, count] of [[a?.id, 2] as const, [b?.id, 0] as const, ['zip', 1] as const]) {
      const { downloads } = await read(share.id, `?file=${file}`)
      expect(hourly(downloads.hours), file).toBe(count)
      expect(downloads.total).toBe(3)
    }
  })

  test('counts fifty downloads that begin at once as fifty', async () => {
    const share = await publishShare(owner, { 'a.txt': 'aaaa' })
    const visitor = await enter(share)
    await Promise.all(Array.from({ length: 50 }, () => visitor.send('GET', pathOf(share, 0))))
    expect(await readAll(share.id, 50)).toMatchObject({
      files: [{ total: 50 }],
      views: { total: 1 },
    })
  })

  test('does not count what is no download', async () => {
    const share = await publishShare(owner, { 'a.txt': 'aaaa' })
    const visitor = await enter(share)
    const path = pathOf(share, 0)
    const etag = String((await visitor.send('HEAD', path)).headers.etag)
    for (const [target, headers, status] of [
      [path, { Range: 'bytes=1-' }, 206],
      [path, { Range: 'bytes=9-' }, 416],
      [path, { 'If-None-Match': etag }, 304],
      [`${path}?download=false`, {}, 200],
    ] as const) {
      expect((await visitor.send('GET', target, { headers })).status).toBe(status)
    }
    expect((await owner.send('GET', path)).status).toBe(200)
    expect(await read(share.id)).toMatchObject({ downloads: { total: 0, hours: [] } })
  })

  test('is told to nobody else, and to nobody once the share is deleted', async () => {
    const share = await publishShare(owner, { 'a.txt': 'aaaa' })
    const path = `/api/shares/${share.id}/receipts`
    for (const client of [await enter(share), createClient(floe.url), await signUp(floe)]) {
      expect((await client.send('GET', path)).status).toBe(403)
    }
    expect((await owner.send('DELETE', `/api/shares/${share.id}`)).status).toBe(200)
    await expect.poll(async () => (await owner.send('GET', path)).status).toBe(404)
  })
})

import { shareActivitySchema } from '@floe/contracts'
import { beforeAll, expect, test } from 'vitest'
import { signInAsAdmin, signUp } from './world/accounts.ts'
import { onBothArrangements, onOneArrangement } from './world/arrangements.ts'
import { type Client, createClient, newLocalAddress } from './world/http-client.ts'
import { codeOf, openShare, publishShare } from './world/shares.ts'

onOneArrangement('embedded', 'the view limit', (floe) => {
  let owner: Client
  beforeAll(async () => {
    owner = await signUp(floe)
  })

  const publish = (maxViews: number) =>
    publishShare(owner, { 'a.txt': '0123456789', 'b.txt': 'b' }, { security: { maxViews } })

  async function viewsOf(shareId: string): Promise<number> {
    const { body } = await owner.send('GET', `/api/shares/${shareId}/from-owner`)
    return (body as { views: number }).views
  }

  test('lets exactly three of fifty simultaneous visitors in', async () => {
    const { id } = await publish(3)
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => openShare(createClient(floe.url), id)),
    )
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(3)
    const refused = responses.filter(({ status }) => status !== 200)
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([403]))
    expect(new Set(refused.map(codeOf))).toEqual(new Set(['share_max_views_exceeded']))
    expect(await viewsOf(id)).toBe(3)
  })

  test('counts a visit once, whatever the visitor reads, resumes or repeats', async () => {
    const { id, fileIds } = await publish(1)
    const visitor = createClient(floe.url)
    expect((await openShare(visitor, id)).status).toBe(200)
    const file = `/api/shares/${id}/files/${fileIds[0]}`
    for (const path of [`/api/shares/${id}`, file, file, `/api/shares/${id}/files/zip`]) {
      expect((await visitor.send('GET', path)).status).toBe(200)
    }
    for (const range of ['bytes=0-4', 'bytes=5-']) {
      expect((await visitor.send('GET', file, { headers: { Range: range } })).status).toBe(206)
    }
    expect((await visitor.send('HEAD', file)).status).toBe(200)
    expect(await viewsOf(id)).toBe(1)
  })

  test('counts one view for each visitor without a cookie', async () => {
    const { id, fileIds } = await publish(2)
    const file = `/api/shares/${id}/files/${fileIds[0]}`
    const localAddress = newLocalAddress()
    const download = (agent: string, headers: Record<string, string> = {}) =>
      createClient(floe.url, { localAddress }).send('GET', file, {
        headers: { 'User-Agent': agent, ...headers },
      })
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await download('first/1.0')).status).toBe(200)
      expect((await download('first/1.0', { Range: 'bytes=4-' })).status).toBe(206)
      expect((await download('second/1.0')).status).toBe(200)
    }
    expect(await viewsOf(id)).toBe(2)
    const third = await download('third/1.0')
    expect(third.status).toBe(403)
    expect(codeOf(third)).toBe('share_max_views_exceeded')
    expect((await download('first/1.0', { Range: 'bytes=8-' })).status).toBe(206)
    expect(await viewsOf(id)).toBe(2)
  })

  test('lets a few of many simultaneous visitors without a cookie in', async () => {
    const { id, fileIds } = await publish(3)
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        createClient(floe.url).send('GET', `/api/shares/${id}/files/${fileIds[0]}`, {
          headers: { 'User-Agent': `visitor/${index}` },
        }),
      ),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(await viewsOf(id)).toBe(3)
  })

  test('does not count a wrong password', async () => {
    const { id } = await publishShare(
      owner,
      { 'a.txt': 'a' },
      { security: { password: 'open sesame', maxViews: 1 } },
    )
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(codeOf(await openShare(createClient(floe.url), id, 'guess'))).toBe('wrong_password')
    }
    expect(codeOf(await openShare(createClient(floe.url), id))).toBe('share_password_required')
    expect((await openShare(createClient(floe.url), id, 'open sesame')).status).toBe(200)
  })
})

onBothArrangements('the owner of a share', (floe) => {
  test('reads all of it without its password and without being counted', async () => {
    const owner = await signUp(floe)
    const { id, fileIds } = await publishShare(
      owner,
      { 'a.txt': '0123456789', 'b.txt': 'b' },
      { security: { password: 'open sesame', maxViews: 1 } },
    )
    const path = `/api/shares/${id}`
    const readAll = async (reader: Client, status: number) => {
      for (const part of ['', '/metaData', `/files/${fileIds[0]}`, '/files/zip']) {
        expect((await reader.send('GET', path + part)).status, part).toBe(status)
      }
      const preview = `${path}/files/${fileIds[0]}?download=false`
      expect((await reader.send('GET', preview)).status).toBe(status)
    }
    await readAll(owner, 200)
    await readAll(await signInAsAdmin(floe), 403)
    const visitor = createClient(floe.url)
    expect((await openShare(visitor, id, 'open sesame')).status).toBe(200)
    await readAll(owner, 200)
    expect((await visitor.send('GET', `${path}/files/${fileIds[0]}`)).status).toBe(200)
    const counted = async () => {
      const { body } = await owner.send('GET', `${path}/receipts`)
      const { views, downloads } = shareActivitySchema.parse(body)
      return [views.total, downloads.total]
    }
    await expect.poll(counted).toEqual([1, 1])
  })
})

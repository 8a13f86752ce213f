import type { OwnShare, RouteName, StorageStatus } from '@floe/contracts'
import { routes } from '@floe/contracts'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { signInAsAdmin, signUp } from './world/accounts.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type Client, createClient, type HttpResponse } from './world/http-client.ts'
import { beginSending, complete, createReverseShare } from './world/reverse-shares.ts'
import { findOwn, openSender } from './world/reverse-shares.ts'
import { callRoute, type Target } from './world/route-calls.ts'
import { codeOf, openShare, publishShare, readFiles } from './world/shares.ts'

const NAME = 'Moon base'
const soon = () => new Date(Date.now() + 1_500)

/** What anybody with the link reads, and nobody reads of an expired share. */
const readers = [
  'getShare',
  'getShareMetaData',
  'downloadFile',
  'downloadArchive',
  'downloadDigests',
  'getThumbnail',
  'selectFiles',
  'openShare',
  'requestShareCode',
] as const satisfies RouteName[]

/** All about one share that its owner, and administrators for their list, go on to use. */
const ownersAlone: readonly RouteName[] = [
  'getShareAsOwner',
  'getShareActivity',
  'updateShare',
  'deleteShare',
]
const aboutOneShare = (Object.keys(routes) as RouteName[]).filter((name) =>
  /^\/api\/shares\/:(?:id|shareId)/.test(routes[name].path),
)
/** Their response is the way back to the page. */
const forms: readonly RouteName[] = ['openShareByForm', 'requestShareCodeByForm']
/** Pages, by every address that a share has or had. */
const pages = (id: string) => [`/share/${id}`, `/s/${id}`, `/share/${id}/edit`]

/** Codes are asked for with an address, which is no part of what other tests ask. */
function call(client: Client, name: RouteName, target: Target): Promise<HttpResponse> {
  const email = 'carol@floe.test'
  const path = `/api/shares/${target.shareId}`
  if (name === 'requestShareCode') return client.send('POST', `${path}/code`, { json: { email } })
  if (name !== 'requestShareCodeByForm') return callRoute(client, name, target)
  return client.send('POST', `${path}/codeByForm`, {
    bytes: new URLSearchParams({ email }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })
}

function paint(): Buffer {
  return PNG.sync.write(new PNG({ width: 400, height: 300 }))
}

onOneArrangement('embedded', 'an expired share whose files are kept', (floe) => {
  let admin: Client
  let owner: Client
  beforeAll(async () => {
    admin = await signInAsAdmin(floe)
    owner = await signUp(floe)
    await keepFor(1_000)
  })
  afterAll(() => keepFor(''))

  async function keepFor(hours: number | ''): Promise<void> {
    const json = [{ key: 'share.fileRetentionPeriod', value: hours }]
    const response = await admin.send('PATCH', '/api/configs/admin', { json })
    expect(response.status, response.text).toBe(200)
  }

  const change = (id: string, json: object) => owner.send('PATCH', `/api/shares/${id}`, { json })

  async function expire(id: string): Promise<void> {
    const response = await change(id, { expiration: soon().toISOString() })
    expect(response.status, response.text).toBe(200)
    const visitor = createClient(floe.url)
    const gone = async () => expect((await openShare(visitor, id)).status).toBe(404)
    await vi.waitFor(gone, { timeout: 10_000, interval: 100 })
  }

  async function listed(client: Client, id: string): Promise<OwnShare | undefined> {
    const { body } = await client.send('GET', '/api/shares')
    return (body as OwnShare[]).find((share) => share.id === id)
  }

  describe('towards everybody else', () => {
    let target: Target
    let visitor: Client
    let others: readonly Client[]
    let views: number | undefined

    beforeAll(async () => {
      const { id, fileIds } = await publishShare(owner, { 'sea.png': paint() }, { name: NAME })
      const ids = { shareId: id, fileId: fileIds[0] ?? '' }
      target = { ...ids, userId: '', sessionId: '', uploadId: '', reverseShareId: '' }
      visitor = createClient(floe.url)
      await openShare(visitor, id)
      others = [visitor, createClient(floe.url), await signUp(floe), admin]
    })

    const isReady = { timeout: 30_000, interval: 200 }

    test('it was open before', async () => {
      for (const name of readers) {
        await vi.waitFor(async () => {
          const { status, text } = await call(visitor, name, target)
          expect(status, `${name}: ${text}`).toBeLessThan(400)
        }, isReady)
      }
      const page = await createClient(floe.url).send('GET', pages(target.shareId)[0] ?? '')
      expect(page.text).toContain(NAME)
      await expire(target.shareId)
      views = (await listed(owner, target.shareId))?.views
    })

    test.each(aboutOneShare.filter((name) => !ownersAlone.includes(name)))(
      'it is as if it were gone: %s',
      async (name) => {
        for (const client of others) {
          const response = await call(client, name, target)
          const { status, text } = response
          expect(text).not.toContain('sea.png')
          if (forms.includes(name)) {
            expect(status).toBe(303)
            expect(response.headers['set-cookie']).toBeUndefined()
          } else if (readers.some((reader) => reader === name)) {
            expect([status, codeOf(response)]).toEqual([404, 'share_not_found'])
          } else {
            expect([403, 404], `${name}: ${text}`).toContain(status)
          }
        }
      },
    )

    test('what is its owner’s is nobody else’s', async () => {
      for (const name of ownersAlone) {
        for (const client of others.filter((one) => one !== admin)) {
          expect(codeOf(await call(client, name, target)), name).toBe('forbidden')
        }
      }
    })

    test('no page and no preview knows of it', async () => {
      for (const client of others) {
        for (const path of pages(target.shareId)) {
          const { text } = await client.send('GET', path, { headers: { Accept: 'text/html' } })
          expect(text).not.toContain(NAME)
          expect(text).not.toContain('sea.png')
        }
      }
    })

    test('its link is taken, and no visitor is counted', async () => {
      const path = `/api/shares/isShareIdAvailable/${target.shareId}`
      expect((await visitor.send('GET', path)).body).toEqual({ isAvailable: false })
      expect(await listed(owner, target.shareId)).toMatchObject({ views })
    })

    test('all of it is there again once it has a new end', async () => {
      expect((await change(target.shareId, { expiration: '1-day' })).status).toBe(200)
      await openShare(visitor, target.shareId)
      for (const name of readers) {
        await vi.waitFor(async () => {
          const { status, text } = await call(visitor, name, target)
          expect(status, `${name}: ${text}`).toBeLessThan(400)
        }, isReady)
      }
    })
  })

  test('counts in the storage of its owner, who sees until when it is kept', async () => {
    const used = async () => {
      const { body } = await owner.send('GET', '/api/users/me/storage')
      return (body as StorageStatus).usedBytes
    }
    const { id } = await publishShare(owner, { 'a.bin': Buffer.alloc(12_345) })
    const before = await used()
    await expire(id)
    const { expiration, keptUntil } = (await listed(owner, id)) ?? {}
    expect(Date.parse(keptUntil ?? '')).toBe(Date.parse(expiration ?? '') + 1_000 * 3_600_000)
    const all = await admin.send('GET', `/api/shares/all?search=${id}`)
    expect(all.body).toMatchObject([{ id, keptUntil, size: 12_345 }])
    expect(await used()).toBe(before)

    // Deleted by its owner it goes at once.
    expect((await owner.send('DELETE', `/api/shares/${id}`)).status).toBe(200)
    const freed = async () => expect(await used()).toBe(before - 12_345)
    await vi.waitFor(freed, { timeout: 30_000, interval: 200 })
  })

  test('is what a reverse share brought, and opens again with that', async () => {
    const token = await createReverseShare(owner, { publicAccess: true })
    const sender = openSender(owner, token)
    const id = await beginSending(sender, { 'sent.txt': 'sent' })
    await complete(sender, id)
    const { id: reverseShareId } = (await findOwn(owner, token)) ?? {}
    const path = `/api/reverseShares/${reverseShareId}`
    const json = { shareExpiration: soon().toISOString() }
    const shortened = await owner.send('PATCH', path, { json })
    expect(shortened.status, shortened.text).toBe(200)
    const visitor = createClient(floe.url)
    const gone = async () => expect((await openShare(visitor, id)).status).toBe(404)
    await vi.waitFor(gone, { timeout: 10_000, interval: 100 })
    expect((await visitor.send('GET', `/api/reverseShares/${token}`)).status).toBe(404)
    expect(await findOwn(owner, token)).toMatchObject({
      shares: [{ id, keptUntil: expect.any(String) }],
    })

    const revived = await owner.send('PATCH', path, { json: { shareExpiration: '1-day' } })
    expect(revived.status, revived.text).toBe(200)
    expect((await openShare(visitor, id)).status).toBe(200)
    expect(await readFiles(visitor, id)).toEqual({ 'sent.txt': 'sent' })
  })

  test('is none where nothing is kept: no list has it, however long it takes to go', async () => {
    await keepFor('')
    const { id } = await publishShare(owner, { 'a.txt': 'a' })
    await expire(id)
    const gone = async () => expect(await listed(owner, id)).toBeUndefined()
    // Every part knows within seconds.
    await vi.waitFor(gone, { timeout: 10_000, interval: 100 })
  })
})

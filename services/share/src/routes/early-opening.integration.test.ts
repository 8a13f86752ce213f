import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createReverseShare } from '../testing/reverse-shares.ts'
import type { Browser } from '../testing/browser.ts'
import {
  anonymousCredentials,
  newShareId,
  openShareWorld,
  publishShare,
  shareInput,
  type ShareWorld,
} from '../testing/share-world.ts'

let world: ShareWorld
let owner: Browser

beforeAll(async () => {
  world = await openShareWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  world.now = new Date('2026-05-01T12:00:00.000Z')
  world.settings['share.allowUnauthenticatedShares'] = false
  owner = world.signIn().browser
  await world.takeOwedMails()
})
afterEach(() => expect(world.failures).toEqual([]))

const hour = 3_600_000
const later = (ms: number) => {
  world.now = new Date(world.now.getTime() + ms)
}
const refusal = (status: number, code: string) => ({ status, body: { code } })
const path = (id: string) => `/api/shares/${id}`
const openEarly = (browser: Browser, id: string, body: Record<string, unknown> = { announced }) =>
  browser.send('POST', `${path(id)}/openEarly`, { body })
const complete = (id: string, body?: Record<string, unknown>) =>
  owner.send('POST', `${path(id)}/complete`, body && { body })
const announced = { fileCount: 2, size: 105, files: [{ name: 'film.mov', size: 100 }] }
const readAsOwner = async (id: string) => (await owner.send('GET', `${path(id)}/from-owner`)).body

/** A share without a file. */
async function beginShare(browser = owner, rest: Record<string, unknown> = {}): Promise<string> {
  const id = newShareId()
  const created = await browser.send('POST', '/api/shares', { body: shareInput(id, rest) })
  expect(created.status).toBe(201)
  return id
}

async function visit(id: string, password?: string) {
  const visitor = world.visit()
  const entered = await visitor.send('POST', `${path(id)}/token`, { body: { password } })
  return { entered, seen: await visitor.send('GET', path(id)), visitor }
}

describe('a share opened while its files are uploaded', () => {
  it('decides link and terms, and shows what arrived and what is to come', async () => {
    const draft = await beginShare()
    await world.addFile(draft)
    const film = { name: 'film.mov', sizeBytes: 100, receivedBytes: 40 }
    world.unfinished.set(await world.uidOf(draft), {
      ...{ fileCount: 1, sizeBytes: 100, receivedBytes: 40, files: [film] },
    })
    world.now = new Date('2026-05-01T14:00:00.000Z')
    const id = newShareId()
    const opened = await openEarly(owner, draft, {
      ...{ id, name: 'Holiday', expiration: '1-days', announced },
      ...{ security: { password: 'secret', maxViews: 2 }, recipients: ['ida@example.org'] },
    })
    const expiration = '2026-05-02T14:00:00.000Z'
    expect(opened).toMatchObject({ status: 202, body: { id, name: 'Holiday', expiration } })

    expect((await visit(id)).entered).toMatchObject(refusal(403, 'share_password_required'))
    const { seen } = await visit(id, 'secret')
    expect(seen).toMatchObject({
      status: 200,
      body: {
        files: [{ name: 'a.txt', size: '5' }],
        coming: {
          ...{ fileCount: 1, size: 100, received: 40 },
          files: [{ name: 'film.mov', size: '100', received: '40' }],
        },
      },
    })
    await visit(id, 'secret')
    expect((await visit(id, 'secret')).entered).toMatchObject(
      refusal(403, 'share_max_views_exceeded'),
    )
    expect((await visit(draft)).entered).toMatchObject(refusal(404, 'share_not_found'))
    expect(await readAsOwner(id)).toMatchObject({ state: 'uploading', coming: { fileCount: 1 } })
    const { body: own } = await owner.send('GET', '/api/shares')
    expect(own).toMatchObject([{ id, state: 'uploading', coming: { fileCount: 1 } }])
  })

  it('shows each file as it arrives, and is whole once it is completed', async () => {
    const id = await beginShare()
    expect((await openEarly(owner, id)).status).toBe(202)
    const { visitor, seen } = await visit(id)
    expect(seen).toMatchObject({ body: { files: [], coming: { fileCount: 2, size: 105 } } })
    await world.addFile(id, { name: 'film.mov', sizeBytes: 100 })
    expect((await visitor.send('GET', path(id))).body).toMatchObject({
      files: [{ name: 'film.mov' }],
      coming: { fileCount: 1, size: 5, files: [] },
    })
    expect((await visitor.send('GET', `${path(id)}/metaData`)).body).toEqual({
      id,
      isZipReady: false,
    })
    expect(await world.eventsOf(id)).toEqual([])
    expect((await complete(id)).status).toBe(202)
    expect(await world.eventsOf(id)).toEqual(['share.completed'])
    const { body } = await visitor.send('GET', path(id))
    expect(body).toMatchObject({ files: [{ name: 'film.mov' }] })
    expect(body).not.toHaveProperty('coming')
    expect((await visitor.send('GET', `${path(id)}/metaData`)).body).toMatchObject({
      isZipReady: true,
    })
    expect(await readAsOwner(id)).toMatchObject({ state: 'completed' })
  })

  it('tells the file service which edition takes uploads, and that visitors read it', async () => {
    const id = await beginShare()
    const accessToken = owner.cookies.get('access_token') ?? null
    const credentials = anonymousCredentials({ accessToken })
    const shareUid = await world.uidOf(id)
    const { port } = world.service
    const before = await port.authorizeUpload({ shareId: id, credentials })
    await openEarly(owner, id)
    const grant = await port.authorizeUpload({ shareId: id, credentials })
    expect([before.edition, before.isPublished]).toEqual([1, false])
    expect([grant.edition, grant.isPublished]).toEqual([1, true])
    expect(await port.uploadTarget({ shareUid })).toMatchObject({ edition: 1, isPublished: true })
    const read = await port.authorizeRead({
      ...{ shareId: id, access: 'direct', credentials: anonymousCredentials() },
    })
    expect(read).toMatchObject({ edition: 1, isUploading: true })
    expect(await port.previewShare({ shareId: id })).toMatchObject({
      ...{ fileCount: 0, coming: { fileCount: 2, sizeBytes: 105 }, download: null },
    })
    expect(await port.publishedShares({ after: null, limit: 1000 })).not.toContainEqual(
      expect.objectContaining({ shareUid }),
    )
  })

  it('tells recipients when it opens, and once', async () => {
    const id = await beginShare(owner, { recipients: ['ida@example.org'] })
    await openEarly(owner, id)
    expect(await world.takeOwedMails()).toHaveLength(1)
    await world.database.knex('share_mails').update({ sent_at: world.now })
    await owner.send('PATCH', path(id), {
      body: { recipients: ['ida@example.org', 'bo@example.org'] },
    })
    expect(await world.takeOwedMails()).toHaveLength(1)
    await world.database.knex('share_mails').update({ sent_at: world.now })
    await world.addFile(id)
    await complete(id)
    expect(await world.takeOwedMails()).toEqual([])
  })

  it('takes another announcement and no other terms', async () => {
    const id = await beginShare()
    await openEarly(owner, id)
    expect(await openEarly(owner, id, { name: 'Later' })).toMatchObject({ status: 400 })
    expect((await complete(id, { name: 'Later' })).status).toBe(400)
    const fewer = { fileCount: 1, size: 9, files: [{ name: 'song.ogg', size: 9 }] }
    expect((await openEarly(owner, id, { announced: fewer })).status).toBe(202)
    expect((await visit(id)).seen).toMatchObject({
      body: { coming: { fileCount: 1, size: 9, files: [{ name: 'song.ogg' }] } },
    })
  })

  it('moves the proof of a maker without an account to the new link', async () => {
    world.settings['share.allowUnauthenticatedShares'] = true
    const maker = world.visit()
    const draft = await beginShare(maker)
    const id = newShareId()
    expect((await openEarly(maker, draft, { id, announced })).status).toBe(202)
    expect([...maker.cookies.keys()]).toEqual([`share_${id}_owner_token`])
    await world.addFile(id)
    expect((await maker.send('POST', `${path(id)}/complete`)).status).toBe(202)
  })

  it('stays as it is where its files cannot be edited yet', async () => {
    const id = await beginShare()
    await openEarly(owner, id)
    expect((await owner.send('DELETE', `${path(id)}/complete`)).status).toBe(200)
    expect(await owner.send('DELETE', `${path(id)}/edit`)).toMatchObject(
      refusal(400, 'share_never_completed'),
    )
    expect(await readAsOwner(id)).toMatchObject({ state: 'uploading' })
  })
})

describe('opening early is refused', () => {
  it('without anything on its way, for a link in use, and once the share is complete', async () => {
    const empty = await beginShare()
    expect(await openEarly(owner, empty, {})).toMatchObject(refusal(400, 'share_without_files'))
    const nothing = { fileCount: 0, size: 0, files: [] }
    expect(await openEarly(owner, empty, { announced: nothing })).toMatchObject(
      refusal(400, 'share_without_files'),
    )
    const taken = await publishShare(world, owner)
    expect(await openEarly(owner, empty, { id: taken, announced })).toMatchObject(
      refusal(400, 'share_id_taken'),
    )
    expect(await openEarly(owner, taken)).toMatchObject(refusal(400, 'share_already_completed'))
    expect(await readAsOwner(empty)).toMatchObject({ state: 'open' })
  })

  it('to anybody but its maker, and where there is no share', async () => {
    const id = await beginShare()
    expect(await openEarly(world.signIn().browser, id)).toMatchObject(refusal(403, 'forbidden'))
    expect(await openEarly(world.visit(), id)).toMatchObject(refusal(403, 'forbidden'))
    expect(await openEarly(owner, newShareId())).toMatchObject(refusal(404, 'share_not_found'))
    expect((await visit(id)).entered).toMatchObject(refusal(404, 'share_not_found'))
  })

  it('for what is sent through a reverse share', async () => {
    const token = await createReverseShare(owner)
    const sender = world.visit()
    const id = await beginShare(sender, { reverseShare: token })
    expect(await openEarly(sender, id)).toMatchObject(refusal(403, 'forbidden'))
    expect((await visit(id)).entered).toMatchObject(refusal(404, 'share_not_found'))
  })

  it.each([
    ['a negative size', { fileCount: 1, size: -1, files: [] }],
    ['no name', { fileCount: 1, size: 1, files: [{ name: '', size: 1 }] }],
    [
      'too many names',
      {
        fileCount: 1001,
        size: 0,
        files: Array.from({ length: 1001 }, () => ({ name: 'a', size: 0 })),
      },
    ],
  ])('for an announcement with %s', async (_what, wrong) => {
    const id = await beginShare()
    expect(await openEarly(owner, id, { announced: wrong })).toMatchObject({ status: 400 })
    expect(await readAsOwner(id)).toMatchObject({ state: 'open' })
  })
})

describe('a sender who does not come back', () => {
  it('leaves what arrived after a day, and nothing where nothing did', async () => {
    const [filled, empty, active] = [await beginShare(), await beginShare(), await beginShare()]
    for (const id of [filled, empty, active]) await openEarly(owner, id)
    await world.addFile(filled)
    later(20 * hour)
    await world.service.port.uploadTarget({ shareUid: await world.uidOf(active) })
    later(5 * hour)
    await world.run('expire-shares')
    expect(await readAsOwner(filled)).toMatchObject({ state: 'completed' })
    expect((await visit(filled)).seen.body).not.toHaveProperty('coming')
    expect((await visit(empty)).entered).toMatchObject(refusal(404, 'share_not_found'))
    expect(await world.eventsOf(empty)).toEqual(['share.deleted'])
    expect(await readAsOwner(active)).toMatchObject({ state: 'uploading' })
  })

  it('does not outlast the expiry of the share', async () => {
    const id = await beginShare(owner, { expiration: '1-hour' })
    await openEarly(owner, id)
    later(hour)
    expect((await visit(id)).entered).toMatchObject(refusal(404, 'share_not_found'))
    const shareUid = await world.uidOf(id)
    expect(await world.service.port.uploadTarget({ shareUid })).toMatchObject({ state: 'gone' })
  })
})

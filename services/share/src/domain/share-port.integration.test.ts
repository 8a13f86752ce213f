import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Browser } from '../testing/browser.ts'
import {
  newShareId,
  openShareWorld,
  publishShare,
  shareInput,
  type ShareWorld,
  anonymousCredentials,
} from '../testing/share-world.ts'

let world: ShareWorld
let owner: Browser

beforeAll(async () => {
  world = await openShareWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  world.now = new Date('2026-05-01T12:00:00.000Z')
  world.settings['share.zipCompressionLevel'] = 0
  owner = world.signIn().browser
})
afterEach(() => expect(world.failures).toEqual([]))

const minute = 60_000
const later = (ms: number) => {
  world.now = new Date(world.now.getTime() + ms)
}
const credentialsOf = (browser: Browser, shareId: string) =>
  anonymousCredentials({
    accessToken: browser.cookies.get('access_token') ?? null,
    shareToken: browser.cookies.get(`share_${shareId}_token`) ?? null,
    ownerToken: browser.cookies.get(`share_${shareId}_owner_token`) ?? null,
  })
const read = (shareId: string, access: 'visit' | 'direct', credentials = anonymousCredentials()) =>
  world.service.port.authorizeRead({ shareId, access, credentials })
const fails = (code: string) => expect.objectContaining({ code })

async function createShare(browser: Browser): Promise<string> {
  const id = newShareId()
  await browser.send('POST', '/api/shares', { body: shareInput(id) })
  return id
}
async function viewsOf(id: string): Promise<number> {
  const row = await world.database.knex('shares').where({ id }).first('views')
  return row.views
}

describe('authorizeRead', () => {
  it('charges one view per visitor and hour without a cookie', async () => {
    const id = await publishShare(world, owner, { security: { maxViews: 2 } })
    const grant = await read(id, 'direct')
    expect(grant).toEqual({
      shareUid: await world.uidOf(id),
      shareId: id,
      isOwner: false,
      hasPassword: false,
      edition: 1,
      archiveLevel: 0,
      isUploading: false,
    })
    later(59 * minute)
    await read(id, 'direct')
    expect(await viewsOf(id)).toBe(1)
    await read(id, 'direct', anonymousCredentials({ userAgent: 'wget' }))
    expect(await viewsOf(id)).toBe(2)
    const third = anonymousCredentials({ clientAddress: '192.0.2.9' })
    await expect(read(id, 'direct', third)).rejects.toEqual(fails('share_max_views_exceeded'))
    await read(id, 'direct')
    later(minute)
    await expect(read(id, 'direct')).rejects.toEqual(fails('share_max_views_exceeded'))
    expect(await viewsOf(id)).toBe(2)
  })

  it('charges parallel ranges of one new visitor once', async () => {
    const id = await publishShare(world, owner, { security: { maxViews: 1 } })
    await Promise.all(Array.from({ length: 20 }, () => read(id, 'direct')))
    expect(await viewsOf(id)).toBe(1)
  })

  it('lets in as many of many simultaneous visitors as the limit says', async () => {
    const id = await publishShare(world, owner, { security: { maxViews: 3 } })
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) =>
        read(id, 'direct', anonymousCredentials({ clientAddress: `192.0.2.${n}` })),
      ),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(await viewsOf(id)).toBe(3)
  })

  it('never charges the holder of a visit token, even at the limit', async () => {
    const id = await publishShare(world, owner, { security: { maxViews: 1 } })
    const visitor = world.visit()
    await visitor.send('POST', `/api/shares/${id}/token`)
    await read(id, 'direct', credentialsOf(visitor, id))
    await read(id, 'visit', credentialsOf(visitor, id))
    expect(await viewsOf(id)).toBe(1)
    await expect(read(id, 'direct')).rejects.toEqual(fails('share_max_views_exceeded'))
  })

  it('wants a token for a visit, and for every read of a share with a password', async () => {
    const openId = await publishShare(world, owner)
    await expect(read(openId, 'visit')).rejects.toEqual(fails('share_token_required'))
    const id = await publishShare(world, owner, { security: { password: 'secret' } })
    for (const access of ['visit', 'direct'] as const) {
      await expect(read(id, access)).rejects.toEqual(fails('share_password_required'))
      const forged = anonymousCredentials({ shareToken: 'forged' })
      await expect(read(id, access, forged)).rejects.toEqual(fails('share_token_required'))
    }
    expect(await viewsOf(id)).toBe(0)
  })

  it('lets the owner in without counting, and no other user', async () => {
    const id = await publishShare(world, owner, { security: { password: 'secret' } })
    await read(id, 'visit', credentialsOf(owner, id))
    await read(id, 'direct', credentialsOf(owner, id))
    expect(await viewsOf(id)).toBe(0)
    const { browser: admin } = world.signIn({ isAdmin: true })
    await expect(read(id, 'direct', credentialsOf(admin, id))).rejects.toEqual(
      fails('share_password_required'),
    )
  })

  it('opens no share that is absent, uncompleted, expired or removed', async () => {
    const openId = await createShare(owner)
    const removedId = await publishShare(world, owner)
    await world.database.knex('shares').where({ id: removedId }).update({ removed_reason: 'No' })
    const expiredId = await publishShare(world, owner, { expiration: '1-minute' })
    later(minute)
    const cases = [
      [openId, 'share_not_found'],
      [expiredId, 'share_not_found'],
      [newShareId(), 'share_not_found'],
      ['../x\u0000', 'share_not_found'],
      [removedId, 'share_removed'],
    ] as const
    for (const [id, code] of cases) {
      for (const access of ['visit', 'direct'] as const) {
        await expect(read(id, access)).rejects.toEqual(fails(code))
      }
    }
  })
})

describe('authorizeUpload', () => {
  const upload = (shareId: string, browser: Browser) =>
    world.service.port.authorizeUpload({ shareId, credentials: credentialsOf(browser, shareId) })

  it('holds a share to the own limit of its maker, above or below that of all', async () => {
    world.settings['share.maxSize'] = 1_000
    for (const shareSizeLimit of [400, 5_000, 0]) {
      const { browser } = world.signIn({ shareSizeLimit })
      const id = await createShare(browser)
      expect(await upload(id, browser)).toMatchObject({ maxSizeBytes: shareSizeLimit })
      const target = await world.service.port.uploadTarget({ shareUid: await world.uidOf(id) })
      expect(target).toMatchObject({ maxSizeBytes: shareSizeLimit })
    }
  })

  it('grants the owner of an open or reopened share', async () => {
    world.settings['share.maxSize'] = 1_000
    const { browser, identity } = world.signIn()
    const id = await createShare(browser)
    const grant = {
      shareUid: await world.uidOf(id),
      shareId: id,
      userId: identity.userId,
      chargedTo: identity.userId,
      maxSizeBytes: 1_000,
      edition: 1,
      isPublished: false,
    }
    expect(await upload(id, browser)).toEqual(grant)
    await world.addFile(id)
    await browser.send('POST', `/api/shares/${id}/complete`)
    await expect(upload(id, browser)).rejects.toEqual(fails('share_locked'))
    await browser.send('DELETE', `/api/shares/${id}/complete`)
    expect(await upload(id, browser)).toEqual({ ...grant, edition: 2 })
  })

  it('refuses everybody else, and shares that are gone', async () => {
    const id = await createShare(owner)
    for (const other of [world.visit(), world.signIn({ isAdmin: true }).browser]) {
      await expect(upload(id, other)).rejects.toEqual(fails('forbidden'))
    }
    await expect(upload(newShareId(), owner)).rejects.toEqual(fails('share_not_found'))
    later(8 * 24 * 60 * minute)
    await expect(upload(id, owner)).rejects.toEqual(fails('share_not_found'))
  })

  it('grants the browser that made an anonymous share', async () => {
    world.settings['share.allowUnauthenticatedShares'] = true
    const maker = world.visit()
    const id = await createShare(maker)
    expect(await upload(id, maker)).toMatchObject({ shareId: id, userId: null })
    await expect(upload(id, world.visit())).rejects.toEqual(fails('forbidden'))
  })
})

describe('editions', () => {
  const published = async (id: string) => {
    const shareUid = await world.uidOf(id)
    const grant = await read(id, 'direct', credentialsOf(owner, id))
    const [told] = await world.service.port.publishedEditions({ shareUids: [shareUid] })
    const { edition, archiveLevel } = grant
    expect(told).toEqual({ shareUid, shareId: id, edition, archiveLevel })
    return grant.edition
  }
  const working = async (id: string) => {
    const { edition } = await world.service.port.uploadTarget({ shareUid: await world.uidOf(id) })
    return edition
  }

  it('are published by completing and by nothing else', async () => {
    const id = await publishShare(world, owner)
    expect([await published(id), await working(id)]).toEqual([1, 2])
    await owner.send('DELETE', `/api/shares/${id}/complete`)
    await owner.send('DELETE', `/api/shares/${id}/complete`)
    await owner.send('PATCH', `/api/shares/${id}`, { body: { name: 'Renamed' } })
    expect([await published(id), await working(id)]).toEqual([1, 2])
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => owner.send('POST', `/api/shares/${id}/complete`)),
    )
    expect(responses.filter(({ status }) => status === 202)).toHaveLength(1)
    expect([await published(id), await working(id)]).toEqual([2, 3])
  })

  it('keep the compression that was set when they were published', async () => {
    world.settings['share.zipCompressionLevel'] = 6
    const id = await publishShare(world, owner)
    const level = async () => (await read(id, 'direct')).archiveLevel
    world.settings['share.zipCompressionLevel'] = 1
    expect(await level()).toBe(6)
    await owner.send('DELETE', `/api/shares/${id}/complete`)
    await owner.send('DELETE', `/api/shares/${id}/edit`)
    expect(await level()).toBe(6)
    await owner.send('DELETE', `/api/shares/${id}/complete`)
    expect(await level()).toBe(6)
    await owner.send('POST', `/api/shares/${id}/complete`)
    expect(await level()).toBe(1)
  })

  it('of before compression was stored keep what the first visit of any finds', async () => {
    const ids = [await publishShare(world, owner), await publishShare(world, owner)]
    const open = await createShare(owner)
    await world.database.knex('shares').update({ archive_level: null })
    const levelsRead = async () =>
      Promise.all(ids.map(async (id) => (await read(id, 'direct')).archiveLevel))
    world.settings['share.zipCompressionLevel'] = 6
    await read(ids[0] ?? '', 'direct')
    world.settings['share.zipCompressionLevel'] = 9
    expect(await levelsRead()).toEqual([6, 6])
    const { archive_level: level } = await world.database
      .knex('shares')
      .where({ id: open })
      .first('archive_level')
    expect(level).toBeNull()
  })

  it('begin with 1, and are told of the shares that exist', async () => {
    const id = await createShare(owner)
    const open = await world.uidOf(id)
    const told = await world.service.port.publishedEditions({ shareUids: [open, randomUUID()] })
    expect(told).toEqual([{ shareUid: open, shareId: id, edition: 0, archiveLevel: null }])
    const target = await world.service.port.uploadTarget({ shareUid: open })
    expect(target).toMatchObject({ state: 'open', edition: 1 })
  })

  it('are listed of every completed share, page by page', async () => {
    const open = await createShare(owner)
    const completed = [await publishShare(world, owner), await publishShare(world, owner)]
    const told: { shareUid: string; shareId: string; edition: number }[] = []
    for (let after: string | null = null; ;) {
      const page = await world.service.port.publishedShares({ after, limit: 2 })
      told.push(...page)
      after = page.at(-1)?.shareUid ?? null
      if (after === null) break
    }
    const uids = told.map(({ shareUid }) => shareUid)
    expect(uids).toEqual([...new Set(uids)].sort())
    for (const shareId of completed) {
      expect(told).toContainEqual({ shareUid: await world.uidOf(shareId), shareId, edition: 1 })
    }
    expect(uids).not.toContain(await world.uidOf(open))
  })
})

describe('activity', () => {
  it('is recorded at most once a minute, by either way to upload', async () => {
    const id = await createShare(owner)
    const shareUid = await world.uidOf(id)
    const lastActivity = async () => {
      const row = await world.database.knex('shares').where({ id }).first('last_activity_at')
      return row.last_activity_at.toISOString()
    }
    const credentials = credentialsOf(owner, id)
    later(minute - 1)
    await world.service.port.authorizeUpload({ shareId: id, credentials })
    expect(await lastActivity()).toBe('2026-05-01T12:00:00.000Z')
    later(1)
    await world.service.port.authorizeUpload({ shareId: id, credentials })
    expect(await lastActivity()).toBe('2026-05-01T12:01:00.000Z')
    later(minute)
    await world.service.port.uploadTarget({ shareUid })
    expect(await lastActivity()).toBe('2026-05-01T12:02:00.000Z')
  })
})

describe('uploadTarget and existing', () => {
  it('follows the state of the share', async () => {
    const id = await createShare(owner)
    const shareUid = await world.uidOf(id)
    const state = async () => (await world.service.port.uploadTarget({ shareUid })).state
    expect(await state()).toBe('open')
    await world.addFile(id)
    await owner.send('POST', `/api/shares/${id}/complete`)
    expect(await state()).toBe('locked')
    await owner.send('DELETE', `/api/shares/${id}/complete`)
    expect(await state()).toBe('open')
    const absent = randomUUID()
    const existing = await world.service.port.existing({ shareUids: [shareUid, absent] })
    expect(existing).toEqual([shareUid])
    await owner.send('DELETE', `/api/shares/${id}`)
    expect(await state()).toBe('gone')
  })
})

describe('previewShare', () => {
  const preview = (shareId: string) => world.service.port.previewShare({ shareId })

  it('tells what anybody may know of a share, and counts nothing', async () => {
    const id = await publishShare(world, owner, { name: 'Holiday', security: { maxViews: 1 } })
    const [file] = world.files.get(await world.uidOf(id)) ?? []
    const known = {
      name: 'Holiday',
      senderName: expect.stringMatching(/^user_/),
      expiresAt: '2026-05-08T12:00:00.000Z',
      fileCount: 1,
      sizeBytes: file?.sizeBytes,
      coming: null,
      isEncrypted: false,
      download: file?.id,
    }
    for (let turn = 0; turn < 3; turn += 1) expect(await preview(id)).toEqual(known)
    expect(await viewsOf(id)).toBe(0)
  })

  it('tells of the published edition alone', async () => {
    const id = await publishShare(world, owner)
    await owner.send('DELETE', `/api/shares/${id}/complete`)
    await world.addFile(id)
    expect(await preview(id)).toMatchObject({ fileCount: 1 })
  })

  it('tells of a share that does not open to everybody nothing but why', async () => {
    const openId = await createShare(owner)
    const removedId = await publishShare(world, owner)
    await world.database.knex('shares').where({ id: removedId }).update({ removed_reason: 'No' })
    const expiredId = await publishShare(world, owner, { expiration: '1-minute' })
    const passwordId = await publishShare(world, owner, { security: { password: 'secret' } })
    const privateId = await publishShare(world, owner)
    await world.database.knex('shares').where({ id: privateId }).update({ is_private: true })
    const usedUpId = await publishShare(world, owner, { security: { maxViews: 1 } })
    await world.visit().send('POST', `/api/shares/${usedUpId}/token`)
    later(minute)
    const cases = [
      [openId, 'share_not_found'],
      [expiredId, 'share_not_found'],
      [newShareId(), 'share_not_found'],
      [removedId, 'share_removed'],
      [passwordId, 'share_password_required'],
      [privateId, 'private_share'],
      [usedUpId, 'share_max_views_exceeded'],
    ] as const
    for (const [id, code] of cases) await expect(preview(id), id).rejects.toEqual(fails(code))
  })

  it.each([true, false])(
    'tells whether a share with a password is encrypted (%s), so that none is asked for',
    async (encrypted) => {
      const id = await publishShare(world, owner, { encrypted, security: { password: 'secret' } })
      const members = encrypted ? { encrypted } : undefined
      const refusal = { code: 'share_password_required', members }
      await expect(preview(id)).rejects.toEqual(expect.objectContaining(refusal))
    },
  )
})

describe('readShare', () => {
  it('tells the holder of a visit as many files as asked for, and how many there are', async () => {
    const id = await publishShare(world, owner, { description: 'A note' })
    for (const name of ['x.txt', 'y.txt']) {
      await owner.send('DELETE', `/api/shares/${id}/complete`)
      await world.addFile(id, { name })
      await owner.send('POST', `/api/shares/${id}/complete`)
    }
    const visitor = world.visit()
    await visitor.send('POST', `/api/shares/${id}/token`)
    const credentials = credentialsOf(visitor, id)
    const readFiles = (mostFiles: number | null) =>
      world.service.port.readShare({ shareId: id, credentials, mostFiles })
    expect(await readFiles(2)).toMatchObject({
      description: 'A note',
      fileCount: 3,
      files: [{}, { name: 'x.txt' }],
      download: 'zip',
    })
    expect((await readFiles(2)).files).toHaveLength(2)
    expect((await readFiles(null)).files).toHaveLength(3)
    expect(await viewsOf(id)).toBe(1)
  })

  it('is closed to everybody but its owner', async () => {
    const id = await publishShare(world, owner, { security: { password: 'secret' } })
    const readFiles = (browser: Browser) =>
      world.service.port.readShare({
        shareId: id,
        credentials: credentialsOf(browser, id),
        mostFiles: null,
      })
    expect(await readFiles(owner)).toMatchObject({ files: [{ name: 'a.txt' }] })
    for (const other of [world.visit(), world.signIn({ isAdmin: true }).browser]) {
      await expect(readFiles(other)).rejects.toEqual(fails('share_password_required'))
    }
  })
})

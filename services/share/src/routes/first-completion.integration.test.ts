import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Browser } from '../testing/browser.ts'
import { newShareId, openShareWorld, shareInput, type ShareWorld } from '../testing/share-world.ts'

let world: ShareWorld
let owner: Browser

beforeAll(async () => {
  world = await openShareWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  world.now = new Date('2026-05-01T12:00:00.000Z')
  world.settings['share.maxExpiration'] = 0
  owner = world.signIn().browser
})
afterEach(() => expect(world.failures).toEqual([]))

const refusal = (status: number, code: string) => ({ status, body: { code } })
const complete = (browser: Browser, id: string, body?: Record<string, unknown>) =>
  browser.send('POST', `/api/shares/${id}/complete`, body && { body })
const open = (id: string, password?: string) =>
  world.visit().send('POST', `/api/shares/${id}/token`, { body: { password } })

/** A share with a file that its maker has not completed. */
async function beginShare(browser = owner, rest: Record<string, unknown> = {}): Promise<string> {
  const id = newShareId()
  const created = await browser.send('POST', '/api/shares', { body: shareInput(id, rest) })
  expect(created.status).toBe(201)
  await world.addFile(id)
  return id
}

describe('the first completion', () => {
  it('decides link, name, note, expiry, password, view limit, recipients and notices', async () => {
    const draft = await beginShare(owner, { name: 'Draft', recipients: ['old@example.org'] })
    world.now = new Date('2026-05-01T14:00:00.000Z')
    const id = newShareId()
    const completed = await complete(owner, draft, {
      id,
      name: 'Holiday',
      description: 'All of them',
      expiration: '1-days',
      recipients: ['ida@example.org', 'IDA@example.org'],
      security: { password: 'secret', maxViews: 2 },
      notifyOnDownload: true,
    })
    expect(completed).toMatchObject({
      status: 202,
      body: {
        id,
        name: 'Holiday',
        description: 'All of them',
        expiration: '2026-05-02T14:00:00.000Z',
      },
    })
    const { body } = await owner.send('GET', `/api/shares/${id}/from-owner`)
    expect(body).toMatchObject({
      recipients: ['ida@example.org'],
      security: { passwordProtected: true, maxViews: 2 },
      notifyOnDownload: true,
      state: 'completed',
      files: [{ name: 'a.txt' }],
    })
    expect(await open(id)).toMatchObject(refusal(403, 'share_password_required'))
    expect((await open(id, 'secret')).status).toBe(200)
    expect(await open(draft)).toMatchObject(refusal(404, 'share_not_found'))
    expect(await world.eventsOf(id)).toContain('share.completed')
    expect(await world.takeOwedMails()).toHaveLength(1)
  })

  it('keeps what it does not name, and frees the link it leaves', async () => {
    const draft = await beginShare(owner, { name: 'Kept', security: { maxViews: 3 } })
    const id = newShareId()
    expect((await complete(owner, draft, { id })).body).toMatchObject({ id, name: 'Kept' })
    const { body } = await owner.send('GET', `/api/shares/${id}/from-owner`)
    expect(body).toMatchObject({ security: { maxViews: 3 } })
    expect((await owner.send('POST', '/api/shares', { body: shareInput(draft) })).status).toBe(201)
  })

  it('shows nobody but its maker anything of a draft', async () => {
    const draft = await beginShare()
    expect(await open(draft)).toMatchObject(refusal(404, 'share_not_found'))
    const seen = await world.visit().send('GET', `/api/shares/${draft}`)
    expect(seen).toMatchObject(refusal(404, 'share_not_found'))
    const { browser: other } = world.signIn()
    expect(await complete(other, draft, { id: newShareId() })).toMatchObject(
      refusal(403, 'forbidden'),
    )
  })

  it('refuses a link in use or reserved, and leaves the draft as it was', async () => {
    const taken = await beginShare()
    const draft = await beginShare()
    for (const id of [taken, 'isShareIdAvailable', 'photos_owner']) {
      const response = await complete(owner, draft, { id, name: 'Not this', expiration: 'never' })
      expect(response).toMatchObject(refusal(400, 'share_id_taken'))
    }
    const { body } = await owner.send('GET', `/api/shares/${draft}/from-owner`)
    expect(body).toMatchObject({ id: draft, name: null, state: 'open' })
    expect((await complete(owner, draft, { id: draft })).status).toBe(202)
  })

  it.each([
    ['a link', { id: 'no spaces' }, 'validation_failed'],
    ['a name', { name: 'ab' }, 'validation_failed'],
    ['a recipient', { recipients: ['nobody'] }, 'validation_failed'],
    ['a password', { security: { password: 'ab' } }, 'validation_failed'],
    ['a date', { expiration: '2026-06-01T00:00:00Z' }, 'validation_failed'],
    ['an expiry', { expiration: '2-hours' }, 'share_expiration_too_long'],
  ])('refuses %s that creation refuses', async (_what, terms, code) => {
    const draft = await beginShare()
    world.settings['share.maxExpiration'] = 1
    expect(await complete(owner, draft, terms)).toMatchObject(refusal(400, code))
    expect(await owner.send('GET', `/api/shares/${draft}/from-owner`)).toMatchObject({
      body: { state: 'open' },
    })
  })

  it('gives a link that two drafts want at once to one of them', async () => {
    const drafts = [await beginShare(), await beginShare()]
    const id = newShareId()
    const responses = await Promise.all(drafts.map((draft) => complete(owner, draft, { id })))
    expect(responses.map(({ status }) => status).sort()).toEqual([202, 400])
    expect(responses.find(({ status }) => status === 400)).toMatchObject(
      refusal(400, 'share_id_taken'),
    )
    const loser = drafts[responses.findIndex(({ status }) => status === 400)] ?? ''
    expect((await complete(owner, loser)).status).toBe(202)
  })

  it('lets one of two completions of a draft decide', async () => {
    const draft = await beginShare()
    const ids = [newShareId(), newShareId()]
    const responses = await Promise.all(ids.map((id) => complete(owner, draft, { id })))
    const won = responses.findIndex(({ status }) => status === 202)
    expect(responses[1 - won]?.body).toMatchObject({
      code: expect.stringMatching(/^share_(already_completed|not_found)$/),
    })
    expect((await open(ids[won] ?? '')).status).toBe(200)
    expect((await open(ids[1 - won] ?? '')).status).toBe(404)
  })

  it('is the only one that decides: an edit is completed without terms', async () => {
    const draft = await beginShare()
    await complete(owner, draft)
    expect(await complete(owner, draft, { id: newShareId() })).toMatchObject(
      refusal(400, 'share_already_completed'),
    )
    await owner.send('DELETE', `/api/shares/${draft}/complete`)
    const refused = await complete(owner, draft, { id: newShareId() })
    expect(refused).toMatchObject(refusal(400, 'validation_failed'))
    expect((await complete(owner, draft, {})).status).toBe(202)
  })

  it('leaves a draft that is never completed to the job that deletes idle ones', async () => {
    const draft = await beginShare()
    world.now = new Date('2026-05-02T12:00:01.000Z')
    await world.run('expire-shares')
    const gone = await owner.send('GET', `/api/shares/${draft}/from-owner`)
    expect(gone).toMatchObject(refusal(404, 'share_not_found'))
  })
})

describe('the first completion without an account', () => {
  beforeEach(() => void (world.settings['share.allowUnauthenticatedShares'] = true))
  afterEach(() => void (world.settings['share.allowUnauthenticatedShares'] = false))

  it('takes the cookie of the maker along to the new link', async () => {
    const browser = world.visit()
    const draft = await beginShare(browser)
    const token = browser.cookies.get(`share_${draft}_owner_token`)
    const id = newShareId()
    expect((await complete(browser, draft, { id })).status).toBe(202)
    expect(browser.cookies.get(`share_${draft}_owner_token`)).toBeUndefined()
    expect(browser.cookies.get(`share_${id}_owner_token`)).toBe(token)
    expect((await browser.send('GET', `/api/shares/${id}/from-owner`)).status).toBe(200)
  })
})

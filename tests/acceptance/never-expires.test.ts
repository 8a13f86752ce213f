import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { signInAsAdmin, signUp } from './world/accounts.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { addFile, codeOf, newShareId, openShare, publishShare } from './world/shares.ts'

/** How "never" is written on the wire. */
const epoch = '1970-01-01T00:00:00.000Z'

onOneArrangement('embedded', 'a share without an end', (floe) => {
  let admin: Client
  let owner: Client
  beforeAll(async () => {
    admin = await signInAsAdmin(floe)
    owner = await signUp(floe)
  })
  afterAll(() => limitTo(''))

  const limitTo = (hours: number | '') => configure('share.maxExpiration', hours)

  async function configure(key: string, value: number | boolean | ''): Promise<void> {
    const json = [{ key, value }]
    const response = await admin.send('PATCH', '/api/configs/admin', { json })
    expect(response.status, response.text).toBe(200)
  }

  const create = (client: Client, expiration: string) =>
    client.send('POST', '/api/shares', {
      json: { id: newShareId(), expiration, recipients: [] },
    })
  const change = (id: string, expiration: string) =>
    owner.send('PATCH', `/api/shares/${id}`, { json: { expiration } })

  async function seenExpiration(id: string): Promise<string> {
    const visitor = createClient(floe.url)
    await openShare(visitor, id)
    const response = await visitor.send('GET', `/api/shares/${id}`)
    expect(response.status, response.text).toBe(200)
    return (response.body as { expiration: string }).expiration
  }

  test('is had where no maximum is set, made so or changed to it', async () => {
    const { id } = await publishShare(owner, { 'a.txt': 'a' }, { expiration: 'never' })
    expect(await seenExpiration(id)).toBe(epoch)
    expect((await change(id, '2-days')).status).toBe(200)
    expect(await seenExpiration(id)).not.toBe(epoch)
    expect((await change(id, 'never')).body).toMatchObject({ expiration: epoch })
    expect(await seenExpiration(id)).toBe(epoch)
    // What the wire says for "never" is no date to ask for.
    expect(codeOf(await change(id, epoch))).toBe('validation_failed')
  })

  test('is refused under a maximum, made so or changed to it, to administrators as well', async () => {
    const { id } = await publishShare(owner, { 'a.txt': 'a' }, { expiration: '1-hour' })
    const before = await seenExpiration(id)
    await limitTo(24)
    // Every part knows within seconds.
    await vi.waitFor(
      async () => {
        expect(codeOf(await create(owner, 'never'))).toBe('share_expiration_too_long')
        expect(codeOf(await change(id, 'never'))).toBe('share_expiration_too_long')
      },
      { timeout: 10_000, interval: 100 },
    )
    for (const client of [owner, admin]) {
      for (const expiration of ['never', '25-hours', '1441-minutes']) {
        const response = await create(client, expiration)
        expect([response.status, codeOf(response)]).toEqual([400, 'share_expiration_too_long'])
      }
      expect((await create(client, '24-hours')).status).toBe(201)
    }
    expect(codeOf(await change(id, 'never'))).toBe('share_expiration_too_long')
    expect((await change(id, '24-hours')).status).toBe(200)
    expect(await seenExpiration(id)).not.toBe(epoch)
    expect(Date.parse(await seenExpiration(id))).toBeGreaterThan(Date.parse(before))
    await limitTo('')
    await vi.waitFor(async () => expect((await change(id, 'never')).status).toBe(200), 10_000)
  })

  test('is had by administrators alone under a maximum that they may exceed', async () => {
    await limitTo(24)
    await configure('share.adminsMayExceedExpiration', true)
    onTestFinished(async () => {
      await limitTo('')
      await configure('share.adminsMayExceedExpiration', '')
    })
    // Every part knows within seconds.
    await vi.waitFor(
      async () => {
        expect((await create(admin, '25-hours')).status).toBe(201)
        expect(codeOf(await create(owner, '25-hours'))).toBe('share_expiration_too_long')
      },
      { timeout: 10_000, interval: 100 },
    )
    const { id } = await publishShare(admin, { 'a.txt': 'a' }, { expiration: 'never' })
    expect(await seenExpiration(id)).toBe(epoch)

    // Decided when the share is completed, or for the share of somebody else.
    const draft = newShareId()
    await admin.send('POST', '/api/shares', {
      json: { id: draft, expiration: '1-day', recipients: [] },
    })
    await addFile(admin, draft, 'a.txt', 'a')
    const completed = await admin.send('POST', `/api/shares/${draft}/complete`, {
      json: { expiration: 'never' },
    })
    expect(completed).toMatchObject({ status: 202, body: { expiration: epoch } })
    const other = await publishShare(owner, { 'a.txt': 'a' }, { expiration: '1-day' })
    expect(codeOf(await change(other.id, 'never'))).toBe('share_expiration_too_long')
    const prolonged = await admin.send('PATCH', `/api/shares/${other.id}`, {
      json: { expiration: '1-year' },
    })
    expect(prolonged.status, prolonged.text).toBe(200)

    const makeLink = (client: Client) =>
      client.send('POST', '/api/reverseShares', {
        json: {
          shareExpiration: '2-days',
          maxShareSize: '1000',
          maxUseCount: 1,
          sendEmailNotification: false,
        },
      })
    expect((await makeLink(admin)).status).toBe(201)
    expect(codeOf(await makeLink(owner))).toBe('share_expiration_too_long')
  })
})

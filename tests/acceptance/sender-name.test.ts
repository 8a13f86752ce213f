import { beforeAll, expect, test } from 'vitest'
import { newAccount, signUp } from './world/accounts.ts'
import { onBothArrangements } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { openShare, publishShare } from './world/shares.ts'

onBothArrangements('the name of a sender', (floe) => {
  const account = newAccount()
  let owner: Client
  beforeAll(async () => {
    owner = await signUp(floe, account)
  })

  /** All that the page of a share and the API tell this client. */
  async function readAll(client: Client, id: string) {
    const closed = await client.send('GET', `/share/${id}`)
    expect((await openShare(client, id)).status).toBe(200)
    const share = await client.send('GET', `/api/shares/${id}`)
    expect(share.status, share.text).toBe(200)
    const open = await client.send('GET', `/share/${id}`)
    return { share, pages: [closed.text, open.text] }
  }

  const setShown = async (showName: boolean) => {
    const response = await owner.send('PATCH', '/api/users/me', { json: { showName } })
    expect(response).toMatchObject({ status: 200, body: { showName } })
  }

  test('is told to visitors, and never the address', async () => {
    const { id } = await publishShare(owner, { 'a.txt': 'a' })
    const { share, pages } = await readAll(createClient(floe.url), id)
    expect(share.body).toMatchObject({ creator: { username: account.username } })
    expect(share.body).not.toHaveProperty('isOwn')
    for (const page of pages) expect(page).toContain(account.username)
    for (const text of [share.text, ...pages]) expect(text).not.toContain(account.email)
  })

  test('is told to nobody once that is turned off, of older shares neither', async () => {
    const { id } = await publishShare(owner, { 'a.txt': 'a' })
    await setShown(false)
    const { share, pages } = await readAll(createClient(floe.url), id)
    expect(share.body).not.toHaveProperty('creator')
    for (const text of [share.text, ...pages]) expect(text).not.toContain(account.username)
    await setShown(true)
    const again = await readAll(createClient(floe.url), id)
    expect(again.share.body).toMatchObject({ creator: { username: account.username } })
  })

  test('does not decide who may edit: the share is the own one of its owner alone', async () => {
    const { id } = await publishShare(owner, { 'a.txt': 'a' })
    await setShown(false)
    const [own, other] = [await readAll(owner, id), await readAll(await signUp(floe), id)]
    expect(own.share.body).toMatchObject({ isOwn: true })
    expect(own.share.body).not.toHaveProperty('creator')
    expect(other.share.body).not.toHaveProperty('isOwn')
    await setShown(true)
  })

  test('cannot be set to anything but on or off', async () => {
    for (const showName of ['yes', 1, [], {}]) {
      const response = await owner.send('PATCH', '/api/users/me', { json: { showName } })
      expect(response.status).toBe(400)
    }
    const kept = await owner.send('GET', '/api/users/me')
    expect(kept.body).toMatchObject({ showName: true })
  })
})

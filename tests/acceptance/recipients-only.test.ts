import { randomBytes } from 'node:crypto'
import { type RunningFloe, type SmtpCatcher, startFloe, startSmtpCatcher } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAccount, signUp } from './world/accounts.ts'
import { ownArrangements } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { changeSettings, readEmailToken, sendMailsTo } from './world/mail.ts'
import { addFile, completeShare, newShareId, openShare } from './world/shares.ts'

const newAddress = () => `${randomBytes(5).toString('hex')}@recipients.test`

// A Floe of its own, with a mail server.
describe.each(ownArrangements)('a share for its recipients alone, %s', (arrangement) => {
  let floe: RunningFloe
  let catcher: SmtpCatcher
  let owner: Client
  beforeAll(async () => {
    catcher = await startSmtpCatcher()
    floe = await startFloe({ arrangement })
    const admin = await signUp(floe)
    await changeSettings(admin, [{ key: 'email.enableShareEmailRecipients', value: true }])
    await sendMailsTo(catcher, admin)
    owner = await signUp(floe)
  })
  afterAll(async () => {
    await floe?.stop()
    await catcher?.stop()
  })

  async function publishFor(recipients: string[]) {
    const id = newShareId()
    const security = { restrictToRecipients: true }
    const json = { id, expiration: '7-days', recipients, security }
    const created = await owner.send('POST', '/api/shares', { json })
    expect(created.status, created.text).toBe(201)
    await addFile(owner, id, 'secret.txt', 'the secret content')
    await addFile(owner, id, 'other.txt', 'the other content')
    await completeShare(owner, id)
    const { body } = await owner.send('GET', `/api/shares/${id}/from-owner`)
    const [file] = (body as { files: { id: string; name: string }[] }).files
    return { id, fileId: file?.id ?? '' }
  }

  /** Everything that a link leads to, in the order of its doors. */
  const doorsOf = ({ id, fileId }: { id: string; fileId: string }) => [
    `/api/shares/${id}`,
    `/api/shares/${id}/metaData`,
    `/api/shares/${id}/files/${fileId}`,
    `/api/shares/${id}/files/${fileId}?download=false`,
    `/api/shares/${id}/files/${fileId}/thumbnail`,
    `/api/shares/${id}/files/zip`,
    `/api/shares/${id}/files/zip?files=${fileId}`,
    `/api/shares/${id}/sha256sums`,
  ]

  async function readCode(to: string): Promise<string> {
    const messages = await catcher.waitForMessages(2, { to, timeoutMs: 20_000 })
    return /^(\d{6})$/m.exec(messages.at(-1)?.text ?? '')?.[1] ?? ''
  }

  test('is closed at every door, and its page tells nothing of it', async () => {
    const share = await publishFor([newAddress()])
    for (const visitor of [createClient(floe.url), await signUp(floe)]) {
      for (const path of doorsOf(share)) {
        const response = await visitor.send('GET', path)
        expect([403, 404], path).toContain(response.status)
        expect(response.text, path).not.toMatch(/secret|content/)
      }
      const page = await visitor.send('GET', `/share/${share.id}`)
      expect(page.text).not.toContain('secret.txt')
      expect(page.text).toContain('For recipients only')
      expect((await openShare(visitor, share.id)).body).toMatchObject({
        code: 'share_recipient_required',
      })
    }
  })

  test('opens by the code that a recipient is sent', async () => {
    const email = newAddress()
    const share = await publishFor([email])
    await catcher.waitForMessages(1, { to: email, timeoutMs: 20_000 })
    const visitor = createClient(floe.url)
    const path = `/api/shares/${share.id}`
    const asked = await visitor.send('POST', `${path}/code`, { json: { email } })
    expect(asked).toMatchObject({ status: 202, text: '' })
    const json = { email, code: await readCode(email) }
    const opened = await visitor.send('POST', `${path}/token`, { json })
    expect(opened.status, opened.text).toBe(200)
    const file = await visitor.send('GET', `${path}/files/${share.fileId}`)
    expect(file).toMatchObject({ status: 200 })
    const page = await visitor.send('GET', `/share/${share.id}`)
    expect(page.text).toContain('secret.txt')
    const again = await createClient(floe.url).send('POST', `${path}/token`, { json })
    expect(again).toMatchObject({ status: 403, body: { code: 'invalid_share_code' } })
  })

  test('opens for the account of a recipient who has proven the address, and for no other', async () => {
    const account = newAccount()
    const guest = await signUp(floe, account)
    const share = await publishFor([account.email])
    expect((await openShare(guest, share.id)).status).toBe(403)
    // A confirmed change of the address proves it.
    const email = newAddress()
    const change = { email, password: account.password }
    expect((await guest.send('PATCH', '/api/users/me', { json: change })).status).toBe(200)
    const token = await readEmailToken(catcher, email)
    await guest.send('POST', '/api/auth/verify', { json: { token } })
    const second = await publishFor([email])
    expect((await openShare(guest, second.id)).status).toBe(200)
    const file = await guest.send('GET', `/api/shares/${second.id}/files/${second.fileId}`)
    expect(file.status).toBe(200)
  })
})

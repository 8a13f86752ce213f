import { randomBytes } from 'node:crypto'
import { type RunningFloe, type SmtpCatcher, startFloe, startSmtpCatcher } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Account, newAccount, signIn, signUp } from '../world/accounts.ts'
import { ownArrangements } from '../world/arrangements.ts'
import { type Client, createClient } from '../world/http-client.ts'
import { changeSettings, sendMailsTo } from '../world/mail.ts'
import { beginSending, complete, createReverseShare, openSender } from '../world/reverse-shares.ts'
import { addFile, completeShare, createShare, newShareId } from '../world/shares.ts'

const newAddress = () => `${randomBytes(5).toString('hex')}@recipients.test`

// A Floe of its own: nobody else may send mails, and it is killed in the middle.
describe.each(ownArrangements)('the mails of shares, %s', (arrangement) => {
  let floe: RunningFloe
  let catcher: SmtpCatcher
  let owner: Client
  const admin: Account = newAccount()
  const account: Account = newAccount()

  beforeAll(async () => {
    catcher = await startSmtpCatcher()
    floe = await startFloe({ arrangement })
    const client = await signUp(floe, admin)
    await changeSettings(client, [{ key: 'email.enableShareEmailRecipients', value: true }])
    await sendMailsTo(catcher, client)
    owner = await signUp(floe, account)
  })
  afterAll(async () => {
    await floe?.stop()
    await catcher?.stop()
  })

  async function publishFor(recipients: string[], options = {}): Promise<string> {
    const id = newShareId()
    const json = { id, expiration: '7-days', recipients, ...options }
    const created = await owner.send('POST', '/api/shares', { json })
    expect(created.status, created.text).toBe(201)
    await addFile(owner, id, 'a.txt', 'for you')
    await completeShare(owner, id)
    return id
  }
  const messagesTo = (addresses: readonly string[]) =>
    catcher.messages.filter(({ to }) => addresses.some((address) => to.includes(address)))
  const waitForAll = async (addresses: readonly string[], timeoutMs = 20_000) => {
    for (const to of addresses) await catcher.waitForMessages(1, { to, timeoutMs })
  }
  /** Whatever else was on its way would have come before what is asked for now. */
  async function letOthersArrive(): Promise<void> {
    const probe = newAddress()
    await publishFor([probe])
    await waitForAll([probe])
  }

  test('recipients get one message each with note, link and end, none by completing again', async () => {
    const recipients = [newAddress(), newAddress(), newAddress()]
    const id = await publishFor(recipients, { description: 'Have a look', name: 'Holiday' })
    await waitForAll(recipients)
    for (let round = 0; round < 2; round += 1) {
      expect((await owner.send('DELETE', `/api/shares/${id}/complete`)).status).toBe(200)
      await completeShare(owner, id)
    }
    await letOthersArrive()
    const messages = messagesTo(recipients)
    expect(messages.flatMap(({ to }) => to).sort()).toEqual([...recipients].sort())
    for (const { text, source, to } of messages) {
      expect(text).toContain(`${account.username} shared files with you`)
      expect(text).toContain('Have a look')
      expect(text).toContain(`/s/${id}`)
      expect(text).toContain('in 7 days')
      for (const other of recipients.filter((address) => !to.includes(address))) {
        expect(source).not.toContain(other)
      }
    }
  })

  test('recipients added later are told at once, and the others are not told again', async () => {
    const [first, second] = [newAddress(), newAddress()]
    const id = await publishFor([first])
    await waitForAll([first])
    const json = { recipients: [first, second] }
    const changed = await owner.send('PATCH', `/api/shares/${id}`, { json })
    expect(changed.status, changed.text).toBe(200)
    await waitForAll([second])
    await letOthersArrive()
    expect(messagesTo([first, second])).toHaveLength(2)
  })

  test('none is lost or sent twice when every process is killed between them', async () => {
    const recipients = [newAddress(), newAddress(), newAddress()]
    catcher.keepWaiting(true)
    await publishFor(recipients)
    await waitForAll(recipients.slice(0, 1), 20_000)
    await floe.kill()
    catcher.keepWaiting(false)
    const before = messagesTo(recipients).length
    expect(before).toBeGreaterThan(0)
    await floe.restart()
    owner = await signIn(floe.url, account)
    // A job of a dead worker is taken up by another after half a minute.
    await waitForAll(recipients, 90_000)
    await letOthersArrive()
    expect(
      messagesTo(recipients)
        .flatMap(({ to }) => to)
        .sort(),
    ).toEqual([...recipients].sort())
  })

  test('none is lost or sent twice when the mail server or everything restarts', async () => {
    const recipients = [newAddress(), newAddress(), newAddress()]
    await catcher.stop()
    await publishFor(recipients)
    await floe.restart()
    owner = await signIn(floe.url, account)
    await catcher.start()
    await waitForAll(recipients, 90_000)
    await letOthersArrive()
    expect(messagesTo(recipients)).toHaveLength(3)
  })

  test('the owner of a reverse share is told of what was sent, once', async () => {
    const token = await createReverseShare(owner, { sendEmailNotification: true })
    const silent = await createReverseShare(owner)
    const sender = openSender(floe, token)
    const before = messagesTo([account.email]).length
    const id = await beginSending(sender, { 'a.txt': 'for you' })
    const completed = await complete(sender, id)
    expect(completed).toMatchObject({ status: 202, body: { notifyReverseShareCreator: true } })
    const other = openSender(floe, silent)
    const quiet = await complete(other, await beginSending(other, { 'a.txt': 'for you' }))
    expect(quiet.body).toMatchObject({ notifyReverseShareCreator: false })
    await catcher.waitForMessages(before + 1, { to: account.email })
    await letOthersArrive()
    const messages = messagesTo([account.email]).slice(before)
    expect(messages).toHaveLength(1)
    expect(messages[0]?.text).toContain(`/s/${id}`)
  })

  test('an owner who wants it is told of a download, and of own ones nothing', async () => {
    const id = await createShare(owner)
    const fileId = await addFile(owner, id, 'a.txt', 'for you')
    await completeShare(owner, id)
    const file = `/api/shares/${id}/files/${fileId}`
    const json = { notifyOnDownload: true }
    const wanted = await owner.send('PATCH', `/api/shares/${id}`, { json })
    expect(wanted.body).toMatchObject(json)
    const before = messagesTo([account.email]).length
    expect((await owner.send('GET', file)).status).toBe(200)
    await letOthersArrive()
    expect(messagesTo([account.email])).toHaveLength(before)
    for (const path of [file, `/api/shares/${id}/files/zip`, file]) {
      expect((await createClient(floe.url).send('GET', path)).status).toBe(200)
    }
    await catcher.waitForMessages(before + 1, { to: account.email })
    await letOthersArrive()
    const messages = messagesTo([account.email]).slice(before)
    expect(messages).toHaveLength(1)
    expect(messages[0]?.text).toContain('was downloaded')
  })
})

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { Overview, OwnShare, ShareView } from '@floe/contracts'
import {
  type ClamdServer,
  infectedText,
  type RunningFloe,
  type SmtpCatcher,
  startClamdServer,
  startFloe,
  startSmtpCatcher,
} from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Account, newAccount, signUp } from './world/accounts.ts'
import { makeToken } from './world/api-tokens.ts'
import { ownArrangements } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { changeSettings, sendMailsTo } from './world/mail.ts'
import { beginSending, complete, createReverseShare, openSender } from './world/reverse-shares.ts'
import {
  addFile,
  codeOf,
  completeShare,
  createShare,
  newShareId,
  openShare,
} from './world/shares.ts'
import { openWebhookReceiver, type WebhookReceiver } from './world/webhook-receiver.ts'

const run = promisify(execFile)
const SCHEDULE_MS = 45_000
const SECRET = 'nobody reads this before it was scanned'

// A Floe of its own: its scanner stops in the middle.
describe.each(ownArrangements)('with a virus scanner, %s', (arrangement) => {
  let clamd: ClamdServer
  let floe: RunningFloe
  let catcher: SmtpCatcher
  let receiver: WebhookReceiver
  let admin: Client
  let owner: Client
  const account: Account = newAccount()

  beforeAll(async () => {
    clamd = await startClamdServer()
    catcher = await startSmtpCatcher()
    receiver = await openWebhookReceiver()
    const environment = {
      CLAMAV_HOST: clamd.host,
      CLAMAV_PORT: String(clamd.port),
      WEBHOOK_NETWORKS: '127.0.0.0/8',
    }
    floe = await startFloe({ arrangement, environment })
    admin = await signUp(floe)
    await changeSettings(admin, [{ key: 'email.enableShareEmailRecipients', value: true }])
    await sendMailsTo(catcher, admin)
    owner = await signUp(floe, account)
    const hook = { url: receiver.url, events: ['file.infected'] }
    expect((await owner.send('POST', '/api/webhooks', { json: hook })).status).toBe(201)
  })
  afterAll(async () => {
    await floe?.stop()
    await catcher?.stop()
    await clamd?.close()
    receiver?.server.close()
  })

  const newAddress = () => `${randomBytes(5).toString('hex')}@recipients.test`

  /** Completed while the scanner stands still; returns its id and those of its files. */
  async function publish(files: Record<string, string>, recipients: string[] = []) {
    const id = newShareId()
    const json = { id, expiration: '7-days', recipients }
    expect((await owner.send('POST', '/api/shares', { json })).status).toBe(201)
    const fileIds: string[] = []
    for (const [name, text] of Object.entries(files)) {
      fileIds.push(await addFile(owner, id, name, text))
    }
    await completeShare(owner, id)
    return { id, fileIds }
  }

  /** Every address that may tell a visitor something of the share. */
  const doorsOf = ({ id, fileIds }: { id: string; fileIds: readonly string[] }) => [
    `/api/shares/${id}`,
    `/api/shares/${id}/metaData`,
    `/api/shares/${id}/files/zip`,
    `/api/shares/${id}/files/zip?folder=a`,
    `/api/shares/${id}/files/SHA256SUMS`,
    ...fileIds.flatMap((fileId) => [
      `/api/shares/${id}/files/${fileId}`,
      `/api/shares/${id}/files/${fileId}?download=false`,
      `/api/shares/${id}/files/${fileId}/thumbnail`,
    ]),
    `/share/${id}`,
    `/s/${id}`,
  ]

  async function expectClosed(client: Client, share: { id: string; fileIds: readonly string[] }) {
    for (const path of doorsOf(share)) {
      const { status, text } = await client.send('GET', path, { headers: { Range: 'bytes=0-' } })
      expect(text, path).not.toContain(SECRET)
      expect(text, path).not.toContain(infectedText)
      if (path.startsWith('/api/')) expect(status, path).toBe(503)
    }
    expect(codeOf(await openShare(client, share.id))).toBe('share_being_scanned')
  }

  async function readOwn(id: string): Promise<OwnShare | undefined> {
    const { body } = await owner.send('GET', '/api/shares')
    return (body as OwnShare[]).find((share) => share.id === id)
  }

  async function untilOpen(id: string, timeoutMs = SCHEDULE_MS): Promise<Client> {
    const visitor = createClient(floe.url)
    const opened = async () => (await openShare(visitor, id)).status
    await expect.poll(opened, { timeout: timeoutMs }).toBe(200)
    return visitor
  }

  async function filesOf(visitor: Client, id: string): Promise<ShareView['files']> {
    const response = await visitor.send('GET', `/api/shares/${id}`)
    expect(response.status, response.text).toBe(200)
    return (response.body as ShareView).files
  }

  test('a share opens, and recipients are told, once all its files were scanned', async () => {
    clamd.freeze()
    const recipient = newAddress()
    const share = await publish({ 'a/one.txt': SECRET, 'b.txt': SECRET }, [recipient])
    expect(await readOwn(share.id)).toMatchObject({ waitsForScan: true })
    await expectClosed(createClient(floe.url), share)
    await expectClosed(owner, share)
    expect(catcher.messages.filter(({ to }) => to.includes(recipient))).toEqual([])

    clamd.thaw()
    const visitor = await untilOpen(share.id)
    const files = await filesOf(visitor, share.id)
    expect(files.map(({ scan }) => scan)).toEqual([{ state: 'clean' }, { state: 'clean' }])
    const [first = ''] = share.fileIds
    const read = await visitor.send('GET', `/api/shares/${share.id}/files/${first}`)
    expect(read.text).toBe(SECRET)
    await catcher.waitForMessages(1, { to: recipient, timeoutMs: 20_000 })
    expect(await readOwn(share.id)).not.toHaveProperty('waitsForScan')
  })

  test('an infected file is removed for everybody, and owner and administrators are told', async () => {
    const share = await publish({ 'bad.com': infectedText, 'good.txt': 'harmless' })
    const visitor = await untilOpen(share.id)
    const [bad] = await filesOf(visitor, share.id)
    expect(bad?.scan).toMatchObject({ state: 'infected' })
    const [badId = ''] = share.fileIds
    for (const client of [visitor, owner]) {
      const refused = await client.send('GET', `/api/shares/${share.id}/files/${badId}`)
      expect(refused.status).toBe(403)
      expect(codeOf(refused)).toBe('file_infected')
    }
    const archive = await visitor.send('GET', `/api/shares/${share.id}/files/zip`)
    expect(archive.status).toBe(200)
    expect(archive.text).toContain('good.txt')
    expect(archive.text).not.toContain('bad.com')

    const messages = await catcher.waitForMessages(1, { to: account.email, timeoutMs: 20_000 })
    expect(messages.map(({ text }) => text).join()).toContain('bad.com')
    const { body } = await receiver.hear('file.infected', { shareId: share.id })
    expect(body.data).toMatchObject({ fileName: 'bad.com', threat: bad?.scan?.threat })
    const overview = async () => (await admin.send('GET', '/api/admin/overview')).body as Overview
    expect((await overview()).antivirus).toMatchObject({ isReachable: true, infected: 1 })
    const actions = async () => (await overview()).audit.map(({ action }) => action)
    await expect.poll(actions, { timeout: 20_000 }).toContain('file.infected')
  })

  test('a scanner that is killed holds shares until it is back', async () => {
    await clamd.stop()
    const share = await publish({ 'a/one.txt': SECRET })
    await expectClosed(createClient(floe.url), share)
    const { antivirus } = (await admin.send('GET', '/api/admin/overview')).body as Overview
    expect(antivirus).toMatchObject({ isReachable: false, waiting: 1 })
    await clamd.start()
    await untilOpen(share.id)
  })

  test('an edit is seen once its files were scanned, and until then what was there before', async () => {
    const share = await publish({ 'old.txt': 'old' })
    const visitor = await untilOpen(share.id)
    clamd.freeze()
    expect((await owner.send('DELETE', `/api/shares/${share.id}/complete`)).status).toBe(200)
    await addFile(owner, share.id, 'new.txt', SECRET)
    await completeShare(owner, share.id)
    const names = async () => (await filesOf(visitor, share.id)).map(({ name }) => name)
    expect(await names()).toEqual(['old.txt'])
    expect(await readOwn(share.id)).toMatchObject({ waitsForScan: true })
    clamd.thaw()
    await expect.poll(names, { timeout: SCHEDULE_MS }).toEqual(['new.txt', 'old.txt'])
  })

  test('what is sent through a reverse share is held too, and its owner told afterwards', async () => {
    clamd.freeze()
    const token = await createReverseShare(owner, { sendEmailNotification: true })
    const sender = openSender(floe, token)
    const id = await beginSending(sender, { 'a.txt': SECRET })
    const received = async () =>
      catcher.messages.filter(({ text }) => text?.includes(`/s/${id}`)).length
    expect((await complete(sender, id)).status).toBe(202)
    expect(codeOf(await owner.send('GET', `/api/shares/${id}`))).toBe('share_being_scanned')
    expect(await received()).toBe(0)
    clamd.thaw()
    await expect.poll(received, { timeout: SCHEDULE_MS }).toBe(1)
    expect((await filesOf(owner, id)).map(({ scan }) => scan?.state)).toEqual(['clean'])
  })

  test('what curl sends is held as well', async () => {
    clamd.freeze()
    const { token } = await makeToken(owner, { scopes: ['shares:write'] })
    const { stdout } = await run('curl', [
      ...['-sS', '-H', `Authorization: Bearer ${token}`],
      ...['-X', 'PUT', '--data-binary', SECRET, `${floe.url}/up/a.txt`],
    ])
    const id = stdout.trim().split('/').at(-1) ?? ''
    await expectClosed(createClient(floe.url), { id, fileIds: [] })
    clamd.thaw()
    await untilOpen(id)
  })

  test('a share that is opened early waits for its completion', async () => {
    const id = await createShare(owner)
    await addFile(owner, id, 'a.txt', SECRET)
    const opened = await owner.send('POST', `/api/shares/${id}/openEarly`, { json: {} })
    expect(opened.status, opened.text).toBeLessThan(300)
    expect(codeOf(await openShare(createClient(floe.url), id))).toBe('share_being_scanned')
    await completeShare(owner, id)
    await untilOpen(id)
  })

  test('marked instead of held, shares open at once, and infected files are removed', async () => {
    await changeSettings(admin, [{ key: 'antivirus.policy', value: 'mark' }])
    const id = await createShare(owner)
    clamd.freeze()
    await addFile(owner, id, 'bad.com', infectedText)
    await completeShare(owner, id)
    const visitor = await untilOpen(id)
    expect((await filesOf(visitor, id)).map(({ scan }) => scan?.state)).toEqual(['not_scanned'])
    clamd.thaw()
    const states = async () => (await filesOf(visitor, id)).map(({ scan }) => scan?.state)
    await expect.poll(states, { timeout: SCHEDULE_MS }).toEqual(['infected'])
  })
})

import {
  type ReleaseServer,
  type RunningFloe,
  type SmtpCatcher,
  startFloe,
  startReleaseServer,
  startSmtpCatcher,
} from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Account, newAccount, signIn, signUp } from '../world/accounts.ts'
import { ownArrangements } from '../world/arrangements.ts'
import { type Client } from '../world/http-client.ts'
import { changeSettings, requestPasswordReset, sendMailsTo } from '../world/mail.ts'
import { publishShare } from '../world/shares.ts'

let releases: ReleaseServer
beforeAll(async () => {
  releases = await startReleaseServer({ version: '99.0.0', url: 'https://floe.example/99' })
})
afterAll(() => releases?.stop())

// A Floe of its own: others are told of nothing. Jobs that are due each hour run at each start.
describe.each(ownArrangements)('notices to administrators, %s', (arrangement) => {
  let floe: RunningFloe
  let catcher: SmtpCatcher
  let admin: Client
  const account: Account = newAccount()

  beforeAll(async () => {
    catcher = await startSmtpCatcher()
    const environment = { GITHUB_API_URL: releases.url }
    floe = await startFloe({ arrangement, environment })
    admin = await signUp(floe, account)
    // The disk of this machine may be full.
    await changeSettings(admin, [{ key: 'notices.storage', value: false }])
    await sendMailsTo(catcher, admin)
  })
  afterAll(async () => {
    await floe?.stop()
    await catcher?.stop()
  })

  const messages = () => catcher.messages.filter(({ to }) => to.includes(account.email))
  const subjects = () => messages().map(({ subject }) => subject)
  async function restart(): Promise<void> {
    await floe.restart()
    admin = await signIn(floe.url, account)
  }
  /** An account that the audit log knows of, which is where new ones are found. */
  async function addGuest(): Promise<Account> {
    const guest = newAccount()
    await signUp(floe, guest)
    const made = `/api/admin/audit?action=user.registered&target=${guest.username}`
    await expect.poll(async () => (await admin.send('GET', made)).body).toHaveLength(1)
    return guest
  }
  /** What arrives beside what is told of a new account: later ones come after all that was owed before. */
  async function lookTwice(): Promise<string[]> {
    const before = messages().length
    for (const round of [1, 2]) {
      await addGuest()
      await restart()
      await catcher.waitForMessages(before + round, { to: account.email, timeoutMs: 60_000 })
    }
    return subjects().slice(before)
  }

  test('somebody who signs up is told to the administrator once that is wanted', async () => {
    await changeSettings(admin, [{ key: 'notices.newAccount', value: true }])
    const guest = await addGuest()
    await restart()
    await catcher.waitForMessages(1, { to: account.email, timeoutMs: 60_000 })
    const [message] = messages()
    expect(message?.subject).toMatch(/^New accounts: \d$/)
    expect(message?.text).toContain(guest.username)
    expect(message?.text).toContain('/admin/config/notices#notices.newAccount')
  })

  test('storage, failed jobs and a release are told once each', async () => {
    const publisher = await signIn(floe.url, await addGuest())
    await publishShare(publisher, { 'a.txt': 'x'.repeat(1_000) })
    await changeSettings(admin, [
      { key: 'general.releaseRepository', value: 'floe/floe' },
      { key: 'share.totalStorageLimit', value: 1_050 },
      { key: 'notices.storage', value: true },
    ])
    catcher.refuse('for good')
    const refused = catcher.refusals
    await requestPasswordReset(floe.url, account.email)
    await expect.poll(() => catcher.refusals, { timeout: 30_000 }).toBeGreaterThan(refused)
    await expect
      .poll(async () => (await admin.send('GET', '/api/admin/overview')).body, { timeout: 30_000 })
      .toMatchObject({ jobs: { failed: [expect.anything()] } })
    catcher.refuse(null)
    const before = messages().length
    await addGuest()
    await restart()
    await catcher.waitForMessages(before + 4, { to: account.email, timeoutMs: 60_000 })
    expect(subjects().slice(before).sort()).toEqual([
      'Failed jobs: 1',
      'New accounts: 2',
      expect.stringMatching(/^Storage is \d+% full$/),
      'Version 99.0.0 is available',
    ])
    expect(await lookTwice()).toEqual(['New accounts: 1', 'New accounts: 1'])
  })

  test('none is lost when every process is killed before it was sent', async () => {
    catcher.refuse('for now')
    const guest = await addGuest()
    const refused = catcher.refusals
    await floe.restart()
    await expect.poll(() => catcher.refusals, { timeout: 60_000 }).toBeGreaterThan(refused)
    const before = messages().length
    await floe.kill()
    catcher.refuse(null)
    await restart()
    // A job of a dead worker is taken up by another after half a minute.
    await catcher.waitForMessages(before + 1, { to: account.email, timeoutMs: 120_000 })
    expect(messages().at(-1)?.text).toContain(guest.username)
    expect(await lookTwice()).toEqual(['New accounts: 1', 'New accounts: 1'])
  })
})

import { randomUUID } from 'node:crypto'
import { type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Browser } from '../testing/browser.ts'
import { openShareWorld, publishShare, type ShareWorld } from '../testing/share-world.ts'

let world: ShareWorld
let catcher: SmtpCatcher
let owner: Browser
let ownAddress: string

beforeAll(async () => {
  world = await openShareWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  world.now = new Date('2026-05-01T12:00:00.000Z')
  catcher = await startSmtpCatcher()
  world.useSmtp(catcher)
  world.settings['share.allowUnauthenticatedShares'] = false
  await world.takeOwedMails()
  const { browser, identity } = world.signIn()
  owner = browser
  ownAddress = identity.email
})
afterEach(async () => {
  await catcher.stop()
  expect(world.failures).toEqual([])
})

const hour = 3_600_000
const later = (ms: number) => {
  world.now = new Date(world.now.getTime() + ms)
}
const newAddresses = (count: number) =>
  Array.from({ length: count }, () => `${randomUUID().slice(0, 8)}@example.org`)
async function sendOwed(): Promise<void> {
  for (const mailId of await world.takeOwedMails()) await world.run('send-share-mail', { mailId })
}
const receivers = () => catcher.messages.flatMap(({ to }) => to)

describe('a download', () => {
  const download = async (id: string) =>
    world.run('note-share-download', { shareUid: await world.uidOf(id) })

  it('is told to an owner who wants it, once an hour at most', async () => {
    const id = await publishShare(world, owner, { name: 'Holiday', notifyOnDownload: true })
    const silent = await publishShare(world, owner)
    await download(silent)
    for (const minutes of [0, 30, 29]) {
      later(minutes * 60_000)
      await Promise.all([download(id), download(id)])
    }
    await sendOwed()
    expect(receivers()).toEqual([ownAddress])
    expect(catcher.messages[0]?.text).toContain('Your share Holiday was downloaded')
    later(60_000)
    await download(id)
    await sendOwed()
    expect(receivers()).toEqual([ownAddress, ownAddress])
  })

  it('is told from when the owner asks for it', async () => {
    const id = await publishShare(world, owner)
    const want = (notifyOnDownload: boolean) =>
      owner.send('PATCH', `/api/shares/${id}`, { body: { notifyOnDownload } })
    expect((await want(true)).body).toMatchObject({ notifyOnDownload: true })
    await download(id)
    await sendOwed()
    expect(receivers()).toEqual([ownAddress])
    await want(false)
    later(2 * hour)
    await download(id)
    expect(await world.takeOwedMails()).toEqual([])
  })

  it('of a share without an account is told to nobody', async () => {
    world.settings['share.allowUnauthenticatedShares'] = true
    const id = await publishShare(world, world.visit(), { notifyOnDownload: true })
    await download(id)
    expect(await world.takeOwedMails()).toEqual([])
    await world.run('note-share-download', { shareUid: randomUUID() })
  })
})

describe('a reminder', () => {
  const remind = () => world.run('remind-share-owners')

  it('comes a day before the end of a share that nobody downloaded, once', async () => {
    const options = { name: 'Holiday', recipients: newAddresses(1), expiration: '3-days' }
    const id = await publishShare(world, owner, options)
    await world.takeOwedMails()
    later(48 * hour - 1)
    await remind()
    expect(await world.takeOwedMails()).toEqual([])
    later(1)
    await remind()
    await remind()
    await sendOwed()
    await remind()
    await sendOwed()
    expect(receivers()).toEqual([ownAddress])
    expect(catcher.messages[0]?.text).toContain('Nobody has downloaded your share Holiday yet')
    expect(catcher.messages[0]?.text).toContain('in 24 hours')

    await owner.send('PATCH', `/api/shares/${id}`, { body: { expiration: '3-days' } })
    await remind()
    expect(await world.takeOwedMails()).toEqual([])
    later(48 * hour)
    await remind()
    await sendOwed()
    expect(receivers()).toEqual([ownAddress, ownAddress])
  })

  it('comes for no share without recipients, downloaded, short-lived or unfinished', async () => {
    const recipients = newAddresses(1)
    await publishShare(world, owner, { expiration: '3-days' })
    const downloaded = await publishShare(world, owner, { expiration: '3-days', recipients })
    await world.run('note-share-download', { shareUid: await world.uidOf(downloaded) })
    await publishShare(world, owner, { expiration: 'never', recipients })
    later(48 * hour)
    await publishShare(world, owner, { expiration: '24-hours', recipients })
    await world.takeOwedMails()
    await remind()
    expect(await world.takeOwedMails()).toEqual([])
  })

  it('waits until mails can be sent', async () => {
    await publishShare(world, owner, { expiration: '3-days', recipients: newAddresses(1) })
    await world.takeOwedMails()
    later(48 * hour)
    world.settings['smtp.enabled'] = false
    await remind()
    expect(await world.takeOwedMails()).toEqual([])
    world.settings['smtp.enabled'] = true
    await remind()
    expect(await world.takeOwedMails()).toHaveLength(1)
  })
})

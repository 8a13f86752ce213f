import { randomUUID } from 'node:crypto'
import { type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Browser } from '../testing/browser.ts'
import { createReverseShare, sendShare } from '../testing/reverse-shares.ts'
import {
  newShareId,
  openShareWorld,
  publishShare,
  shareInput,
  type ShareWorld,
} from '../testing/share-world.ts'

let world: ShareWorld
let catcher: SmtpCatcher
let owner: Browser
/** How many files of every share wait for the scanner. */
let waiting: number

beforeAll(async () => {
  world = await openShareWorld()
  catcher = await startSmtpCatcher()
})
afterAll(async () => {
  await catcher.stop()
  await world.close()
})
beforeEach(async () => {
  world.useSmtp(catcher)
  waiting = 1
  world.waiting.of = () => waiting
  owner = world.signIn().browser
  await world.takeOwedMails()
})
afterEach(() => {
  world.waiting.of = null
  expect(world.failures).toEqual([])
})

const open = () => world.run('open-scanned-shares')
const scanned = () => {
  waiting = 0
  return open()
}
const codeOf = async (browser: Browser, id: string) => {
  const { body } = await browser.send('GET', `/api/shares/${id}`)
  return (body as { error?: string }).error
}
async function eventsOf(name: string, id: string): Promise<number> {
  const rows = await world.database.knex('outbox').where({ name })
  return rows.filter(({ payload }) => JSON.stringify(payload).includes(id)).length
}
const recipients = () => [`${randomUUID().slice(0, 8)}@example.org`]

describe('an infected file', () => {
  it('is told once to the owner by mail and webhook, and to administrators by the audit log', async () => {
    const { browser, identity } = world.signIn()
    const id = newShareId()
    await browser.send('POST', '/api/shares', { body: shareInput(id, { name: 'Holiday' }) })
    await world.addFile(id)
    const shareUid = await world.uidOf(id)
    const [file] = world.files.get(shareUid) ?? []
    if (file === undefined) throw new Error('no file')
    const infected = { shareUid, fileId: file.id }
    await world.run('tell-infected', infected)
    expect(await world.takeOwedMails()).toEqual([])
    file.scan = { state: 'infected', threat: 'Eicar' }
    // Nobody else sees the draft; its owner has to know.
    for (let time = 0; time < 2; time += 1) await world.run('tell-infected', infected)
    const owed = await world.takeOwedMails()
    expect(new Set(owed).size).toBe(1)
    for (const mailId of owed) await world.run('send-share-mail', { mailId })
    const [message] = await catcher.waitForMessages(1, { to: identity.email })
    expect(message?.subject).toBe('A file contains a virus')
    for (const part of ['Eicar', file.name, 'Holiday', id]) expect(message?.text).toContain(part)
    expect(await eventsOf('act.done', id)).toBe(1)
    const told = await world.database.knex('outbox').where({ name: 'happening.recorded' })
    const about = told.map(({ payload }) => payload as { type: string; data: { shareId?: string } })
    expect(about.filter(({ data }) => data.shareId === id)).toMatchObject([
      {
        type: 'file.infected',
        ownerId: identity.userId,
        data: { shareId: id, name: 'Holiday', fileName: file.name, threat: 'Eicar' },
      },
    ])
  })

  it('of a share that is gone, or of nobody, is told to nobody', async () => {
    await world.run('tell-infected', { shareUid: randomUUID(), fileId: randomUUID() })
    expect(await world.takeOwedMails()).toEqual([])
  })
})

describe('a share whose files wait for the scanner', () => {
  it('is held for everybody, with its mails and webhooks, until none waits', async () => {
    const id = await publishShare(world, owner, { recipients: recipients() })
    for (const browser of [owner, world.visit()]) {
      expect(await codeOf(browser, id)).toBe('share_being_scanned')
      const token = await browser.send('POST', `/api/shares/${id}/token`, { body: {} })
      expect(token.body).toMatchObject({ error: 'share_being_scanned' })
    }
    await open()
    expect(await world.takeOwedMails()).toEqual([])
    expect(await eventsOf('happening.recorded', id)).toBe(0)
    await scanned()
    await open()
    expect(await world.takeOwedMails()).toHaveLength(1)
    expect(await eventsOf('happening.recorded', id)).toBe(1)
    expect(await codeOf(owner, id)).toBeUndefined()
  })

  it('is not held where every file was scanned before it is completed', async () => {
    waiting = 0
    const id = await publishShare(world, owner, { recipients: recipients() })
    expect(await world.takeOwedMails()).toHaveLength(1)
    expect(await codeOf(owner, id)).toBeUndefined()
  })

  it('is shown to its owner and administrators as waiting', async () => {
    const id = await publishShare(world, owner)
    const own = async () => {
      const { body } = await owner.send('GET', '/api/shares')
      return (body as { id: string }[]).find((share) => share.id === id)
    }
    expect(await own()).toMatchObject({ waitsForScan: true })
    await scanned()
    expect(await own()).not.toHaveProperty('waitsForScan')
  })

  it('tells recipients who are added meanwhile once it opens', async () => {
    const id = await publishShare(world, owner)
    const change = { body: { recipients: recipients() } }
    expect((await owner.send('PATCH', `/api/shares/${id}`, change)).status).toBe(200)
    expect(await world.takeOwedMails()).toEqual([])
    await scanned()
    expect(await world.takeOwedMails()).toHaveLength(1)
  })

  it('shows visitors what was there before an edit, however often it is edited', async () => {
    waiting = 0
    const id = await publishShare(world, owner)
    const uid = await world.uidOf(id)
    const edition = async () => {
      const [published] = await world.service.port.publishedEditions({ shareUids: [uid] })
      return published?.edition
    }
    waiting = 1
    for (let round = 0; round < 2; round += 1) {
      await owner.send('DELETE', `/api/shares/${id}/complete`)
      const completed = await owner.send('POST', `/api/shares/${id}/complete`)
      expect(completed.status).toBe(202)
      expect(completed.body).toMatchObject({ id, waitsForScan: true })
      expect(await edition()).toBe(1)
      expect(await codeOf(owner, id)).toBeUndefined()
    }
    await scanned()
    expect(await edition()).toBe(3)
  })

  it('that was never seen is news once an edit of it opens', async () => {
    const id = await publishShare(world, owner, { recipients: recipients() })
    await owner.send('DELETE', `/api/shares/${id}/complete`)
    waiting = 0
    await owner.send('POST', `/api/shares/${id}/complete`)
    expect(await world.takeOwedMails()).toHaveLength(1)
    expect(await eventsOf('happening.recorded', id)).toBe(1)
  })

  it('that is opened early is held until it is completed and scanned', async () => {
    waiting = 0
    const id = newShareId()
    await owner.send('POST', '/api/shares', { body: shareInput(id, { recipients: recipients() }) })
    await world.addFile(id)
    expect((await owner.send('POST', `/api/shares/${id}/openEarly`, { body: {} })).status).toBe(202)
    await open()
    expect(await codeOf(owner, id)).toBe('share_being_scanned')
    expect(await world.takeOwedMails()).toEqual([])
    await owner.send('POST', `/api/shares/${id}/complete`)
    expect(await codeOf(owner, id)).toBeUndefined()
    expect(await world.takeOwedMails()).toHaveLength(1)
  })

  it('that was sent through a reverse share tells its receiver once it opens', async () => {
    const token = await createReverseShare(owner, { sendEmailNotification: true })
    const id = await sendShare(world, { sender: world.visit(), token })
    const received = async () => {
      const { body } = await owner.send('GET', '/api/reverseShares')
      return (body as { shares: { id: string }[] }[])
        .flatMap(({ shares }) => shares)
        .find((share) => share.id === id)
    }
    expect(await received()).toMatchObject({ waitsForScan: true })
    expect(await codeOf(owner, id)).toBe('share_being_scanned')
    expect(await world.takeOwedMails()).toEqual([])
    await scanned()
    expect(await received()).not.toHaveProperty('waitsForScan')
    expect(await world.takeOwedMails()).toHaveLength(1)
    expect(await codeOf(owner, id)).toBeUndefined()
  })
})

import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { mailTexts } from '@floe/mail'
import { type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Browser } from '../testing/browser.ts'
import { createReverseShare, readOwn, sendShare } from '../testing/reverse-shares.ts'
import { openShareWorld, publishShare, type ShareWorld } from '../testing/share-world.ts'

let world: ShareWorld
let catcher: SmtpCatcher
let owner: Browser
let ownAddress: string
let toClose: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  world = await openShareWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  world.now = new Date('2026-05-01T12:00:00.000Z')
  catcher = await startSmtpCatcher()
  toClose = [() => catcher.stop()]
  world.useSmtp(catcher)
  world.settings['share.allowUnauthenticatedShares'] = false
  await world.takeOwedMails()
  const { browser, identity } = world.signIn()
  owner = browser
  ownAddress = identity.email
})
afterEach(async () => {
  for (const close of toClose) await close()
  expect(world.failures).toEqual([])
})

const hour = 3_600_000
const later = (ms: number) => {
  world.now = new Date(world.now.getTime() + ms)
}
const newAddresses = (count: number) =>
  Array.from({ length: count }, () => `${randomUUID().slice(0, 8)}@example.org`).sort()
const send = (mailId: string) => world.run('send-share-mail', { mailId })
async function sendOwed(): Promise<void> {
  for (const mailId of await world.takeOwedMails()) await send(mailId)
}
const receivers = () => catcher.messages.flatMap(({ to }) => to).sort()
const reopen = (id: string) => owner.send('DELETE', `/api/shares/${id}/complete`)
const complete = (id: string) => owner.send('POST', `/api/shares/${id}/complete`)
const setRecipients = (id: string, recipients: string[]) =>
  owner.send('PATCH', `/api/shares/${id}`, { body: { recipients } })

/** A mail server that takes connections and says nothing. */
async function startSilence(): Promise<{ host: string; port: number; reached: Promise<void> }> {
  const server: Server = createServer()
  const sockets = new Set<{ destroy(): void }>()
  const reached = new Promise<void>((resolve) => {
    server.on('connection', (socket) => {
      sockets.add(socket)
      resolve()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  toClose.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port, reached }
}

/** Another process has a message in hand, and waits for a mail server that says nothing. */
async function beginSending() {
  const recipients = newAddresses(1)
  await publishShare(world, owner, { recipients })
  const [mailId = ''] = await world.takeOwedMails()
  const worker = await world.startReplica()
  const silence = await startSilence()
  world.useSmtp(silence)
  const interrupted = worker.run('send-share-mail', { mailId }).catch(() => undefined)
  await silence.reached
  world.useSmtp(catcher)
  const hangUp = async () => {
    for (const close of toClose.splice(1)) await close()
    await interrupted
  }
  return { recipients, mailId, worker, hangUp }
}

async function noteHandover(mailId: string, step: 'handover_began_at' | 'handed_over_at') {
  await world.database
    .knex('share_mails')
    .where({ id: mailId })
    .update({ [step]: world.now })
}

describe('recipients', () => {
  it('get one message each with note, link and end, and see nobody else', async () => {
    const recipients = newAddresses(3)
    const id = await publishShare(world, owner, { recipients, description: 'Have a look' })
    await sendOwed()
    expect(receivers()).toEqual(recipients)
    for (const message of catcher.messages) {
      expect(message.to).toHaveLength(1)
      expect(message.toHeader).toBe(message.to[0])
      expect(message.text).toContain('Have a look')
      expect(message.text).toContain(`/s/${id}`)
      expect(message.text).toContain('in 7 days')
      for (const other of recipients.filter((email) => email !== message.to[0])) {
        expect(message.source).not.toContain(other)
      }
    }
    expect(new Set(catcher.messages.map(({ messageId }) => messageId)).size).toBe(3)
  })

  it('read it in the language of its sender, whatever that is by the time it leaves', async () => {
    owner.cookies.set('language', 'de')
    await publishShare(world, owner, { recipients: newAddresses(1) })
    owner.cookies.set('language', 'ja')
    await sendOwed()
    expect(catcher.messages).toMatchObject([
      {
        subject: expect.stringContaining('hat Dateien für Sie freigegeben'),
        text: expect.stringContaining('in 7 Tagen'),
        html: expect.stringContaining('>Freigabe öffnen</a>'),
      },
    ])
    expect(catcher.messages[0]?.text).not.toContain('Notiz')
  })

  it('see who sent it and respond to that person', async () => {
    const { browser, identity } = world.signIn()
    await publishShare(world, browser, { recipients: newAddresses(1) })
    await sendOwed()
    const [message] = catcher.messages
    expect(message?.subject).toBe(`${identity.username} shared files with you`)
    expect(message?.headers.get('reply-to')).toBe(`${identity.username} <${identity.email}>`)
  })

  it('respond to the address of the server where responses to senders are switched off', async () => {
    world.settings['email.shareRecipientsReplyToCreator'] = false
    const { browser, identity } = world.signIn()
    await publishShare(world, browser, { recipients: newAddresses(1) })
    await sendOwed()
    world.settings['email.shareRecipientsReplyToCreator'] = true
    const [message] = catcher.messages
    expect(message?.subject).toBe(`${identity.username} shared files with you`)
    expect(message?.headers.has('reply-to')).toBe(false)
  })

  it('learn neither name nor address of a sender who does not show them', async () => {
    const { browser, identity } = world.signIn({ showsName: false })
    await publishShare(world, browser, { recipients: newAddresses(1) })
    await sendOwed()
    const [message] = catcher.messages
    expect(message?.subject).toBe('Someone shared files with you')
    for (const secret of [identity.username, identity.email]) {
      expect(message?.source).not.toContain(secret)
    }
  })

  it('get none twice, however often the share is completed', async () => {
    const recipients = newAddresses(2)
    const id = await publishShare(world, owner, { recipients })
    const first = await world.takeOwedMails()
    for (const mailId of first) await send(mailId)
    for (let round = 0; round < 3; round += 1) {
      await reopen(id)
      expect((await complete(id)).status).toBe(202)
    }
    expect(await world.takeOwedMails()).toEqual([])
    // As a relay does that could not forget what it had relayed.
    for (const mailId of first) await send(mailId)
    expect(receivers()).toEqual(recipients)
  })

  it('get one however many processes are told to send it at once', async () => {
    const recipients = newAddresses(3)
    await publishShare(world, owner, { recipients })
    const replica = await world.startReplica()
    toClose.push(() => replica.kill())
    const mailIds = await world.takeOwedMails()
    await Promise.allSettled(
      mailIds.flatMap((mailId) => [
        send(mailId),
        replica.run('send-share-mail', { mailId }),
        send(mailId),
      ]),
    )
    for (const mailId of mailIds) await send(mailId)
    expect(receivers()).toEqual(recipients)
  })

  it('get one each when the worker is killed between them, without waiting', async () => {
    const recipients = newAddresses(3)
    await publishShare(world, owner, { recipients })
    const [first = '', second = '', third = ''] = await world.takeOwedMails()
    const worker = await world.startReplica()
    await worker.run('send-share-mail', { mailId: first })
    const silence = await startSilence()
    world.useSmtp(silence)
    const interrupted = worker.run('send-share-mail', { mailId: second }).catch(() => undefined)
    await silence.reached
    world.useSmtp(catcher)
    await expect(send(second)).rejects.toMatchObject({ code: 'mail_unavailable' })

    await worker.kill()
    for (const mailId of [first, second, third]) await send(mailId)
    expect(receivers()).toEqual(recipients)
    for (const close of toClose.splice(1)) await close()
    await interrupted
    for (const mailId of [first, second, third]) await send(mailId)
    expect(receivers()).toEqual(recipients)
  })

  it('get it though all of it was written once, and no server took it', async () => {
    const { recipients, mailId, worker, hangUp } = await beginSending()
    await noteHandover(mailId, 'handed_over_at')
    await hangUp()
    await send(mailId)
    expect(receivers()).toEqual(recipients)
    await worker.kill()
  })

  it('get it though the worker is killed as it begins to write, when it is surely dead', async () => {
    const { recipients, mailId, worker, hangUp } = await beginSending()
    await noteHandover(mailId, 'handover_began_at')
    await worker.kill()
    await expect(send(mailId)).rejects.toMatchObject({ code: 'mail_unavailable' })
    later(20_000)
    await send(mailId)
    expect(receivers()).toEqual(recipients)
    await hangUp()
    await send(mailId)
    expect(receivers()).toEqual(recipients)
  })

  it('get none twice when the worker is killed while the mail server has the message', async () => {
    const recipients = newAddresses(1)
    await publishShare(world, owner, { recipients })
    const [mailId = ''] = await world.takeOwedMails()
    const worker = await world.startReplica()
    catcher.keepWaiting(true)
    const interrupted = worker.run('send-share-mail', { mailId }).catch(() => undefined)
    await catcher.waitForMessages(1)
    await worker.kill()
    // It may only seem dead, and give back what it could not hand over.
    await expect(send(mailId)).rejects.toMatchObject({ code: 'mail_unavailable' })
    later(20_000)
    await send(mailId)
    await send(mailId)
    expect(receivers()).toEqual(recipients)
    catcher.keepWaiting(false)
    await interrupted
    await send(mailId)
    expect(receivers()).toEqual(recipients)
  })

  it('get it again when the mail server goes away without a response', async () => {
    const recipients = newAddresses(1)
    await publishShare(world, owner, { recipients })
    const [mailId = ''] = await world.takeOwedMails()
    catcher.keepWaiting(true)
    const interrupted = send(mailId)
    await catcher.waitForMessages(1)
    await catcher.stop()
    await expect(interrupted).rejects.toMatchObject({ code: 'mail_unavailable' })
    catcher.keepWaiting(false)
    await catcher.start()
    await send(mailId)
    // RFC 5321 §6.1: without a response the message is still the sender's.
    expect(receivers()).toEqual([...recipients, ...recipients])
    expect(new Set(catcher.messages.map(({ messageId }) => messageId)).size).toBe(1)
  })

  it('get it after an outage, by the same Message-ID', async () => {
    const recipients = newAddresses(2)
    await publishShare(world, owner, { recipients })
    const mailIds = await world.takeOwedMails()
    await catcher.stop()
    for (const mailId of mailIds) {
      await expect(send(mailId)).rejects.toMatchObject({ code: 'mail_unavailable' })
    }
    await catcher.start()
    for (const mailId of mailIds) await send(mailId)
    expect(receivers()).toEqual(recipients)
    expect(catcher.messages[0]?.messageId).toBe(`<share-${mailIds[0]}@example.org>`)
  })

  it('who are refused hold up nobody, and are tried again with the next completion', async () => {
    const recipients = newAddresses(2)
    const id = await publishShare(world, owner, { recipients })
    const [first = '', second = ''] = await world.takeOwedMails()
    catcher.refuse('for good')
    await expect(send(first)).rejects.toMatchObject({ code: 'mail_refused' })
    catcher.refuse(null)
    await send(second)
    expect(receivers()).toHaveLength(1)
    await reopen(id)
    await complete(id)
    expect(await world.takeOwedMails()).toEqual([first])
    await send(first)
    expect(receivers()).toEqual(recipients)
  })

  it('added to a published share are told at once, those of an edit when it is completed', async () => {
    const [early = '', late = '', last = ''] = newAddresses(3)
    const id = await publishShare(world, owner, { recipients: [early] })
    await setRecipients(id, [early, late])
    await sendOwed()
    expect(receivers()).toEqual([early, late])
    await reopen(id)
    await setRecipients(id, [early.toUpperCase(), late, last])
    expect(await world.takeOwedMails()).toEqual([])
    await complete(id)
    await sendOwed()
    expect(receivers()).toEqual([early, late, last])
    await setRecipients(id, [])
    await setRecipients(id, [early, last])
    await sendOwed()
    expect(receivers()).toEqual([early, late, last])
  })

  it('taken off the list before their message is sent get none', async () => {
    const [kept = '', removed = ''] = newAddresses(2)
    const id = await publishShare(world, owner, { recipients: [kept, removed] })
    await setRecipients(id, [kept])
    await sendOwed()
    expect(receivers()).toEqual([kept])
  })

  it('get none of a share that is not completed, deleted or expired', async () => {
    const deleted = await publishShare(world, owner, { recipients: newAddresses(1) })
    await publishShare(world, owner, { recipients: newAddresses(1), expiration: '1-hour' })
    const mailIds = await world.takeOwedMails()
    await owner.send('DELETE', `/api/shares/${deleted}`)
    later(hour)
    for (const mailId of mailIds) await send(mailId)
    expect(receivers()).toEqual([])
  })

  it.each(['smtp.enabled', 'email.enableShareEmailRecipients'] as const)(
    'get none while %s is off, and one when the share is completed later',
    async (key) => {
      const recipients = newAddresses(1)
      const id = await publishShare(world, owner, { recipients })
      world.settings[key] = false
      await sendOwed()
      world.settings[key] = true
      expect(receivers()).toEqual([])
      await reopen(id)
      await complete(id)
      await sendOwed()
      expect(receivers()).toEqual(recipients)
    },
  )

  it('are not written to about what they cannot open', async () => {
    const token = await createReverseShare(owner, { publicAccess: false })
    await sendShare(world, { sender: world.visit(), token }, { recipients: newAddresses(1) })
    expect(await world.takeOwedMails()).toEqual([])
  })

  it('of a share by somebody without an account are told of no name', async () => {
    const token = await createReverseShare(owner, { askSenderName: true })
    const options = { recipients: newAddresses(1), senderName: 'Your bank' }
    await sendShare(world, { sender: world.visit(), token }, options)
    await sendOwed()
    const [message] = catcher.messages
    expect(message?.text).toContain('Someone shared files with you')
    expect(message?.headers.has('reply-to')).toBe(false)
  })
})

describe('the owner of a reverse share', () => {
  const wanted = { sendEmailNotification: true, maxUseCount: 5 }

  it('is told in the own language, not in that of the sender', async () => {
    owner.cookies.set('language', 'fr')
    const token = await createReverseShare(owner, { sendEmailNotification: true })
    const sender = world.visit()
    sender.cookies.set('language', 'de')
    await sendShare(world, { sender, token })
    await sendOwed()
    const { reverseShareSubject, someone } = mailTexts('fr')
    const subject = reverseShareSubject.replace('{creator}', someone)
    expect(catcher.messages).toMatchObject([{ subject, text: expect.stringContaining(someone) }])
  })

  it('is told once about each share, where that is wanted', async () => {
    const token = await createReverseShare(owner, { ...wanted, askSenderName: true })
    const id = await sendShare(
      world,
      { sender: world.visit(), token },
      { senderName: 'Ann', name: 'Holiday' },
    )
    await sendOwed()
    const [message] = catcher.messages
    expect(message?.to).toEqual([ownAddress])
    expect(message?.subject).toBe('Ann sent you files')
    expect(message?.text).toContain('Ann sent you files')
    expect(message?.headers.has('reply-to')).toBe(false)
    expect(message?.text).toContain(`/s/${id}`)

    const silent = await createReverseShare(owner)
    await sendShare(world, { sender: world.visit(), token: silent })
    expect(await world.takeOwedMails()).toEqual([])
  })

  it('is not told again of a share that was edited', async () => {
    const token = await createReverseShare(owner, wanted)
    const { browser: sender, identity } = world.signIn()
    const id = await sendShare(world, { sender, token })
    await sender.send('DELETE', `/api/shares/${id}/complete`)
    const again = await sender.send('POST', `/api/shares/${id}/complete`)
    expect(again.body).toMatchObject({ notifyReverseShareCreator: false })
    await sendOwed()
    expect(receivers()).toEqual([ownAddress])
    const [message] = catcher.messages
    expect(message?.text).toContain(`${identity.username} sent you files`)
    expect(message?.headers.get('reply-to')).toContain(`<${identity.email}>`)
  })

  it('is said to be told only where mails are sent', async () => {
    const token = await createReverseShare(owner, wanted)
    const { browser: sender } = world.signIn()
    const told = async () => {
      const id = await sendShare(world, { sender, token })
      await sender.send('DELETE', `/api/shares/${id}/complete`)
      return readOwn(owner, token)
    }
    expect((await told()).remainingUses).toBe(4)
    world.settings['smtp.enabled'] = false
    await sendShare(world, { sender, token })
    await sendOwed()
    expect(receivers()).toEqual([])
  })
})

import { createServer, type Server } from 'node:net'

import { type SmtpCatcher, type SmtpCatcherOptions, startSmtpCatcher } from '@floe/testing'
import { afterEach, describe, expect, test } from 'vitest'

import { createMailer, transportOptions } from './create-mailer.ts'
import type { MailMessage, SmtpSettings } from './mailer.ts'

const message: MailMessage = {
  to: 'ann@example.com',
  subject: 'Grüße – 你好',
  text: 'Hello Ann,\n\nÜber 100 €\n.\nFrom here on = fine\n',
  html: '<p>Hello Ann &amp; 你好</p>',
  id: 'reset-7f8e2b44',
}

const timeouts = { connectMs: 300, greetingMs: 300, silenceMs: 300, messageMs: 2_000 }
const toClose: (() => Promise<void>)[] = []
const written = () => undefined
afterEach(async () => {
  await Promise.all(toClose.splice(0).map((close) => close()))
})

async function startCatcher(options?: SmtpCatcherOptions): Promise<SmtpCatcher> {
  const catcher = await startSmtpCatcher(options)
  toClose.push(() => catcher.stop())
  return catcher
}

function settings({ host, port }: { host: string; port: number }): SmtpSettings {
  return {
    host,
    port,
    username: '',
    password: '',
    tls: 'opportunistic',
    senderAddress: 'floe@files.example.com',
    senderName: 'Floe',
    allowsUnauthorizedCertificates: false,
  }
}

describe('a message', () => {
  test('arrives as it was given', async () => {
    const catcher = await startCatcher()
    await createMailer().send(settings(catcher), message)
    const [caught] = await catcher.waitForMessages(1, { to: 'ann@example.com' })
    expect(caught).toMatchObject({
      from: 'floe@files.example.com',
      to: ['ann@example.com'],
      fromHeader: 'Floe <floe@files.example.com>',
      toHeader: 'ann@example.com',
      subject: message.subject,
      text: message.text,
      html: message.html,
      messageId: '<reset-7f8e2b44@files.example.com>',
    })
    expect(caught?.headers.get('auto-submitted')).toBe('auto-generated')
  })

  test('arrives with every blank of its long lines', async () => {
    const catcher = await startCatcher()
    const text = `${Array.from({ length: 100 }, (_, index) => 'a'.repeat(index % 9)).join(' ')}.\n`
    await createMailer().send(settings(catcher), { ...message, text, html: `<p>${text}</p>` })
    const [caught] = await catcher.waitForMessages(1)
    expect(caught).toMatchObject({ text, html: `<p>${text}</p>` })
  })

  test('keeps its Message-ID when it is sent again', async () => {
    const catcher = await startCatcher()
    const mailer = createMailer()
    await mailer.send(settings(catcher), message)
    await mailer.send(settings(catcher), message)
    const caught = await catcher.waitForMessages(2)
    expect(new Set(caught.map(({ messageId }) => messageId)).size).toBe(1)
  })

  test('gives the person that it is sent for as the one to respond to', async () => {
    const catcher = await startCatcher()
    const replyTo = { name: 'Ann, "Äpfel"', address: 'ann@example.org' }
    await createMailer().send(settings(catcher), { ...message, replyTo })
    const [caught] = await catcher.waitForMessages(1)
    expect(caught?.fromHeader).toBe('Floe <floe@files.example.com>')
    expect(caught?.headers.get('reply-to')).toMatch(/^=\?UTF-8\?\S+\?= <ann@example\.org>$/)
  })

  test.each([
    '',
    'ann',
    'ann@example.org, eve@example.com',
    'ann@example.org>\r\nBcc: eve@example.com',
  ])('names nobody to respond to where the address is %j', async (address) => {
    const catcher = await startCatcher()
    const replyTo = { name: 'Ann', address }
    await createMailer().send(settings(catcher), { ...message, replyTo })
    const [caught] = await catcher.waitForMessages(1)
    expect(caught?.headers.has('reply-to')).toBe(false)
    expect(caught?.headers.has('bcc')).toBe(false)
  })

  test.each([
    ['line breaks in its subject', { subject: 'Hi\r\nBcc: eve@example.com\r\n\r\nBody' }, {}],
    ['line breaks in the sender', {}, { senderName: 'Floe\r\nBcc: eve@example.com\n"x' }],
    ['an address in the sender', {}, { senderName: '"Eve" <eve@example.com>, Floe' }],
    [
      'line breaks in the name to respond to',
      { replyTo: { name: 'A\r\nBcc: eve@example.com\r\n"x', address: 'a@example.org' } },
      {},
    ],
    ['line breaks in its id', { id: 'a>\r\nBcc: eve@example.com\r\n<b' }, {}],
  ])('cannot get another header or recipient by %s', async (_what, fields, names) => {
    const catcher = await startCatcher()
    await createMailer().send({ ...settings(catcher), ...names }, { ...message, ...fields })
    const [caught] = await catcher.waitForMessages(1)
    expect(caught?.to).toEqual(['ann@example.com'])
    expect(caught?.from).toBe('floe@files.example.com')
    const headers = [...(caught?.headers.keys() ?? [])].filter((name) => name !== 'reply-to')
    expect(headers.sort()).toEqual([
      'auto-submitted',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
    ])
    expect(caught?.text).toBe(message.text)
  })

  test.each([
    'ann@example.com\r\nRCPT TO:<eve@example.com>',
    'ann@example.com, eve@example.com',
    'Ann <ann@example.com>',
    'ann@example.com;eve@example.com',
    'ann@eve@example.com',
    'ann',
    '@example.com',
    '',
  ])('to %j is refused before anybody is asked', async (to) => {
    const catcher = await startCatcher()
    const sent = createMailer().send(settings(catcher), { ...message, to })
    await expect(sent).rejects.toMatchObject({ code: 'mail_refused' })
    expect(catcher.connections).toBe(0)
  })
})

describe('the handover', () => {
  test('is announced once, before the server has anything of the message', async () => {
    const catcher = await startCatcher()
    const seen: number[] = []
    const begin = async () => void seen.push(catcher.messages.length)
    await createMailer().send(settings(catcher), message, { handover: { begin, written } })
    expect(seen).toEqual([0])
    expect(catcher.messages[0]).toMatchObject({ text: message.text, html: message.html })
  })

  test.each([false, true])(
    'is told to be over once, when the server can have all of it and before it responds (TLS: %s)',
    async (offersTls) => {
      const catcher = await startCatcher({ offersTls })
      catcher.keepWaiting(true)
      const smtp = { ...settings(catcher), allowsUnauthorizedCertificates: true }
      const steps: string[] = []
      const handover = {
        begin: async () => void steps.push('begun'),
        written: () => void steps.push('written'),
      }
      const long = { ...message, text: 'A line of a note.\n'.repeat(20_000) }
      const sent = createMailer().send(smtp, long, { handover })
      const [caught] = await catcher.waitForMessages(1)
      expect(caught).toMatchObject({ text: long.text, isEncrypted: offersTls })
      expect(steps).toEqual(['begun', 'written'])
      catcher.keepWaiting(false)
      await sent
      expect(steps).toEqual(['begun', 'written'])
    },
  )

  test('is announced for no message that the server does not want', async () => {
    const catcher = await startCatcher()
    let announcements = 0
    const begin = async () => void (announcements += 1)
    for (const kind of ['for now', 'for good'] as const) {
      catcher.refuse(kind)
      await expect(
        createMailer().send(settings(catcher), message, { handover: { begin, written } }),
      ).rejects.toMatchObject({ code: expect.stringMatching(/^mail_/) })
    }
    expect(announcements).toBe(0)
  })

  test('does not happen when its announcement fails', async () => {
    const catcher = await startCatcher()
    const steps: string[] = []
    const handover = {
      begin: () => Promise.reject(new Error('the database is away')),
      written: () => void steps.push('written'),
    }
    const sent = createMailer().send(settings(catcher), message, { handover })
    await expect(sent).rejects.toMatchObject({ code: 'mail_unavailable' })
    await createMailer().send(settings(catcher), { ...message, to: 'bob@example.com' })
    expect(catcher.messages.map(({ to }) => to)).toEqual([['bob@example.com']])
    expect(steps).toEqual([])
  })
})

describe('a server', () => {
  test('that refuses the recipient for good is not worth another attempt', async () => {
    const catcher = await startCatcher()
    catcher.refuse('for good')
    const sent = createMailer().send(settings(catcher), message)
    await expect(sent).rejects.toMatchObject({
      code: 'mail_refused',
      detail: expect.stringContaining('550'),
    })
  })

  test('that refuses the recipient for now is', async () => {
    const catcher = await startCatcher()
    catcher.refuse('for now')
    const mailer = createMailer()
    await expect(mailer.send(settings(catcher), message)).rejects.toMatchObject({
      code: 'mail_unavailable',
    })
    catcher.refuse(null)
    await mailer.send(settings(catcher), message)
    expect(catcher.messages).toHaveLength(1)
  })

  test('that is away is found again once it is back', async () => {
    const catcher = await startCatcher()
    const mailer = createMailer()
    await catcher.stop()
    await expect(mailer.send(settings(catcher), message)).rejects.toMatchObject({
      code: 'mail_unavailable',
    })
    await catcher.start()
    await mailer.send(settings(catcher), message)
    expect(catcher.messages).toHaveLength(1)
  })

  test('that says nothing costs one message its time, and others none', async () => {
    let connections = 0
    const { port } = await startPlainServer(() => (connections += 1))
    let nowMs = 0
    const mailer = createMailer({ timeouts, clock: () => new Date(nowMs) })
    const silent = settings({ host: '127.0.0.1', port })
    for (let turn = 0; turn < 3; turn += 1) {
      await expect(mailer.send(silent, message)).rejects.toMatchObject({ code: 'mail_unavailable' })
    }
    expect(connections).toBe(1)
    nowMs += 15_000
    await expect(mailer.send(silent, message)).rejects.toMatchObject({ code: 'mail_unavailable' })
    expect(connections).toBe(2)
  })

  test('that never ends its response is left after a while', async () => {
    const { port } = await startPlainServer((write) => {
      const timer = setInterval(() => write('220-and so on\r\n'), 50)
      toClose.push(async () => clearInterval(timer))
    })
    const patient = { connectMs: 60_000, greetingMs: 60_000, silenceMs: 60_000 }
    const mailer = createMailer({ timeouts: { ...patient, messageMs: 300 } })
    const sent = mailer.send(settings({ host: '127.0.0.1', port }), message)
    await expect(sent).rejects.toMatchObject({ code: 'mail_unavailable' })
  })

  test('that wants a name and a password gets them, and none when both are empty', async () => {
    const login = { username: 'floe', password: 'pässword' }
    const catcher = await startCatcher({ login })
    const mailer = createMailer()
    await mailer.send({ ...settings(catcher), ...login }, message)
    expect(catcher.messages).toHaveLength(1)
    expect(catcher.logins).toEqual([login])

    await expect(mailer.send(settings(catcher), message)).rejects.toMatchObject({
      code: 'mail_unavailable',
    })
    const mistyped = { ...settings(catcher), username: 'floe', password: 'wrong' }
    await expect(mailer.send(mistyped, message)).rejects.toMatchObject({
      code: 'mail_unavailable',
      detail: expect.stringContaining('EAUTH'),
    })
    expect(catcher.logins).toHaveLength(2)
  })

  test('that offers TLS is spoken to by it, and must prove who it is unless told otherwise', async () => {
    const catcher = await startCatcher({ offersTls: true })
    const mailer = createMailer()
    await expect(mailer.send(settings(catcher), message)).rejects.toMatchObject({
      code: 'mail_unavailable',
    })
    await mailer.send({ ...settings(catcher), allowsUnauthorizedCertificates: true }, message)
    expect(catcher.messages[0]?.isEncrypted).toBe(true)
  })

  test('is spoken to by TLS from the first byte on port 465 alone', () => {
    const ports = [0, 25, 465, 587, 2525]
    const secure = ports.map(
      (port) => transportOptions(settings({ host: 'mail', port }), timeouts).secure,
    )
    expect(secure).toEqual([false, false, true, false, false])
  })

  test.each([{ host: '' }, { senderAddress: '' }, { senderAddress: 'Floe <a@b.example>' }])(
    'set up with %o is waited for until it is set up well',
    async (wrong) => {
      const catcher = await startCatcher()
      const sent = createMailer().send({ ...settings(catcher), ...wrong }, message)
      await expect(sent).rejects.toMatchObject({ code: 'mail_unavailable' })
      expect(catcher.connections).toBe(0)
    },
  )
})

async function startPlainServer(
  onConnect: (write: (text: string) => void) => void,
): Promise<{ port: number }> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined)
    onConnect((text) => socket.write(text))
    toClose.push(async () => void socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  toClose.push(async () => void server.close())
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : 0 }
}

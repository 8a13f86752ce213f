import { connect, createServer, type Socket } from 'node:net'

import { defaultSettings, type Settings } from '@floe/contracts'
import { type SmtpCatcher, type SmtpCatcherOptions, startSmtpCatcher } from '@floe/testing'
import { afterEach, describe, expect, test } from 'vitest'

import { createMailer } from './create-mailer.ts'
import { type MailMessage, smtpSettings, type SmtpSettings, type TlsPolicy } from './mailer.ts'

const login = { username: 'floe', password: 'what the mail server wants' }
const message: MailMessage = {
  to: 'ann@example.com',
  subject: 'Reset your password',
  text: 'https://files.example.com/auth/resetPassword/one-time-token',
  html: '<p>one-time-token</p>',
  id: 'reset-7f8e2b44',
}

const toClose: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(toClose.splice(0).map((close) => close()))
})

async function startCatcher(options: SmtpCatcherOptions): Promise<SmtpCatcher> {
  const catcher = await startSmtpCatcher(options)
  toClose.push(() => catcher.stop())
  return catcher
}

function settings(
  { host, port }: { host: string; port: number },
  { tls, ...credentials }: { tls: TlsPolicy } & Partial<typeof login>,
): SmtpSettings {
  return {
    host,
    port,
    username: '',
    password: '',
    tls,
    senderAddress: 'floe@files.example.com',
    senderName: 'Floe',
    // The worst that is allowed: only the policy stands between the secrets and the wire.
    allowsUnauthorizedCertificates: true,
    ...credentials,
  }
}

interface Eavesdropper {
  host: string
  port: number
  /** What the client has sent, as somebody in between reads it. */
  readonly heard: string
}

/**
 * Sits between: takes STARTTLS out of what the server offers, and tells a client this that asks for it
 * all the same; `null` lets the question pass.
 */
async function startEavesdropper(
  server: { host: string; port: number },
  replyToStartTls: string | null,
): Promise<Eavesdropper> {
  let heard = ''
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    return socket
  }
  const between = createServer((client) => {
    const upstream = keep(connect(server.port, server.host))
    keep(client).on('data', (bytes: Buffer) => {
      const said = bytes.toString('latin1')
      heard += said
      if (replyToStartTls !== null && said === 'STARTTLS\r\n') client.write(replyToStartTls)
      else upstream.write(bytes)
    })
    upstream.on('data', (bytes: Buffer) => {
      client.write(bytes.toString('latin1').replace('STARTTLS', 'XXXXXXXX'), 'latin1')
    })
    client.once('close', () => upstream.destroy())
    upstream.once('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve))
  toClose.push(async () => {
    between.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = between.address()
  return {
    host: '127.0.0.1',
    port: typeof address === 'object' && address ? address.port : 0,
    get heard() {
      return heard
    },
  }
}

const secrets = /AUTH|MAIL FROM|RCPT TO|example\.com|one-time-token/

describe('while TLS is required', () => {
  test.each([
    ['does not have STARTTLS', { offersTls: false }, null],
    ['refuses it for now', { offersTls: true }, '454 4.7.0 TLS not available\r\n'],
    ['refuses it for good', { offersTls: true }, '502 5.5.1 Command not implemented\r\n'],
    ['agrees and goes on without', { offersTls: true }, '220 Go ahead\r\n250 Whatever\r\n'],
  ])('a server that %s gets neither password nor message', async (_, options, reply) => {
    for (const credentials of [login, {}]) {
      const catcher = await startCatcher({ ...options, ...(credentials === login && { login }) })
      const between = await startEavesdropper(catcher, reply)
      const smtp = settings(between, { tls: 'required', ...credentials })
      const sent = createMailer().send(smtp, message)
      await expect(sent).rejects.toMatchObject({ code: 'mail_unavailable' })
      expect(between.heard).toMatch(/^EHLO /)
      expect(between.heard).not.toMatch(secrets)
      expect([catcher.logins, catcher.messages]).toEqual([[], []])
    }
  })

  test('a server that does not change to it is told to be the reason', async () => {
    const catcher = await startCatcher({ login })
    const sent = createMailer().send(settings(catcher, { tls: 'required', ...login }), message)
    await expect(sent).rejects.toMatchObject({
      code: 'mail_unavailable',
      detail: expect.stringMatching(
        /^nothing was sent, as the mail server does not change to TLS, ETLS, STARTTLS, 5\d\d /,
      ),
    })
  })

  test('an offer that somebody in between takes away is asked for all the same', async () => {
    const catcher = await startCatcher({ offersTls: true, login })
    const between = await startEavesdropper(catcher, null)
    await createMailer().send(settings(between, { tls: 'required', ...login }), message)
    expect(between.heard).toMatch(/^EHLO [^\r]*\r\nSTARTTLS\r\n/)
    expect(between.heard).not.toMatch(secrets)
    expect(catcher.logins).toEqual([login])
    expect(catcher.messages[0]?.isEncrypted).toBe(true)
  })
})

test('while TLS is opportunistic, it is used where offered, and its absence keeps nothing back', async () => {
  const catcher = await startCatcher({ offersTls: true, login })
  const between = await startEavesdropper(catcher, null)
  for (const server of [catcher, between]) {
    await createMailer().send(settings(server, { tls: 'opportunistic', ...login }), message)
  }
  expect(catcher.messages.map(({ isEncrypted }) => isEncrypted)).toEqual([true, false])
  expect(between.heard).toMatch(secrets)
})

test('without TLS its offer is not taken', async () => {
  const catcher = await startCatcher({ offersTls: true, login })
  await createMailer().send(settings(catcher, { tls: 'none', ...login }), message)
  expect(catcher.messages[0]?.isEncrypted).toBe(false)
})

test.each([
  ['automatic', {}, 'opportunistic'],
  ['automatic', { 'smtp.username': 'floe' }, 'required'],
  ['automatic', { 'smtp.password': 'secret' }, 'required'],
  ['required', {}, 'required'],
  ['opportunistic', { 'smtp.username': 'floe' }, 'opportunistic'],
  ['none', { 'smtp.username': 'floe' }, 'none'],
] as const)('the choice of %s means, with %o, %s', (choice, credentials, policy) => {
  const chosen: Settings = {
    ...defaultSettings(),
    'smtp.enabled': true,
    'smtp.tls': choice,
    ...credentials,
  }
  expect(smtpSettings(chosen)?.tls).toBe(policy)
})

import { Readable } from 'node:stream'
import { AppError } from '@floe/errors'
import type { NodemailerError, SMTPTransportOptions } from 'nodemailer'

import type { Handover, Mailer, MailMessage, SendOptions, SmtpSettings } from './mailer.ts'
import { createTimeoutGuard } from './timeout-guard.ts'

export interface MailTimeouts {
  connectMs: number
  greetingMs: number
  /** Silence of a server that once spoke. */
  silenceMs: number
  /** The whole of one message, however busy the server seems. */
  messageMs: number
}

const defaultTimeouts: MailTimeouts = {
  connectMs: 10_000,
  greetingMs: 10_000,
  silenceMs: 30_000,
  messageMs: 60_000,
}

/**
 * Speaks SMTP over a connection of its own for each message: mails are rare, and a connection that
 * is kept open goes stale. The library is loaded with the first message.
 */
export function createMailer({
  timeouts = defaultTimeouts,
  clock = () => new Date(),
}: { timeouts?: MailTimeouts; clock?: () => Date } = {}): Mailer {
  const guard = createTimeoutGuard({ clock, isTimeout })
  return {
    send: async (smtp, message, { handover }: SendOptions = {}) => {
      assertUsable(smtp, message)
      return guard.run(`${smtp.host}:${smtp.port}`, async () => {
        const { createTransport } = await import('nodemailer')
        const transport = createTransport({
          ...transportOptions(smtp, timeouts),
          ...(handover && { logger: listenForEnd(handover) }),
        })
        if (handover) {
          transport.use('stream', (mail, done) => {
            mail.message.processFunc((input) => Readable.from(handOver(input, handover)))
            done()
          })
        }
        try {
          const { response } = await transport.sendMail({
            ...envelopeOf(smtp, message),
            subject: message.subject,
            text: message.text,
            html: message.html,
            messageId: `<${message.id}@${domainOf(smtp.senderAddress)}>`,
            // RFC 3834 §5: keeps absence notices and other robots from replying.
            headers: { 'Auto-Submitted': 'auto-generated' },
            disableFileAccess: true,
            disableUrlAccess: true,
            signal: AbortSignal.timeout(timeouts.messageMs),
          })
          return { reply: response }
        } catch (error) {
          throw asMailError(error)
        }
      })
    },
  }
}

/** Read only once the server waits for it; whole, so that nothing comes between its parts. */
async function* handOver(
  input: AsyncIterable<Buffer | string>,
  { begin }: Handover,
): AsyncGenerator<Buffer> {
  const parts: Buffer[] = []
  for await (const part of input) parts.push(Buffer.from(part))
  await begin()
  yield Buffer.concat(parts)
}

/** The library tells only its log that it has given the whole of a message to the connection. */
function listenForEnd({ written }: Handover) {
  const ignore = () => undefined
  const info = (entry: object | undefined) => {
    if (entry !== undefined && 'outByteCount' in entry) written()
  }
  return { trace: ignore, debug: ignore, info, warn: ignore, error: ignore, fatal: ignore }
}

/** 465 speaks TLS from the first byte; elsewhere STARTTLS is used as the settings say. */
export function transportOptions(smtp: SmtpSettings, timeouts: MailTimeouts): SMTPTransportOptions {
  const { host, port, username, password, tls } = smtp
  return {
    host,
    ...(port !== 0 && { port }),
    secure: port === 465,
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'none',
    ...((username !== '' || password !== '') && { auth: { user: username, pass: password } }),
    tls: { rejectUnauthorized: !smtp.allowsUnauthorizedCertificates },
    connectionTimeout: timeouts.connectMs,
    dnsTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.silenceMs,
  }
}

/** As objects, so that no name and no address is ever read as a list of several. */
function envelopeOf({ senderName, senderAddress }: SmtpSettings, { to, replyTo }: MailMessage) {
  return {
    from: { name: toPhrase(senderName), address: senderAddress },
    to: { name: '', address: to },
    // Whom to respond to is a courtesy: an address that is none costs nobody the message.
    ...(replyTo &&
      isAddress(replyTo.address) && {
        replyTo: { name: toPhrase(replyTo.name), address: replyTo.address },
      }),
  }
}

function toPhrase(name: string): string {
  return name.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
}

function assertUsable({ host, senderAddress }: SmtpSettings, { to }: MailMessage): void {
  // Both can be corrected by the administrator while the message waits.
  if (host === '') throw new AppError('mail_unavailable', { detail: 'No mail server is set' })
  if (!isAddress(senderAddress)) {
    throw new AppError('mail_unavailable', { detail: 'The address of the sender is not one' })
  }
  if (!isAddress(to)) {
    throw new AppError('mail_refused', { detail: 'The address of the recipient is not one' })
  }
}

/** Only what could be read as something else is kept out; servers know which addresses exist. */
function isAddress(text: string): boolean {
  return /^[^\s<>()[\]\\,;:"@\u0000-\u001f\u007f-\u009f]+@[^\s<>()\\,;"@\u0000-\u001f\u007f-\u009f]+$/.test(
    text,
  )
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}

/**
 * Hopeless is only what a server says for good about the recipient or the message itself. What it
 * says about us (greeting, login, sender) changes when the administrator corrects the settings.
 */
function asMailError(error: unknown): AppError {
  const { code, command, response, message, permanent } = fieldsOf(error)
  // Its words alone, such as "502 Command not implemented", do not tell what they were about.
  const isWithoutTls = command === 'STARTTLS' && response !== undefined
  const isRefusal = permanent === true && (command === 'RCPT TO' || command === 'DATA')
  // Where no server responded, only the message says which address failed, and why.
  const detail = [
    isWithoutTls && 'nothing was sent, as the mail server does not change to TLS',
    code,
    command,
    response ?? message,
  ]
    .filter(Boolean)
    .join(', ')
  return new AppError(isRefusal ? 'mail_refused' : 'mail_unavailable', {
    cause: error,
    ...(detail !== '' && { detail }),
  })
}

/** Whether the server used up the time it had without a response. */
function isTimeout(error: unknown): boolean {
  const { code, name } = fieldsOf(error instanceof AppError ? error.cause : error)
  return code === 'ETIMEDOUT' || name === 'AbortError'
}

function fieldsOf(error: unknown): Partial<NodemailerError> {
  return error instanceof Error ? error : {}
}

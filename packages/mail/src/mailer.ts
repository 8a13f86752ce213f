import type { Settings } from '@floe/contracts'

/**
 * May a message go to a server that does not change to TLS? `required`: no. `opportunistic`: yes,
 * though an attacker in between can remove the offer. `none`: the server is not asked to change.
 */
export type TlsPolicy = Exclude<Settings['smtp.tls'], 'automatic'>

export interface SmtpSettings {
  host: string
  port: number
  /** Both empty: without authentication. */
  username: string
  password: string
  /** Port 465 is TLS from the first byte under every policy. */
  tls: TlsPolicy
  senderAddress: string
  senderName: string
  /** Accepts certificates of unknown issuers. */
  allowsUnauthorizedCertificates: boolean
}

export interface MailMessage {
  to: string
  /** The person on whose behalf it is sent, to whom responses go; nobody without an address. */
  replyTo?: { name: string; address: string } | undefined
  subject: string
  text: string
  html: string
  /** Stays the same when the message is tried again: a duplicate is recognised by it. */
  id: string
}

/** What happens between the server's readiness for a message and its response. */
export interface Handover {
  /**
   * Awaited when the server has accepted sender and recipient and waits for the message, which is
   * handed over in one go right afterwards. Nothing is handed over if it fails.
   */
  begin(): Promise<void>
  /** All of it is on its way, to the last dot: it reaches the server even if this process dies. */
  written(): void
}

export interface SendOptions {
  handover?: Handover
}

export interface Acceptance {
  /** Such as `250 2.0.0 Ok: queued as 4B1`. */
  reply: string
}

export interface Mailer {
  /**
   * Resolves with the server's words once it has taken the message. Fails with mail_refused when
   * trying again is hopeless (a permanent response, RFC 5321 §4.2.1), with mail_unavailable in any
   * other case.
   */
  send(smtp: SmtpSettings, message: MailMessage, options?: SendOptions): Promise<Acceptance>
}

/** What the administrator entered; `null` while sending is switched off. */
export function smtpSettings(settings: Settings): SmtpSettings | null {
  if (!settings['smtp.enabled']) return null
  return {
    host: settings['smtp.host'],
    port: settings['smtp.port'],
    username: settings['smtp.username'],
    password: settings['smtp.password'],
    tls: tlsPolicy(settings),
    senderAddress: settings['smtp.email'],
    senderName: settings['general.appName'],
    allowsUnauthorizedCertificates: settings['smtp.allowUnauthorizedCertificates'],
  }
}

function tlsPolicy(settings: Settings): TlsPolicy {
  const { 'smtp.tls': chosen, 'smtp.username': username, 'smtp.password': password } = settings
  if (chosen !== 'automatic') return chosen
  return username === '' && password === '' ? 'opportunistic' : 'required'
}

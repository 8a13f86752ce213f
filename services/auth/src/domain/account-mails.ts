import type { Settings } from '@floe/contracts'
import { type MailMessage, renderMail } from '@floe/mail'

interface Receiver {
  /** Of the message: the same when it is tried again. */
  id: string
  to: string
}

export function resetPasswordMail(
  settings: Settings,
  { id, to, token }: Receiver & { token: string },
): MailMessage {
  const rendered = renderMail({
    subject: settings['email.resetPasswordSubject'],
    message: settings['email.resetPasswordMessage'],
    values: { url: newPasswordUrl(settings, token) },
    appName: settings['general.appName'],
  })
  return { id, to, ...rendered }
}

/** Templates written for products that mail passwords still work: they get one made up. */
export function invitesByPassword(settings: Settings): boolean {
  return settings['email.inviteMessage'].includes('{password}')
}

export function inviteMail(
  settings: Settings,
  { id, to, ...entrance }: Receiver & ({ token: string } | { password: string }),
): MailMessage {
  const values =
    'token' in entrance
      ? { url: newPasswordUrl(settings, entrance.token), email: to }
      : { url: pageUrl(settings, '/auth/signIn'), password: entrance.password, email: to }
  const rendered = renderMail({
    subject: settings['email.inviteSubject'],
    message: settings['email.inviteMessage'],
    values,
    appName: settings['general.appName'],
  })
  return { id, to, ...rendered }
}

function newPasswordUrl(settings: Settings, token: string): string {
  return pageUrl(settings, `/auth/resetPassword/${token}`)
}

function pageUrl(settings: Settings, path: string): string {
  return settings['general.appUrl'].replace(/\/+$/, '') + path
}

import { type Language, type Settings } from '@floe/contracts'
import { fixedWords, type MailMessage, renderMail, wordMail } from '@floe/mail'

interface Receiver {
  /** Id of the message: the same when it is tried again. */
  id: string
  to: string
  language: Language | null
}

export function resetPasswordMail(
  settings: Settings,
  { id, to, token, language }: Receiver & { token: string },
): MailMessage {
  const rendered = renderMail({
    ...wordMail(settings, 'resetPassword', language),
    values: { url: newPasswordUrl(settings, token) },
    settings,
  })
  return { id, to, ...rendered }
}

/** Sent to the old address. It links to the account: a new password there ends the change. */
export function emailChangeNoticeMail(
  settings: Settings,
  { id, to, language, newEmail }: Receiver & { newEmail: string },
): MailMessage {
  const values = { email: newEmail, url: pageUrl(settings, '/account') }
  const rendered = renderMail({
    ...fixedWords(settings, 'emailChangeNotice', { action: 'openAccount', language }),
    values,
    settings,
  })
  return { id: `email-change-notice-${id}`, to, ...rendered }
}

/** Sent to the new address. */
export function confirmEmailMail(
  settings: Settings,
  { id, to, language, token }: Receiver & { token: string },
): MailMessage {
  const values = { url: verifyUrl(settings, token) }
  const rendered = renderMail({
    ...fixedWords(settings, 'confirmEmail', { action: 'confirmEmail', language }),
    values,
    settings,
  })
  return { id: `email-change-${id}`, to, ...rendered }
}

/** Sent to the address of an account that signed up. */
export function verifyEmailMail(
  settings: Settings,
  { id, to, language, token }: Receiver & { token: string },
): MailMessage {
  const rendered = renderMail({
    ...fixedWords(settings, 'verifyEmail', { action: 'confirmEmail', language }),
    values: { url: verifyUrl(settings, token) },
    settings,
  })
  return { id: `email-change-${id}`, to, ...rendered }
}

/** Sent to somebody whose account an administrator approved. */
export function approvalMail(settings: Settings, { id, to, language }: Receiver): MailMessage {
  const rendered = renderMail({
    ...fixedWords(settings, 'approval', { action: 'signIn', language }),
    values: { url: pageUrl(settings, '/auth/signIn') },
    settings,
  })
  return { id: `approval-${id}`, to, ...rendered }
}

/** Sent to somebody whose account is no more. */
export function farewellMail(
  settings: Settings,
  { id, to, language, username }: Receiver & { username: string },
): MailMessage {
  const rendered = renderMail({
    ...fixedWords(settings, 'deletion', { action: 'signIn', language }),
    values: { username, appName: settings['general.appName'] },
    settings,
  })
  return { id: `farewell-${id}`, to, ...rendered }
}

/** Templates written for products that mail passwords still work: they get one made up. */
export function invitesByPassword(settings: Settings): boolean {
  return settings['email.inviteMessage'].includes('{password}')
}

export function inviteMail(
  settings: Settings,
  { id, to, language, ...entrance }: Receiver & ({ token: string } | { password: string }),
): MailMessage {
  const values =
    'token' in entrance
      ? { url: newPasswordUrl(settings, entrance.token), email: to }
      : { url: pageUrl(settings, '/auth/signIn'), password: entrance.password, email: to }
  const rendered = renderMail({
    ...wordMail(settings, 'invite', language),
    values,
    settings,
  })
  return { id, to, ...rendered }
}

function verifyUrl(settings: Settings, token: string): string {
  return pageUrl(settings, `/auth/verify/${token}`)
}

function newPasswordUrl(settings: Settings, token: string): string {
  return pageUrl(settings, `/auth/resetPassword/${token}`)
}

function pageUrl(settings: Settings, path: string): string {
  return settings['general.appUrl'].replace(/\/+$/, '') + path
}

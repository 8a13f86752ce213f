import { defaultSettings, type Settings } from '@floe/contracts'
import { expect, test } from 'vitest'
import { inviteMail, invitesByPassword, resetPasswordMail } from './account-mails.ts'

const settings: Settings = { ...defaultSettings(), 'general.appUrl': 'https://files.example.org/' }
const address = { id: 'message-1', to: 'ada@example.org' }
const receiver = { ...address, language: null }

test('the message for a new password leads to its page', () => {
  const mail = resetPasswordMail(settings, { ...receiver, token: 'tok-en' })
  expect(mail).toMatchObject({ ...address, subject: settings['email.resetPasswordSubject'] })
  expect(mail.text).toContain('https://files.example.org/auth/resetPassword/tok-en\n')
  expect(mail.html).toContain('href="https://files.example.org/auth/resetPassword/tok-en"')
})

test('an invitation leads to the page for a first password', () => {
  const mail = inviteMail(settings, { ...receiver, token: 'tok-en' })
  expect(mail.text).toContain('https://files.example.org/auth/resetPassword/tok-en\n')
  expect(mail.text).toContain('sign in with ada@example.org')
  expect(invitesByPassword(settings)).toBe(false)
})

test('a template with {password} carries one, and leads to the sign-in page', () => {
  const old = { ...settings, 'email.inviteMessage': '{url} as {email} with {password}' }
  expect(invitesByPassword(old)).toBe(true)
  const mail = inviteMail(old, { ...receiver, password: 's3cret' })
  expect(mail.text).toBe('https://files.example.org/auth/signIn as ada@example.org with s3cret\n')
})

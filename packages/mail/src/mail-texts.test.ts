import {
  configCatalogue,
  defaultSettings,
  languages,
  mailTemplateNames,
  mailTemplates,
} from '@floe/contracts'
import { describe, expect, test } from 'vitest'
import { mailTexts, wordMail } from './mail-texts.ts'

const english = mailTexts('en')
const keys = Object.keys(english).sort()
const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort()

test('the defaults of the settings are what English says', () => {
  for (const name of mailTemplateNames) {
    expect(configCatalogue[`email.${name}Subject`].default).toBe(english[`${name}Subject`])
    expect(configCatalogue[`email.${name}Message`].default).toBe(english[`${name}Message`])
    const known = mailTemplates[name].map((one) => `{${one}}`)
    for (const text of [english[`${name}Subject`], english[`${name}Message`]]) {
      expect(known).toEqual(expect.arrayContaining(placeholders(text)))
    }
  }
})

describe.each(languages.filter((language) => language !== 'en'))('%s', (language) => {
  const own = mailTexts(language)

  test('says everything English says, with the same placeholders, in its own words', () => {
    expect(Object.keys(own).sort()).toEqual(keys)
    for (const [key, text] of Object.entries(own)) {
      const source = Object.entries(english).find(([name]) => name === key)?.[1] ?? ''
      expect(placeholders(text), key).toEqual(placeholders(source))
      expect(text.trim(), key).toBe(text)
      expect(text, key).not.toBe(source)
    }
  })
})

test('what was left as it came is said in the language of the reader', () => {
  const settings = defaultSettings()
  expect(wordMail(settings, 'invite', 'de').subject).toBe('Sie wurden eingeladen')
  expect(wordMail(settings, 'invite', null).subject).toBe('You have been invited')
})

test('people whose language is unknown are written to in the one of the site', () => {
  const settings = { ...defaultSettings(), 'general.defaultLanguage': 'de' } as const
  const { subject, language } = wordMail(settings, 'invite', null)
  expect([subject, language]).toEqual(['Sie wurden eingeladen', 'de'])
  expect(wordMail(settings, 'invite', 'ja').language).toBe('ja')
})

test('the language of the message is known as long as the message was left as it came', () => {
  const settings = defaultSettings()
  expect(wordMail(settings, 'invite', 'ja').language).toBe('ja')
  expect(wordMail(settings, 'invite', null).language).toBe('en')
  const own = { ...settings, 'email.inviteMessage': 'Komm an Bord: {url}' }
  expect(wordMail(own, 'invite', 'ja').language).toBeUndefined()
})

test('the button says where the address leads', () => {
  const settings = defaultSettings()
  expect(wordMail(settings, 'shareRecipients', 'de').action).toBe('Freigabe öffnen')
  expect(wordMail(settings, 'invite', null).action).toBe('Choose your password')
  const old = { ...settings, 'email.inviteMessage': '{url} with {password}' }
  expect(wordMail(old, 'invite', null).action).toBe('Sign in')
})

test('what an administrator worded is left alone in every language, subject and message apart', () => {
  const settings = { ...defaultSettings(), 'email.inviteSubject': 'Come aboard' }
  const { subject, message } = wordMail(settings, 'invite', 'de')
  expect(subject).toBe('Come aboard')
  expect(message).toBe(mailTexts('de').inviteMessage)
})

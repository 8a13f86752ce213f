import { expect, test } from 'vitest'
import { chooseLanguage, requestLanguage, textDirection } from './language.ts'

test.each([
  ['de', 'fr', 'de'],
  ['de-DE', undefined, 'de'],
  ['es-ES', undefined, 'es-ES'],
  ['es', undefined, 'es-ES'],
  ['ES-mx', undefined, 'es-ES'],
  ['pt', undefined, 'pt-BR'],
  ['zh-TW', undefined, 'zh-TW'],
  ['zh-CN', undefined, 'zh-CN'],
  ['zh', undefined, 'zh-CN'],
  ['zh-HK', undefined, 'zh-TW'],
  ['zh-Hant', undefined, 'zh-TW'],
  ['sr-SP', undefined, 'sr'],
  ['fi-FI', undefined, 'fi'],
  [undefined, 'fr;q=0.4, de-AT;q=0.9', 'de'],
  [undefined, 'xx, *;q=0.1', null],
  ['xx', 'ar-EG', 'ar'],
  [undefined, 'en-GB, de', 'en'],
  [undefined, undefined, null],
  ['../etc', '*', null],
  ['', '', null],
])('language of cookie %j and header %j is %s', (cookie, header, language) => {
  expect(chooseLanguage(cookie, header)).toBe(language)
})

test('a request tells its language by its cookie before its browser', () => {
  expect(requestLanguage({ headers: { cookie: 'language=pl', 'accept-language': 'ja' } })).toBe(
    'pl',
  )
  expect(requestLanguage({ headers: { 'accept-language': 'ja' } })).toBe('ja')
  expect(requestLanguage({ headers: {} })).toBeNull()
})

test('Arabic runs from right to left', () => {
  expect(textDirection('ar')).toBe('rtl')
  expect(textDirection('en')).toBe('ltr')
})

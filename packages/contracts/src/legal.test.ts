import { expect, test } from 'vitest'
import { defaultSettings } from './config-catalogue.ts'
import { findLegal, legalLinks } from './legal.ts'

const settings = {
  ...defaultSettings(),
  'legal.enabled': true,
  'legal.imprintText': '# Imprint',
  'legal.imprintUrl': 'https://example.org/imprint',
}

test('a text comes before an address, and leads to the page that shows it', () => {
  expect(findLegal('imprint', settings)).toEqual({ text: '# Imprint' })
  expect(legalLinks(settings)).toEqual({ imprint: '/imprint', privacy: null })
})

test('an address stands in for a text that is empty', () => {
  const blank = { ...settings, 'legal.imprintText': ' \n' }
  expect(findLegal('imprint', blank)).toEqual({ url: 'https://example.org/imprint' })
  expect(legalLinks(blank).imprint).toBe('https://example.org/imprint')
})

test('nothing leads anywhere until it is enabled', () => {
  expect(legalLinks({ ...settings, 'legal.enabled': false })).toEqual({
    imprint: null,
    privacy: null,
  })
})

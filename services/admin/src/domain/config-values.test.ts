import { defaultSettings } from '@floe/contracts'
import { expect, test } from 'vitest'
import { checkChanges, effectiveSettings } from './config-values.ts'

const updatedAt = new Date('2026-01-01T00:00:00Z')
const stored = (key: string, value: string) => ({ key, value, updatedAt })

test('without stored values every setting is its default', () => {
  expect(effectiveSettings([], {})).toEqual(defaultSettings())
})

test('stored values win over defaults and keep their type', () => {
  const settings = effectiveSettings(
    [
      stored('general.appName', '42'),
      stored('share.maxSize', '0'),
      stored('share.shareIdLength', '12'),
      stored('share.allowRegistration', 'false'),
    ],
    {},
  )
  expect(settings).toEqual({
    ...defaultSettings(),
    'general.appName': '42',
    'share.maxSize': 0,
    'share.shareIdLength': 12,
    'share.allowRegistration': false,
  })
})

test('the environment replaces a default, a stored value replaces the environment', () => {
  const overrides = { 'general.appUrl': 'https://floe.example' }
  expect(effectiveSettings([], overrides)['general.appUrl']).toBe('https://floe.example')
  expect(
    effectiveSettings([stored('general.appUrl', 'https://other.example')], overrides)[
      'general.appUrl'
    ],
  ).toBe('https://other.example')
})

test.each([
  ['share.maxSize', 'many'],
  ['share.zipCompressionLevel', '10'],
  ['share.allowRegistration', 'yes'],
  ['forgotten.variable', 'x'],
])('a stored %s of "%s" that no longer fits counts as absent', (key, value) => {
  expect(effectiveSettings([stored(key, value)], {})).toEqual(defaultSettings())
})

test('changes become text, an empty text clears, the last of equal keys counts', () => {
  expect(
    checkChanges([
      { key: 'share.zipCompressionLevel', value: 3 },
      { key: 'share.allowRegistration', value: false },
      { key: 'general.appName', value: 'Once' },
      { key: 'share.maxSize', value: '' },
      { key: 'general.appName', value: 'Twice' },
    ]),
  ).toEqual([
    { key: 'share.zipCompressionLevel', value: '3' },
    { key: 'share.allowRegistration', value: 'false' },
    { key: 'general.appName', value: 'Twice' },
    { key: 'share.maxSize', value: null },
  ])
})

test.each([
  ['an unknown key', 'share.nothing', 'x', 'config_variable_not_found'],
  ['a name every object has', '__proto__', 'x', 'config_variable_not_found'],
  ['text for a number', 'share.maxSize', '5', 'config_wrong_type'],
  ['a boolean for a number', 'share.maxSize', true, 'config_wrong_type'],
  ['text for a boolean', 'share.allowRegistration', 'true', 'config_wrong_type'],
  ['a number for a boolean', 'share.allowRegistration', 1, 'config_wrong_type'],
  ['a number below its range', 'share.zipCompressionLevel', -1, 'config_out_of_range'],
  ['a number above its range', 'share.zipCompressionLevel', 10, 'config_out_of_range'],
  ['a fraction', 'share.zipCompressionLevel', 1.5, 'config_out_of_range'],
  ['a text that is too long', 'general.appName', 'x'.repeat(61), 'config_out_of_range'],
  ['a control character', 'general.appName', 'a\u0000b', 'validation_failed'],
])('refuses %s', (_, key, value, code) => {
  expect(() => checkChanges([{ key, value }])).toThrow(expect.objectContaining({ code }))
})

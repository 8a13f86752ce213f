import { defaultSettings } from '@floe/contracts'
import { expect, test } from 'vitest'
import {
  checkChanges,
  configKeys,
  effectiveSettings,
  isSecret,
  variableOf,
} from './config-values.ts'

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
  ['general.appUrl', 'javascript:alert(1)'],
  ['smtp.email', 'nobody'],
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
  ['a port beyond the last', 'smtp.port', 65_536, 'config_out_of_range'],
  ['a port below the first', 'smtp.port', -1, 'config_out_of_range'],
  ['a line break in a secret', 'smtp.password', 'a\nb', 'validation_failed'],
  ['a secret that is too long', 'smtp.password', 'x'.repeat(1_001), 'config_out_of_range'],
])('refuses %s', (_, key, value, code) => {
  expect(() => checkChanges([{ key, value }])).toThrow(expect.objectContaining({ code }))
})

test.each([
  ['an address of the site', 'general.appUrl', 'https://floe.example'],
  ['one with a port', 'general.appUrl', 'http://192.0.2.1:8080'],
  ['one with a path', 'general.appUrl', 'https://example.org/floe'],
  ['a discovery address', 'oauth.oidc-discoveryUri', 'https://id.example/a/.well-known?x=1'],
  ['a sender', 'smtp.email', 'floe@example.org'],
  ['a sender inside a network', 'smtp.email', 'floe@mailhost'],
  ['one of the choices', 'smtp.tls', 'required'],
  ['a tenant by name', 'oauth.microsoft-tenant', 'organizations'],
  ['a tenant by domain', 'oauth.microsoft-tenant', 'example.onmicrosoft.com'],
  ['a tenant by GUID', 'oauth.microsoft-tenant', '9188040d-6c67-4c5b-b112-36a304b66dad'],
])('takes %s', (_, key, value) => {
  expect(checkChanges([{ key, value }])).toEqual([{ key, value }])
})

test.each([
  ['general.appUrl', 'floe.example', 'must be an http:// or https:// address'],
  ['general.appUrl', 'ftp://floe.example', 'must be an http:// or https:// address'],
  ['general.appUrl', 'javascript:alert(1)', 'must be an http:// or https:// address'],
  ['general.appUrl', 'https://floe.example/?a=1', 'must not contain ? or #'],
  ['general.appUrl', 'https://floe.example/#a', 'must not contain ? or #'],
  ['oauth.oidc-discoveryUri', 'file:///etc/passwd', 'must be an http:// or https:// address'],
  ['oauth.oidc-discoveryUri', 42, 'must be an http:// or https:// address'],
  ['smtp.email', 'Floe <floe@example.org>', 'must be an e-mail address'],
  ['smtp.email', 'floe', 'must be an e-mail address'],
  ['smtp.tls', 'Required', 'must be one of automatic, required, opportunistic, none'],
  ['smtp.tls', true, 'must be one of automatic, required, opportunistic, none'],
  ['oauth.microsoft-tenant', '../common', 'may contain letters, digits, dots and hyphens only'],
  ['oauth.microsoft-tenant', 'a/b', 'may contain letters, digits, dots and hyphens only'],
])('refuses %s as %s and says why', (key, value, problem) => {
  expect(() => checkChanges([{ key, value }])).toThrow(
    expect.objectContaining({ code: 'validation_failed', issues: [`${key}: ${problem}`] }),
  )
})

test('the address of the site loses its slash at the end: paths are appended to it', () => {
  expect(checkChanges([{ key: 'general.appUrl', value: 'https://floe.example//' }])).toEqual([
    { key: 'general.appUrl', value: 'https://floe.example' },
  ])
})

test('no secret is public', () => {
  const secret = configKeys.filter((key) => isSecret(variableOf(key)))
  expect(secret).toContain('smtp.password')
  expect(secret.filter((key) => variableOf(key).public)).toEqual([])
})

test('every default that is not empty is what its own setting would take', () => {
  for (const key of configKeys) {
    const { default: value } = variableOf(key)
    if (value !== '')
      expect(checkChanges([{ key, value }])).toEqual([{ key, value: String(value) }])
  }
})

import { socialErrorCodes } from '@floe/contracts'
import { expect, it } from 'vitest'
import catalogue from '../../shared/i18n/locales/en.json' with { type: 'json' }
import { errorKeyOf, providerNameOf } from './error-keys.ts'

function textOf(code: string): string {
  const [, name = ''] = errorKeyOf(code).split('.')
  return (catalogue.errorPage as Record<string, string>)[name] ?? ''
}

it.each(socialErrorCodes)('names the provider in the text for %s', (code) => {
  expect(textOf(code)).toContain('{provider}')
})

it('has a text of its own for each code', () => {
  expect(new Set(socialErrorCodes.map(textOf)).size).toBe(socialErrorCodes.length)
})

it.each([null, '', 'something_else', 'toString'])('takes %j for any failure', (code) => {
  expect(errorKeyOf(code)).toBe('errorPage.default')
})

it.each([
  ['provider_github', 'GitHub'],
  ['provider_oidc', 'OpenID Connect'],
  ['a,provider_discord', 'Discord'],
  ['provider_toString', null],
  ['github', null],
  [null, null],
])('reads the provider of %j', (params, name) => {
  expect(providerNameOf(params)).toBe(name)
})

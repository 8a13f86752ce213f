import { defaultSettings, type Settings } from '@floe/contracts'
import { describe, expect, it } from 'vitest'
import { safeRedirect } from '../shared/paths.ts'
import { gate, type Visitor } from './gate.ts'

const stranger: Visitor = { signedIn: false, isAdmin: false, isSetUp: true, landing: null }
const member = { signedIn: true, isAdmin: false, isSetUp: true, landing: null }
const admin = { signedIn: true, isAdmin: true, isSetUp: true, landing: null }

function settingsWith(changes: Partial<Settings>): Settings {
  return { ...defaultSettings(), ...changes }
}

function sendTo(path: string, visitor = stranger, changes: Partial<Settings> = {}, search = '') {
  return gate({ path, search, visitor, settings: settingsWith(changes) })
}

describe('the gate', () => {
  it.each([
    '/share/a',
    '/share/a/',
    '/s/a',
    '/upload/token',
    '/error',
    '/',
    '/auth/signIn',
    '/auth/signUp',
  ])('lets a stranger see %s', (path) => expect(sendTo(path)).toBeNull())

  it.each([
    '/upload',
    '/account',
    '/account/shares',
    '/account/reverseShares',
    '/admin',
    '/share/a/edit',
  ])('sends a stranger on %s to the sign-in page and back', (path) =>
    expect(sendTo(path)).toBe(`/auth/signIn?redirect=${encodeURIComponent(path)}`),
  )

  it('keeps the query of the page a stranger wanted', () => {
    expect(sendTo('/account', stranger, {}, '?a=b')).toBe(
      '/auth/signIn?redirect=%2Faccount%3Fa%3Db',
    )
  })

  it('lets strangers upload where shares need no account', () => {
    expect(sendTo('/upload', stranger, { 'share.allowUnauthenticatedShares': true })).toBeNull()
  })

  it('keeps people without the right out of the administration', () => {
    expect(sendTo('/admin/config/general', member)).toBe('/upload')
    expect(sendTo('/admin/config/general', admin)).toBeNull()
  })

  it('welcomes whoever runs a new place at home, until it is set up', () => {
    expect(sendTo('/', { ...admin, isSetUp: false })).toBe('/admin/intro')
    expect(sendTo('/', { ...member, isSetUp: false })).toBe('/upload')
    expect(sendTo('/', { ...stranger, isSetUp: false })).toBeNull()
    expect(sendTo('/', admin)).toBe('/upload')
  })

  it('closes the sign-up page while registration is off', () => {
    expect(sendTo('/auth/signUp', stranger, { 'share.allowRegistration': false })).toBe('/')
  })

  it('closes the page that asks for a message while there is no mail', () => {
    expect(sendTo('/auth/resetPassword')).toBe('/')
    expect(sendTo('/auth/resetPassword/')).toBe('/')
    expect(sendTo('/auth/resetPassword', stranger, { 'smtp.enabled': true })).toBeNull()
    expect(sendTo('/auth/resetPassword', stranger, { 'general.showHomePage': false })).toBe(
      '/auth/signIn',
    )
  })

  it('lets whoever holds the link of a message choose a password, signed in or not', () => {
    expect(sendTo('/auth/resetPassword/token')).toBeNull()
    expect(sendTo('/auth/resetPassword/token', member)).toBeNull()
  })

  it('lets whoever holds the link of a message confirm an address, signed in or not', () => {
    expect(sendTo('/auth/verify/token')).toBeNull()
    expect(sendTo('/auth/verify/token', member)).toBeNull()
  })

  it('shows the second step to whoever is about to sign in, and moves on behind it', () => {
    expect(sendTo('/auth/totp/token', stranger, {}, '?redirect=%2Faccount')).toBeNull()
    expect(sendTo('/auth/totp/token', member, {}, '?redirect=%2Faccount')).toBe('/account')
  })

  it('sends someone who just signed in where they wanted to go', () => {
    expect(sendTo('/auth/signIn', { ...member, landing: '/account' })).toBe('/account')
    expect(sendTo('/auth/signIn', member, {}, '?redirect=%2Faccount')).toBe('/account')
    expect(sendTo('/auth/signIn', member, {}, '?redirect=%2F%2Fevil.example')).toBe('/upload')
  })

  it('shows the home page to strangers alone, and only where it is on', () => {
    expect(sendTo('/', member)).toBe('/upload')
    expect(sendTo('/', stranger, { 'general.showHomePage': false })).toBe('/auth/signIn')
  })
})

describe('a redirect', () => {
  it.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '',
    '/\n/x',
    '/a\\b',
    `/${'a'.repeat(2_000)}`,
  ])('never leaves the site through %j', (path) => expect(safeRedirect(path)).toBeNull())

  it('may be a path with its query', () => {
    expect(safeRedirect('/share/a?folder=b')).toBe('/share/a?folder=b')
  })
})

import { defaultSettings, type Settings } from '@floe/contracts'
import { describe, expect, it } from 'vitest'
import { safeRedirect } from '../shared/paths.ts'
import { guard, type Visitor } from './guard.ts'

const anonymous: Visitor = { isSignedIn: false, isAdmin: false, isSetUp: true, landing: null }
const member = { isSignedIn: true, isAdmin: false, isSetUp: true, landing: null }
const admin = { isSignedIn: true, isAdmin: true, isSetUp: true, landing: null }

function settingsWith(changes: Partial<Settings>): Settings {
  return { ...defaultSettings(), ...changes }
}

function sendTo(path: string, visitor = anonymous, changes: Partial<Settings> = {}, search = '') {
  return guard({ path, search, visitor, settings: settingsWith(changes) })
}

describe('the guard', () => {
  it.each([
    '/share/a',
    '/share/a/',
    '/s/a',
    '/upload/token',
    '/error',
    '/',
    '/auth/signIn',
    '/auth/signUp',
  ])('lets a visitor see %s', (path) => expect(sendTo(path)).toBeNull())

  it.each([
    '/upload',
    '/account',
    '/account/shares',
    '/account/reverseShares',
    '/admin',
    '/share/a/edit',
  ])('sends a visitor on %s to the sign-in page and back', (path) =>
    expect(sendTo(path)).toBe(`/auth/signIn?redirect=${encodeURIComponent(path)}`),
  )

  it('keeps the query of the page a visitor wanted', () => {
    expect(sendTo('/account', anonymous, {}, '?a=b')).toBe(
      '/auth/signIn?redirect=%2Faccount%3Fa%3Db',
    )
  })

  it('lets visitors upload where shares need no account', () => {
    expect(sendTo('/upload', anonymous, { 'share.allowUnauthenticatedShares': true })).toBeNull()
  })

  it('keeps people without the right out of the administration', () => {
    expect(sendTo('/admin/config/general', member)).toBe('/upload')
    expect(sendTo('/admin/config/general', admin)).toBeNull()
  })

  it("lets who lacks a second factor see nothing but their account, and what is everybody's", () => {
    const lacking = { ...admin, lacksSecondFactor: true }
    for (const path of ['/', '/upload', '/account/shares', '/admin', '/share/a/edit']) {
      expect(sendTo(path, lacking)).toBe('/account')
    }
    for (const path of ['/account', '/share/a', '/imprint']) {
      expect(sendTo(path, lacking)).toBeNull()
    }
  })

  it('welcomes the administrator of a new place at home, until it is set up', () => {
    expect(sendTo('/', { ...admin, isSetUp: false })).toBe('/admin/intro')
    expect(sendTo('/', { ...member, isSetUp: false })).toBe('/upload')
    expect(sendTo('/', { ...anonymous, isSetUp: false })).toBeNull()
    expect(sendTo('/', admin)).toBe('/upload')
  })

  it.each([
    ...['/imprint', '/privacy', '/admin/status', '/admin/nope', '/account/nope', '/auth/verify'],
    ...['/nope', '/Upload', '/share/a/b'],
  ])('leaves %s to the "not found" screen, for everybody', (path) => {
    for (const visitor of [anonymous, member, admin]) expect(sendTo(path, visitor)).toBeNull()
  })

  it('closes the sign-up page while registration is off', () => {
    expect(sendTo('/auth/signUp', anonymous, { 'share.allowRegistration': false })).toBe('/')
  })

  it('closes the page that asks for a message while there is no mail', () => {
    expect(sendTo('/auth/resetPassword')).toBe('/')
    expect(sendTo('/auth/resetPassword/')).toBe('/')
    expect(sendTo('/auth/resetPassword', anonymous, { 'smtp.enabled': true })).toBeNull()
    expect(sendTo('/auth/resetPassword', anonymous, { 'general.showHomePage': false })).toBe(
      '/auth/signIn',
    )
  })

  it('lets the holder of the link of a message choose a password, signed in or not', () => {
    expect(sendTo('/auth/resetPassword/token')).toBeNull()
    expect(sendTo('/auth/resetPassword/token', member)).toBeNull()
  })

  it('lets the holder of the link of a message confirm an address, signed in or not', () => {
    expect(sendTo('/auth/verify/token')).toBeNull()
    expect(sendTo('/auth/verify/token', member)).toBeNull()
  })

  it('shows the second step to somebody who is about to sign in, and moves on behind it', () => {
    expect(sendTo('/auth/totp/token', anonymous, {}, '?redirect=%2Faccount')).toBeNull()
    expect(sendTo('/auth/totp/token', member, {}, '?redirect=%2Faccount')).toBe('/account')
  })

  it('sends someone who just signed in where they wanted to go', () => {
    expect(sendTo('/auth/signIn', { ...member, landing: '/account' })).toBe('/account')
    expect(sendTo('/auth/signIn', member, {}, '?redirect=%2Faccount')).toBe('/account')
    expect(sendTo('/auth/signIn', member, {}, '?redirect=%2F%2Fevil.example')).toBe('/upload')
  })

  it('shows the home page to visitors alone, and only where it is on', () => {
    expect(sendTo('/', member)).toBe('/upload')
    expect(sendTo('/', anonymous, { 'general.showHomePage': false })).toBe('/auth/signIn')
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

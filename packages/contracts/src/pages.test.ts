import { expect, test } from 'vitest'
import { defaultSettings } from './config-catalogue.ts'
import { findPage, isListed, maySee, pageNames, pagePath, pages, shortSharePath } from './pages.ts'

test('finds the page of a path, and none where there is none', () => {
  expect(findPage('/')).toBe('home')
  expect(findPage('/share/a%2Fb')).toBe('share')
  expect(findPage('/auth/verify/token/')).toBe('confirmEmail')
  for (const path of [
    ...['/Imprint', '/admin/status', '/admin/config', '/auth/verify', '/nope', ''],
    ...['/share', '/share/', '/share/a/b', '/share//edit', '//', '/s/abc', '/Upload', '/upload//'],
  ]) {
    expect(findPage(path), path).toBeNull()
  }
})

test('every page is found at its own path, and named by one path only', () => {
  for (const name of pageNames) {
    expect(findPage(pages[name].path.replaceAll(':', 'the-'))).toBe(name)
  }
})

test('fills in what stands in a path as one segment', () => {
  expect(pagePath('upload')).toBe('/upload')
  expect(pagePath('editShare', { id: 'a/b' })).toBe('/share/a%2Fb/edit')
  expect(shortSharePath('abc')).toBe('/s/abc')
})

const visitor = { isSignedIn: false, isAdmin: false }
const user = { isSignedIn: true, isAdmin: false }
const administrator = { isSignedIn: true, isAdmin: true }

test('tells who may see a page', () => {
  const settings = { ...defaultSettings(), 'share.allowUnauthenticatedShares': false }
  const seen = (name: Parameters<typeof maySee>[0], changes = {}) =>
    [visitor, user, administrator].map((viewer) =>
      maySee(name, viewer, { ...settings, ...changes }),
    )
  expect(seen('share')).toEqual([true, true, true])
  expect(seen('signIn')).toEqual([true, false, false])
  expect(seen('signUp', { 'share.allowRegistration': false })).toEqual([false, false, false])
  expect(seen('upload')).toEqual([false, true, true])
  expect(seen('upload', { 'share.allowUnauthenticatedShares': true })).toEqual([true, true, true])
  expect(seen('adminUsers')).toEqual([false, false, true])
})

test('lists what every visitor sees, and nothing that only a link leads to', () => {
  const settings = { ...defaultSettings(), 'general.showHomePage': true, 'smtp.enabled': true }
  expect(isListed('/', settings)).toBe(true)
  expect(isListed('/', { ...settings, 'general.showHomePage': false })).toBe(false)
  for (const path of ['/upload/token', '/auth/resetPassword', '/share/abc', '/error', '/nope']) {
    expect(isListed(path, settings), path).toBe(false)
  }
})

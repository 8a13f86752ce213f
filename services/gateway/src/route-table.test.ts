import { routes } from '@floe/contracts'
import { expect, test } from 'vitest'
import { createRouteTable } from './route-table.ts'

const table = createRouteTable([
  { paths: ['/api/shares', '/api/reverseShares'], value: 'share' },
  { paths: ['/api/auth', '/api/oauth', '/api/users', '/api/tokens'], value: 'auth' },
  { paths: ['/api/shares/:shareId/files', '/api/uploads', '/up'], value: 'file' },
  { paths: ['/api/configs', '/api/admin', '/api/webhooks'], value: 'admin' },
])

test.each([
  ['/api/shares', 'share'],
  ['/api/shares/abc', 'share'],
  ['/api/shares/abc/', 'share'],
  ['/api/shares/abc/filesystem', 'share'],
  ['/api/shares/abc/files', 'file'],
  ['/api/shares/abc/files/zip', 'file'],
  ['/api/shares/a%2Fb/files/zip', 'file'],
  ['/api/shares/a%2Ffiles', 'share'],
  ['/api/shares//files', 'share'],
  ['/api/uploads', 'file'],
  ['/api/uploads/x', 'file'],
  ['/api/uploadsx', undefined],
  ['/api/Shares/abc', undefined],
  ['/api/%73hares', undefined],
  ['/api/users/me', 'auth'],
  ['/api', undefined],
  ['/internal/auth/identify', undefined],
  ['/', undefined],
  ['', undefined],
])('finds the owner of %s', (path, owner) => {
  expect(table.find(path)).toBe(owner)
})

test('prefers a literal segment to a parameter whatever the order of entries', () => {
  const both = createRouteTable([
    { paths: ['/a/:x/c'], value: 'parameter' },
    { paths: ['/a/b/c'], value: 'literal' },
  ])
  expect(both.find('/a/b/c')).toBe('literal')
  expect(both.find('/a/d/c')).toBe('parameter')
})

test('every public call but those of the gateway has an owner', () => {
  const orphans = Object.values(routes).filter(({ path }) => table.find(path) === undefined)
  expect(orphans.map(({ path }) => path)).toEqual([
    '/api/health',
    '/api/health/details',
    '/api/health/live',
    '/api/health/ready',
    '/delete/:id/:secret',
    '/delete/:id/:secret',
  ])
})

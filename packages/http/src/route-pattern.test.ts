import { routes } from '@floe/contracts'
import { expect, test } from 'vitest'
import { createPatternFinder } from './route-pattern.ts'

const find = createPatternFinder(Object.values(routes))

test.each([
  ['/api/uploads/unguessable', '/api/uploads/:uploadId'],
  ['/api/uploads', '/api/uploads'],
  ['/api/uploads/', '/api/uploads'],
  ['/api/shares/all', '/api/shares/all'],
  ['/api/shares/abc', '/api/shares/:id'],
  ['/api/shares/abc/files/zip', '/api/shares/:shareId/files/zip'],
  ['/api/shares/abc/files/6f7c2c0e', '/api/shares/:shareId/files/:fileId'],
  ['/api/auth/resetPassword/a%2Fb%40b.example', '/api/auth/resetPassword/:email'],
  ['/api/reverseShares/token/access', '/api/reverseShares/:token/access'],
  ['/api/shares//files/zip', null],
  ['/api/Uploads/unguessable', null],
  ['/api/uploads/unguessable/more', null],
  ['/', null],
])('%s is a request for %s', (path, pattern) => {
  expect(find(path)).toBe(pattern)
})

test('every route is named by its own pattern', () => {
  for (const { path } of Object.values(routes)) {
    expect(find(path.replaceAll(/:\w+/g, 'x'))).toBe(path)
  }
})

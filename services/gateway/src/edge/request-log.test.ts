import { expect, test } from 'vitest'
import { namedShare, nameRoute } from './request-log.ts'

test.each([
  ['/api/uploads/unguessable', '/api/uploads/:uploadId', null],
  ['/api/auth/resetPassword/a@b.example', '/api/auth/resetPassword/:email', null],
  ['/auth/resetPassword/token', '/auth/resetPassword/:token', null],
  ['/auth/totp/token', '/auth/totp/:loginToken', null],
  ['/Auth/ResetPassword/token', '/*', null],
  ['/upload/token', '/upload/:token', null],
  ['/api/reverseShares/token/access', '/api/reverseShares/:token/access', null],
  ['/api/reverseShares/token/unknown', '/api/*', null],
  ['/api/oauth/callback/github', '/api/oauth/callback/:provider', null],
  ['/api/shares/abc', '/api/shares/:id', 'abc'],
  ['/api/shares/abc/files/zip', '/api/shares/:shareId/files/zip', 'abc'],
  ['/api/shares/isShareIdAvailable/abc', '/api/shares/isShareIdAvailable/:id', null],
  ['/share/abc', '/share/:id', 'abc'],
  ['/share/abc/edit', '/share/:id/edit', 'abc'],
  ['/s/abc', '/s/:id', 'abc'],
  ['/share/%22%7d', '/share/:id', null],
  ['/', '/', null],
  ['/account/shares/', '/account/shares', null],
  ['/account/security', '/*', null],
  ['/assets/index-abc.js', '/assets/*', null],
  ['/api/docs/openapi.json', '/api/docs/*', null],
  ['/wp-login.php', '/*', null],
])('%s is told as %s', (path, route, share) => {
  expect(nameRoute(path)).toBe(route)
  expect(namedShare(route, path)).toBe(share)
})

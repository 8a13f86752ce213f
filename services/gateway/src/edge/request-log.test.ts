import { expect, test } from 'vitest'
import { loggedPath } from './request-log.ts'

test.each([
  ['/api/shares/abc?token=secret', '/api/shares/abc'],
  ['/api/uploads/unguessable', '/api/uploads/[redacted]'],
  ['/api/uploads', '/api/uploads'],
  ['/api/auth/resetPassword/a@b.example', '/api/auth/resetPassword/[redacted]'],
  ['/auth/resetPassword/token?x=1', '/auth/resetPassword/[redacted]'],
  ['/auth/totp/token', '/auth/totp/[redacted]'],
  ['/Auth/ResetPassword/token', '/Auth/ResetPassword/[redacted]'],
  ['/api/oauth/callback/github?code=c&state=s', '/api/oauth/callback/github'],
  ['/api/auth/resetPassword/a%2Fb%40b.example', '/api/auth/resetPassword/[redacted]'],
  ['/upload/token', '/upload/[redacted]'],
  ['/api/reverseShares/token/x', '/api/reverseShares/[redacted]/x'],
  [
    '/api/reverseShares/isReverseShareTokenAvailable/token',
    '/api/reverseShares/isReverseShareTokenAvailable/[redacted]',
  ],
])('logs %s as %s', (url, logged) => {
  expect(loggedPath(url)).toBe(logged)
})

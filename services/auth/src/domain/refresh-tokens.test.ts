import { expect, test } from 'vitest'
import { createRefreshToken, hashRefreshToken, judgeRefreshToken } from './refresh-tokens.ts'

const now = new Date('2026-01-01T00:00:00Z')
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1000)
const alive = { sessionRevokedAt: null, sessionExpiresAt: secondsAgo(-60) }

test('makes unguessable tokens and keeps only their digest', () => {
  const first = createRefreshToken()
  const second = createRefreshToken()
  expect(Buffer.from(first.token, 'base64url')).toHaveLength(32)
  expect(first.token).not.toBe(second.token)
  expect(first.hash).toEqual(hashRefreshToken(first.token))
  expect(first.hash.toString('base64url')).not.toBe(first.token)
})

test.each([
  ['rotates a fresh token', { ...alive, replacedAt: null }, 'rotate'],
  [
    'rotates again within the grace of two tabs',
    { ...alive, replacedAt: secondsAgo(30) },
    'rotate',
  ],
  [
    'ends the session when a replaced token comes back later',
    { ...alive, replacedAt: secondsAgo(31) },
    'revoke-session',
  ],
  [
    'refuses a token of an ended session',
    { ...alive, replacedAt: null, sessionRevokedAt: secondsAgo(1) },
    'refuse',
  ],
  [
    'refuses a token of an expired session',
    { replacedAt: null, sessionRevokedAt: null, sessionExpiresAt: now },
    'refuse',
  ],
])('%s', (_, state, verdict) => {
  expect(judgeRefreshToken(state, now)).toBe(verdict)
})

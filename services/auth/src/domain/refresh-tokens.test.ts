import { expect, test } from 'vitest'
import { judgeRefreshToken } from './refresh-tokens.ts'

const now = new Date('2026-01-01T00:00:00Z')
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1000)
const alive = {
  hasReplacedSuccessor: false,
  sessionRevokedAt: null,
  sessionExpiresAt: secondsAgo(-60),
}

test.each([
  ['rotates a fresh token', { ...alive, replacedAt: null }, 'rotate'],
  ['rotates again within the grace of two tabs', { ...alive, replacedAt: secondsAgo(5) }, 'rotate'],
  [
    'ends the session when a replaced token comes back later',
    { ...alive, replacedAt: secondsAgo(6) },
    'revoke-session',
  ],
  [
    'ends the session within the grace too once somebody went on with a successor',
    { ...alive, replacedAt: secondsAgo(1), hasReplacedSuccessor: true },
    'revoke-session',
  ],
  [
    'refuses a token of an ended session',
    { ...alive, replacedAt: null, sessionRevokedAt: secondsAgo(1) },
    'refuse',
  ],
  [
    'refuses a token of an expired session',
    { ...alive, replacedAt: null, sessionExpiresAt: now },
    'refuse',
  ],
])('%s', (_, state, verdict) => {
  expect(judgeRefreshToken(state, now)).toBe(verdict)
})

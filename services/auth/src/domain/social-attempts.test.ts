import { randomBytes } from 'node:crypto'
import { createSecrets } from '@floe/secrets'
import { expect, test } from 'vitest'
import { codeChallengeOf, createSocialAttempts, SOCIAL_ATTEMPT_TTL_MS } from './social-attempts.ts'

const start = Date.parse('2026-01-01T00:00:00Z')

function setUp() {
  const time = { now: start }
  const secrets = createSecrets({ key: randomBytes(32) })
  return { time, attempts: createSocialAttempts({ secrets, clock: () => new Date(time.now) }) }
}

test('an attempt comes back as it was sealed, and its secrets are never twice the same', () => {
  const { attempts } = setUp()
  const link = {
    userId: '7b0e2a3c-4f0d-4d57-9a4b-8f1f6f5f8b11',
    sessionId: '0c9e61d2-5f5f-4b0a-8c80-2a9a4f7f1d22',
  }
  const attempt = attempts.begin({ redirect: '/account', link })
  const sealed = attempts.seal('github', attempt)
  expect(attempts.open('github', sealed)).toEqual(attempt)
  const other = attempts.begin({ redirect: '/', link: null })
  const secretsOf = ({ state, nonce, codeVerifier }: typeof attempt) => [state, nonce, codeVerifier]
  expect(new Set([...secretsOf(attempt), ...secretsOf(other)]).size).toBe(6)
})

test('an attempt opens for its provider alone, unaltered, and for ten minutes', () => {
  const { attempts, time } = setUp()
  const sealed = attempts.seal('github', attempts.begin({ redirect: '/', link: null }))
  expect(attempts.open('google', sealed)).toBeNull()
  expect(attempts.open('github', null)).toBeNull()
  expect(attempts.open('github', '')).toBeNull()
  expect(attempts.open('github', 'x'.repeat(10_000))).toBeNull()
  expect(attempts.open('github', `${sealed.slice(0, -4)}AAAA`)).toBeNull()
  expect(setUp().attempts.open('github', sealed)).toBeNull()
  time.now += SOCIAL_ATTEMPT_TTL_MS - 1
  expect(attempts.open('github', sealed)).not.toBeNull()
  time.now += 1
  expect(attempts.open('github', sealed)).toBeNull()
})

test('the code challenge is that of RFC 7636, appendix B', () => {
  const { attempts } = setUp()
  const attempt = attempts.begin({ redirect: '/', link: null })
  expect(attempt.codeVerifier).toMatch(/^[A-Za-z0-9_-]{43}$/)
  const codeVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
  expect(codeChallengeOf({ ...attempt, codeVerifier })).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  )
})

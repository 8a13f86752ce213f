import { createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose'
import { expect, test } from 'vitest'
import { createAccessTokens } from './access-tokens.ts'

const secret = randomBytes(32)
const user = {
  id: randomUUID(),
  username: 'ada',
  email: 'ada@example.org',
  isAdmin: true,
  hasPassword: true,
  totpVerified: false,
  hasPasskeys: false,
  storageLimit: null,
  shareSizeLimit: null,
  sharingExceptions: {},
  showsName: true,
  emailStanding: 'assumed' as const,
  directoryId: null,
  isWaiting: false,
}
const sessionId = randomUUID()
const start = new Date('2026-01-01T00:00:00Z')

function setUp() {
  let now = start
  const tokens = createAccessTokens({ secret, clock: () => now })
  const passSeconds = (seconds: number) => {
    now = new Date(now.getTime() + seconds * 1000)
  }
  return { tokens, passSeconds }
}

test('carries user, session and a lifetime of 15 minutes', async () => {
  const { tokens } = setUp()
  const claims = decodeJwt(await tokens.sign(user, sessionId))
  const iat = start.getTime() / 1000
  expect(claims).toEqual({
    sub: user.id,
    email: user.email,
    isAdmin: true,
    sid: sessionId,
    iat,
    exp: iat + 900,
    jti: expect.any(String),
  })
})

test('is refused once expired, yet still names its session for sign-out', async () => {
  const { tokens, passSeconds } = setUp()
  const token = await tokens.sign(user, sessionId)
  await expect(tokens.verify(token)).resolves.toEqual({ userId: user.id, sessionId })
  passSeconds(900)
  await expect(tokens.verify(token)).resolves.toBeNull()
  await expect(tokens.verifySignature(token)).resolves.toEqual({ userId: user.id, sessionId })
})

const claims = { sub: user.id, sid: sessionId }
const sign = (payload: Record<string, unknown>, key: Buffer, alg = 'HS256') =>
  new SignJWT(payload)
    .setProtectedHeader({ alg })
    .setExpirationTime('1h')
    .sign(createSecretKey(key))

test.each([
  ['text that is no token', () => 'a.b.c'],
  ['an empty text', () => ''],
  ['a NUL character', () => '\u0000'],
  ['a token signed with another key', () => sign(claims, randomBytes(32))],
  ['a token of another algorithm', () => sign(claims, Buffer.concat([secret, secret]), 'HS512')],
  ['an unsigned token', () => new UnsecuredJWT(claims).encode()],
  ['a token without session', () => sign({ sub: user.id }, secret)],
  ['a token whose session is no id', () => sign({ ...claims, sid: "' or 1=1" }, secret)],
])('refuses %s', async (_, make) => {
  const { tokens } = setUp()
  const token = await make()
  await expect(tokens.verify(token)).resolves.toBeNull()
  await expect(tokens.verifySignature(token)).resolves.toBeNull()
})

test('refuses a token without an end', async () => {
  const { tokens } = setUp()
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .sign(createSecretKey(secret))
  await expect(tokens.verify(token)).resolves.toBeNull()
})

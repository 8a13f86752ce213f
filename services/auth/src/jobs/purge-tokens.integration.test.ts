import { jobs } from '@floe/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts'
import { setUpTotp } from '../testing/authenticator.ts'
import { isSignedIn, openBrowser, register } from '../testing/browser.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server.close())

const dayInSeconds = 24 * 3600
const count = async (table: string) => (await server.database.knex(table)).length

const purge = () => server.runJob(jobs.purgeTokens, {})

test('removes what ended over a day ago and old refresh tokens, never a living session', async () => {
  const living = await register(server)
  const ended = await register(server)
  await living.browser.send('POST', '/api/auth/token')
  await ended.browser.send('POST', '/api/auth/signOut')

  await purge()
  await expect(count('sessions')).resolves.toBe(2)
  await expect(count('refresh_tokens')).resolves.toBe(3)

  server.passSeconds(dayInSeconds + 1)
  await purge()
  await purge()
  await expect(count('sessions')).resolves.toBe(1)
  await expect(count('refresh_tokens')).resolves.toBe(2)

  server.passSeconds(7 * dayInSeconds)
  await purge()
  await expect(count('refresh_tokens')).resolves.toBe(1)
  expect((await living.browser.send('POST', '/api/auth/token')).status).toBe(200)
  await expect(isSignedIn(living.browser)).resolves.toBe(true)

  server.passSeconds(91 * dayInSeconds)
  await purge()
  await expect(count('sessions')).resolves.toBe(0)
  await expect(count('refresh_tokens')).resolves.toBe(0)
})

test('removes one-time tokens a day after their end, and requests without a response', async () => {
  const user = await register(server)
  await setUpTotp(server, user)
  const { email, password } = user
  await openBrowser(server).send('POST', '/api/auth/signIn', { email, password })
  await openBrowser(server).send('POST', `/api/auth/resetPassword/${email}`)
  server.passSeconds(dayInSeconds)
  await purge()
  await expect(count('one_time_tokens')).resolves.toBe(1)
  server.passSeconds(6 * 60)
  await purge()
  await expect(count('one_time_tokens')).resolves.toBe(0)
  await expect(count('password_reset_requests')).resolves.toBe(1)
  server.passSeconds(2 * dayInSeconds)
  await purge()
  await expect(count('password_reset_requests')).resolves.toBe(0)
})

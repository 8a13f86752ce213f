import { jobs } from '@floe/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts'
import { isSignedIn, register } from '../testing/browser.ts'

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

  server.passSeconds(84 * dayInSeconds)
  await purge()
  await expect(count('sessions')).resolves.toBe(0)
  await expect(count('refresh_tokens')).resolves.toBe(0)
})

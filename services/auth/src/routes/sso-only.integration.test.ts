import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { isSignedIn, makeRegistration, openBrowser, register } from '../testing/browser.ts'
import { createPasskeyDevice } from '../testing/passkey-device.ts'
import { APP_URL } from '../testing/social-flow.ts'
import { enter, newAccount, type SocialWorld, startSocialWorld } from '../testing/social-world.ts'

let world: SocialWorld
beforeAll(async () => {
  world = await startSocialWorld()
})
beforeEach(async () => {
  world.server.settings['oauth.disablePassword'] = false
  await world.server.database.knex('rate_limits').delete()
})
afterAll(() => world.close())

const off = { status: 403, body: { code: 'password_sign_in_disabled' } }
const send = (path: string, body?: unknown) => openBrowser(world.server).send('POST', path, body)

test('where people sign in with a provider alone, nothing else lets anybody in', async () => {
  const { email, password, browser } = await register(world.server)
  const device = createPasskeyDevice({ origin: APP_URL })
  const asked = await browser.send('POST', '/api/auth/passkeys/options', { password })
  const passkey = device.create(JSON.parse(asked.text))
  await browser.send('POST', '/api/auth/passkeys', { name: 'Phone', passkey })
  const begun = await send('/api/auth/signIn/passkey/options', {})
  const { challenge } = begun.body['options'] as { challenge: string }
  const used = device.use({ challenge, rpId: 'localhost' })

  world.server.settings['oauth.disablePassword'] = true
  expect(await send('/api/auth/signIn', { email, password })).toMatchObject(off)
  expect(await send('/api/auth/signIn', { email, password: 'wrong' })).toMatchObject(off)
  expect(await send('/api/auth/signIn', { email: 'nobody@example.org', password })).toMatchObject(
    off,
  )
  expect(await send('/api/auth/signUp', makeRegistration())).toMatchObject(off)
  expect(await send(`/api/auth/resetPassword/${email}`)).toMatchObject(off)
  expect(await send('/api/auth/signIn/passkey/options', {})).toMatchObject(off)
  expect(await send('/api/auth/signIn/passkey', { passkey: used })).toMatchObject(off)
  const account = newAccount()
  await expect(isSignedIn(await enter(world.server, 'oidc', account))).resolves.toBe(true)
  await expect(isSignedIn(browser)).resolves.toBe(true)

  world.server.settings['oauth.disablePassword'] = false
  expect(await send('/api/auth/signIn/passkey', { passkey: used })).toMatchObject({ status: 200 })
})

test('a provider counts as working once it takes the saved client, and is switched on', async () => {
  const { settings, port } = world.server
  const saved = { ...settings }
  const isThere = async () => (await port.hasWorkingProvider({})).isThere
  for (const provider of ['github', 'google', 'microsoft', 'discord'] as const) {
    settings[`oauth.${provider}-enabled`] = false
  }
  expect(await isThere()).toBe(true)
  settings['oauth.oidc-clientSecret'] = 'of another client'
  expect(await isThere()).toBe(false)
  settings['oauth.oidc-clientSecret'] = saved['oauth.oidc-clientSecret']
  settings['oauth.oidc-discoveryUri'] = 'http://127.0.0.1:9'
  expect(await isThere()).toBe(false)
  Object.assign(settings, saved, { 'oauth.oidc-enabled': false })
  for (const provider of ['github', 'google', 'microsoft', 'discord'] as const) {
    settings[`oauth.${provider}-enabled`] = false
  }
  expect(await isThere()).toBe(false)
  Object.assign(settings, saved)
})

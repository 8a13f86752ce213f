import { socialProviders } from '@floe/contracts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Browser, register } from '../testing/browser.ts'
import { type SocialWorld, startSocialWorld } from '../testing/social-world.ts'

let world: SocialWorld
let admin: Browser
beforeAll(async () => {
  world = await startSocialWorld()
  ;({ browser: admin } = await register(world.server))
  saved = { ...world.server.settings }
})
afterAll(() => world.close())

let saved: SocialWorld['server']['settings']
afterEach(() => {
  Object.assign(world.server.settings, saved)
  world.forging.fault = null
})

const tryOut = (provider: string) => admin.send('POST', `/api/oauth/check/${provider}`)

test.each(socialProviders)('%s takes the client that was saved, on or off', async (provider) => {
  world.server.settings[`oauth.${provider}-enabled`] = false
  const { status, body } = await tryOut(provider)
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      issuer: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+/),
      signInPage: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/.*auth/),
    },
  })
})

test.each(socialProviders)('%s says that the client secret is not its own', async (provider) => {
  const secret = 'a-secret-of-somebody-else'
  world.server.settings[`oauth.${provider}-clientSecret`] = secret
  const { status, body, text } = await tryOut(provider)
  expect({ status, code: body['code'] }).toEqual({ status: 400, code: 'social_client_rejected' })
  expect(body['message']).toMatch(/^The provider rejected the client: ./)
  expect(text).not.toContain(secret)
})

test.each(socialProviders)('%s needs a client ID and a secret to be tried', async (provider) => {
  for (const name of ['clientId', 'clientSecret'] as const) {
    Object.assign(world.server.settings, saved, { [`oauth.${provider}-${name}`]: ' ' })
    expect((await tryOut(provider)).body).toMatchObject({ code: 'social_check_incomplete' })
  }
})

test('an address where nobody listens, or that is no provider, is told apart', async () => {
  const { settings } = world.server
  settings['oauth.oidc-discoveryUri'] = 'http://127.0.0.1:1'
  const nobody = await tryOut('oidc')
  expect(nobody).toMatchObject({ status: 400, body: { code: 'social_check_failed' } })
  settings['oauth.oidc-discoveryUri'] = world.github.url
  const another = await tryOut('oidc')
  expect(another).toMatchObject({ status: 400, body: { code: 'social_check_failed' } })
  expect(another.body['message']).not.toBe(nobody.body['message'])
  settings['oauth.oidc-discoveryUri'] = 'http://provider.test'
  expect((await tryOut('oidc')).body['message']).toContain('must be reached by https')
  settings['oauth.oidc-discoveryUri'] = 'no address'
  expect((await tryOut('oidc')).body).toMatchObject({ code: 'social_check_incomplete' })
})

test('a provider that is down is not taken for one that refuses', async () => {
  world.forging.fault = 'token endpoint broken'
  const { body } = await tryOut('microsoft')
  expect(body).toMatchObject({ code: 'social_check_failed' })
  expect(body['message']).not.toMatch(/client/i)
})

test('is for administrators alone', async () => {
  const { browser: user } = await register(world.server)
  expect(await user.send('POST', '/api/oauth/check/github')).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  })
})

test('knows no other provider', async () => {
  expect(await tryOut('facebook')).toMatchObject({
    status: 400,
    body: { code: 'validation_failed' },
  })
})

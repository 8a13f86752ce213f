import { socialProviders } from '@floe/contracts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isSignedIn, makeRegistration, openBrowser, register } from '../testing/browser.ts'
import {
  enter,
  errorOf,
  goThrough,
  newAccount,
  type SocialWorld,
  startSocialWorld,
} from '../testing/social-world.ts'

let world: SocialWorld
let admin: Awaited<ReturnType<typeof register>>
beforeAll(async () => {
  world = await startSocialWorld()
  admin = await register(world.server)
})
afterEach(async () => {
  Object.assign(world.server.settings, {
    'general.allowedEmailDomains': '',
    'general.refusedEmailDomains': '',
  })
  await world.server.database.knex('rate_limits').delete()
})
afterAll(() => world.close())

const allowOnly = (domains: string) => {
  world.server.settings['general.allowedEmailDomains'] = domains
}
const refused = { status: 400, body: { code: 'email_domain_refused' } }
const signUp = (email: string) =>
  openBrowser(world.server).send('POST', '/api/auth/signUp', { ...makeRegistration(), email })
let last = 0
const at = (domain: string) => {
  last += 1
  return `person${last}@${domain}`
}

describe('an address that people choose', () => {
  test('has one of the allowed domains at sign-up, and none of those refused', async () => {
    allowOnly('company.example, *.company.example')
    expect((await signUp(at('company.example'))).status).toBe(201)
    expect((await signUp(at('Berlin.Company.example'))).status).toBe(201)
    expect(await signUp(at('elsewhere.example'))).toMatchObject(refused)
    world.server.settings['general.refusedEmailDomains'] = 'company.example'
    expect(await signUp(at('company.example'))).toMatchObject(refused)
  })

  test('is not changed into one of another domain', async () => {
    const { browser, password } = await register(world.server)
    allowOnly('company.example')
    const change = (email: string) => browser.send('PATCH', '/api/users/me', { email, password })
    expect(await change(at('elsewhere.example'))).toMatchObject(refused)
    expect((await change(at('company.example'))).status).toBe(200)
  })

  test.each(socialProviders)('makes no account at the first sign-in by %s', async (provider) => {
    allowOnly('company.example')
    const account = newAccount({ email: at('elsewhere.example') })
    const browser = openBrowser(world.server)
    const response = await goThrough(browser, provider, { account })
    expect(errorOf(response)).toMatchObject({ error: 'email_domain_refused' })
    await expect(isSignedIn(browser)).resolves.toBe(false)
    const allowed = newAccount({ email: at('company.example') })
    await expect(isSignedIn(await enter(world.server, provider, allowed))).resolves.toBe(true)
  })

  test('lets accounts that are there in, whatever their domain', async () => {
    const account = newAccount({ email: at('elsewhere.example') })
    await enter(world.server, 'oidc', account)
    allowOnly('company.example')
    await expect(isSignedIn(await enter(world.server, 'oidc', account))).resolves.toBe(true)
  })
})

test('administrators give people any address', async () => {
  allowOnly('company.example')
  const body = { ...makeRegistration(), email: at('elsewhere.example') }
  expect((await admin.browser.send('POST', '/api/users', body)).status).toBe(201)
})

import type { CertifiedProvider } from '@floe/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Visitor } from '../harness/journey.ts'
import { configure, nameOf } from '../harness/people.ts'
import { decide, newProviderAccount, providerSettings, startProvider } from '../harness/provider.ts'
import { useJourney } from '../harness/use-journey.ts'

const journey = useJourney()
let provider: CertifiedProvider

beforeAll(async () => {
  journey.problems.expectRefusals({ path: /^\/api\/users\/me$/, status: 403 })
  provider = await startProvider(journey)
  const admin = await journey.visitAsAdministrator()
  await configure(admin, {
    ...providerSettings(provider),
    'general.appUrl': journey.floe.url,
    'oauth.oidc-signOut': true,
  })
})
afterAll(() => provider?.close())

async function enter(): Promise<Visitor> {
  const visitor = await journey.visit()
  const { page } = visitor
  const account = newProviderAccount()
  await page.goto('/auth/signIn')
  await page.getByRole('link', { name: 'Continue with OpenID Connect' }).click()
  await decide(page, account)
  await page.waitForURL('**/upload')
  expect(await nameOf(visitor)).toBe(account.username)
  return visitor
}

test('signing out leads to the provider, signs out there as well, and comes back', async () => {
  const visitor = await enter()
  const { page } = visitor
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(`${provider.url}/**`)
  expect(await nameOf(visitor)).toBeNull()
  await page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await page.waitForURL(`${journey.floe.url}/`)
  await page.getByRole('heading', { name: /^Send files of any size/ }).waitFor()
})

test('signing out at the provider ends the session here, which it tells by itself', async () => {
  const visitor = await enter()
  const { page } = visitor
  await page.goto(`${provider.url}/session/end`)
  await page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await expect.poll(() => provider.backChannel.at(-1)?.status).toBe(200)
  await expect.poll(() => nameOf(visitor)).toBeNull()
})

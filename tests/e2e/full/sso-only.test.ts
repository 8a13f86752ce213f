import type { CertifiedProvider } from '@floe/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Visitor } from '../harness/journey.ts'
import { configure, nameOf } from '../harness/people.ts'
import { decide, newProviderAccount, providerSettings, startProvider } from '../harness/provider.ts'
import { useOwnFloe } from '../harness/use-journey.ts'

const journey = useOwnFloe()
let provider: CertifiedProvider
let admin: Visitor

beforeAll(async () => {
  journey.problems.expectRefusals(
    { path: /^\/api\/configs\/admin$/, status: 400 },
    { path: /^\/api\/auth\/signIn/, status: 403 },
  )
  provider = await startProvider(journey)
  admin = await journey.visitAsAdministrator()
  await configure(admin, { 'general.appUrl': journey.floe.url })
})
afterAll(() => provider?.close())

const choose = async () => {
  const { page } = admin
  await page.goto('/admin/config/oauth')
  await page.getByLabel('Sign in with providers only').check()
  await page.getByRole('button', { name: 'Save' }).click()
}

test('passwords are switched off only once a provider works', async () => {
  await choose()
  await admin.page.getByText('No provider that is switched on works.').waitFor()
  await configure(admin, providerSettings(provider))
  await choose()
  await admin.page.getByRole('alert').getByText('Configuration saved').waitFor()
})

test('the only provider is asked at once, and not again by itself after signing out', async () => {
  const visitor = await journey.visit()
  const { page } = visitor
  const account = newProviderAccount()
  await page.goto('/account/shares')
  await decide(page, account)
  await page.waitForURL('**/account/shares')
  expect(await nameOf(visitor)).toBe(account.username)

  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: /^Send files of any size/ }).waitFor()
  await page.goto('/auth/signIn')
  const entrance = page.getByRole('link', { name: 'Continue with OpenID Connect' })
  await entrance.waitFor()
  expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0)
  await entrance.click()
  await decide(page, 'cancel')
  await page.waitForURL('**/error?**')
})

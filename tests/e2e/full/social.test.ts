import type { CertifiedProvider } from '@floe/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Visitor } from '../harness/journey.ts'
import { configure, join, nameOf, signIn, signOut } from '../harness/people.ts'
import { decide, newProviderAccount, providerSettings, startProvider } from '../harness/provider.ts'
import { useJourney } from '../harness/use-journey.ts'

const journey = useJourney()
let provider: CertifiedProvider
let admin: Visitor

beforeAll(async () => {
  journey.problems.expectRefusals({ path: /^\/api\/oauth\/check\//, status: 400 })
  provider = await startProvider(journey)
  admin = await journey.visitAsAdministrator()
  await configure(admin, { 'general.appUrl': journey.floe.url })
})

afterAll(() => provider?.close())

const entrance = (page: Page) => page.getByRole('link', { name: 'Continue with OpenID Connect' })
const uploadPage = (page: Page) => page.getByRole('heading', { name: 'Upload', level: 1 })
const accounts = (page: Page) => page.getByRole('region', { name: 'Social accounts' })

async function saveConfig(page: Page): Promise<void> {
  const reread = page.waitForResponse(
    (response) => response.request().method() === 'GET' && response.url().endsWith('/admin/oauth'),
  )
  await page.getByRole('button', { name: 'Save' }).click()
  await reread
  await page.getByRole('alert').getByText('Configuration saved').first().waitFor()
  // The form is drawn anew with what was saved, secrets left out.
  for (const secret of await page.getByLabel('Client secret').all()) {
    await expect.poll(() => secret.inputValue()).toBe('')
  }
}

test('a provider entered and tried on the page lets strangers sign up, out and in again', async () => {
  await configure(admin, { 'oauth.oidc-enabled': false, 'oauth.oidc-clientSecret': '' })
  const visitor = await journey.visit()
  const { page } = visitor
  await page.goto('/auth/signIn')
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
  await expect.poll(() => entrance(page).count()).toBe(0)

  await admin.open('/admin/config/oauth')
  const settings = admin.page.getByRole('group', { name: 'OpenID Connect' })
  const { url, clientId, clientSecret } = provider
  await settings.getByLabel('Enabled').check()
  await expect
    .poll(() => settings.getByLabel('Redirect address').inputValue())
    .toBe(`${journey.floe.url}/api/oauth/callback/oidc`)
  const tryIt = settings.getByRole('button', { name: 'Try OpenID Connect' })
  await tryIt.click()
  await settings.getByText("Enter and save the provider's client ID").waitFor()
  await settings.getByLabel('Discovery address').fill(`${url}/.well-known/openid-configuration`)
  await settings.getByLabel('Client ID').fill(clientId)
  await settings.getByLabel('Client secret').fill('a secret of another client')
  await saveConfig(admin.page)
  await tryIt.click()
  await settings.getByText('OpenID Connect rejected these credentials').waitFor()
  await settings.getByText(/invalid_client/).waitFor()
  await settings.getByLabel('Client secret').fill(clientSecret)
  await saveConfig(admin.page)
  await tryIt.click()
  await settings.getByText('OpenID Connect accepted these credentials').waitFor()
  await settings.getByText(`${url}/auth`).waitFor()

  const account = newProviderAccount()
  await page.goto('/account/shares')
  await entrance(page).click()
  await decide(page, account)
  await page.getByRole('heading', { name: 'No shares yet' }).waitFor()
  expect(await nameOf(visitor)).toBe(account.username)
  await signOut(page)
  await page.goto('/auth/signIn')
  await entrance(page).click()
  await decide(page, account)
  await uploadPage(page).waitFor()
  expect(await nameOf(visitor)).toBe(account.username)
  await visitor.leave()
})

test('a linked account signs its user in until it is unlinked', async () => {
  await configure(admin, providerSettings(provider))
  const visitor = await journey.visit()
  const { page } = visitor
  const person = await join(visitor)
  const account = newProviderAccount()
  await page.goto('/account')
  await accounts(page).getByText('Not linked').waitFor()
  await accounts(page).getByRole('link', { name: 'Link OpenID Connect' }).click()
  await decide(page, account)
  await accounts(page).getByText(account.username).waitFor()

  const elsewhere = await journey.visit()
  await elsewhere.open('/auth/signIn')
  await entrance(elsewhere.page).click()
  await decide(elsewhere.page, account)
  await uploadPage(elsewhere.page).waitFor()
  expect(await nameOf(elsewhere)).toBe(person.username)

  await accounts(page).getByRole('button', { name: 'Unlink OpenID Connect' }).click()
  const ask = page.getByRole('dialog', { name: 'Unlink OpenID Connect?' })
  await ask.getByText('You can no longer sign in with OpenID Connect').waitFor()
  await ask.getByRole('button', { name: 'Unlink' }).click()
  await accounts(page).getByText('Not linked').waitFor()
  await Promise.all([visitor.leave(), elsewhere.leave()])
})

test('the last way to sign in goes only after a warning, and a password takes its place', async () => {
  await configure(admin, providerSettings(provider))
  const account = newProviderAccount()
  const { page, leave } = await journey.visit()
  await page.goto('/auth/signIn?redirect=%2Faccount')
  await entrance(page).click()
  await decide(page, account)
  const unlink = accounts(page).getByRole('button', { name: 'Unlink OpenID Connect' })
  const ask = page.getByRole('dialog', { name: 'Unlink OpenID Connect?' })
  await unlink.click()
  await ask.getByText('This is your only way to sign in.').waitFor()
  await ask.getByRole('button', { name: 'Cancel' }).click()
  await ask.waitFor({ state: 'hidden' })
  await accounts(page).getByText(account.username).waitFor()
  await unlink.click()
  await ask.getByRole('button', { name: 'Unlink anyway' }).click()
  await accounts(page).getByText('Not linked').waitFor()

  const password = page.getByRole('region', { name: 'Password' })
  await password.getByText('You have no password yet.').waitFor()
  await password.getByLabel('New password').fill('a long enough password')
  await password.getByRole('button', { name: 'Set password' }).click()
  await password.getByLabel('Old password').waitFor()
  await signOut(page)
  await page.goto('/auth/signIn')
  await signIn(page, { ...account, password: 'a long enough password' })
  await uploadPage(page).waitFor()
  await leave()
})

test('what fails at the provider is explained, with its name and a way back', async () => {
  await configure(admin, providerSettings(provider))
  const { page, leave } = await journey.visit()
  await page.goto('/account/shares')
  await entrance(page).click()
  await decide(page, 'cancel')
  await page.getByRole('heading', { name: 'Something went wrong' }).waitFor()
  await page.getByText('You cancelled the sign-in with OpenID Connect.').waitFor()
  await page.getByRole('link', { name: 'Go back' }).click()
  await page.waitForURL('**/auth/signIn?redirect=%2Faccount%2Fshares')

  const owner = await journey.visit()
  const { email } = await join(owner)
  await entrance(page).click()
  await decide(page, { ...newProviderAccount(), email })
  await page.getByText(/^A user with the email address of this OpenID/).waitFor()
  await page.getByRole('link', { name: 'Go back' }).click()
  await entrance(page).waitFor()

  await owner.open('/account')
  await accounts(owner.page).getByRole('link', { name: 'Link OpenID Connect' }).click()
  await decide(owner.page, 'cancel')
  await owner.page.getByText('You cancelled the sign-in with OpenID Connect.').waitFor()
  await owner.page.getByRole('link', { name: 'Go back' }).click()
  await accounts(owner.page).getByText('Not linked').waitFor()
  await Promise.all([leave(), owner.leave()])
})

import {
  type CertifiedProvider,
  type DiscordServer,
  type GithubServer,
  type ProviderAccount,
  startDiscordServer,
  startGithubServer,
} from '@floe/testing'
import { randomInt } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Visitor } from '../harness/journey.ts'
import { configure, join, nameOf } from '../harness/people.ts'
import { decide, newProviderAccount, providerSettings, startProvider } from '../harness/provider.ts'
import { useOwnFloe } from '../harness/use-journey.ts'

let github: GithubServer
let discord: DiscordServer
const journey = useOwnFloe(async () => {
  ;[github, discord] = await Promise.all([startGithubServer(), startDiscordServer()])
  return {
    environment: {
      GITHUB_URL: github.url,
      GITHUB_API_URL: github.apiUrl,
      DISCORD_URL: discord.url,
    },
  }
})
let oidc: CertifiedProvider
let admin: Visitor

beforeAll(async () => {
  oidc = await startProvider(journey)
  admin = await journey.visitAsAdministrator()
  await configure(admin, {
    'general.appUrl': journey.floe.url,
    'oauth.github-enabled': true,
    'oauth.github-clientId': github.clientId,
    'oauth.github-clientSecret': github.clientSecret,
    'oauth.discord-enabled': true,
    'oauth.discord-clientId': discord.clientId,
    'oauth.discord-clientSecret': discord.clientSecret,
    ...providerSettings(oidc),
  })
})

afterAll(async () => {
  await Promise.all([github, discord, oidc].map((provider) => provider?.close()))
})

type Name = 'GitHub' | 'Discord' | 'OpenID Connect'

/** Ids of GitHub and Discord are digits. */
function newAccount(changes: Partial<ProviderAccount> = {}): ProviderAccount {
  return { ...newProviderAccount(), id: String(randomInt(1, 2 ** 47)), ...changes }
}

/** To the page of the provider, from where somebody signs in. */
async function leaveFor(page: Page, name: Name): Promise<void> {
  await page.goto('/')
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: `Continue with ${name}` }).click()
}

/** What the page says went wrong; leads back to where it began. */
async function reasonOf(page: Page, back: 'Welcome back' | 'My account'): Promise<string> {
  await page.getByRole('heading', { name: 'Something went wrong', level: 1 }).waitFor()
  await expect.poll(() => page.title()).toBe('Something went wrong – Floe')
  const text = await page.getByRole('main').locator('p').first().innerText()
  await page.getByRole('link', { name: 'Go back' }).click()
  await page.getByRole('heading', { name: back, level: 1 }).waitFor()
  return text
}

async function signInBy(
  page: Page,
  name: Name,
  decision: Parameters<typeof decide>[1],
): Promise<string> {
  await leaveFor(page, name)
  await decide(page, decision, name)
  return reasonOf(page, 'Welcome back')
}

const cancelled = (name: Name) => `You cancelled the sign-in with ${name}.`

test.each(['GitHub', 'Discord', 'OpenID Connect'] as const)(
  'somebody who turns back at %s, or is turned back, reads so',
  async (name) => {
    const { page, leave } = await journey.visit()
    expect(await signInBy(page, name, 'cancel')).toBe(cancelled(name))
    expect(await signInBy(page, name, 'fail')).toBe(
      `Something went wrong during the sign-in with ${name}.`,
    )
    await leave()
  },
)

test('an account that cannot become a user here is told why', async () => {
  const { page, leave } = await journey.visit()
  const { email: _, ...nameless } = newAccount()
  expect(await signInBy(page, 'Discord', nameless)).toBe(
    'This Discord account has no email address.',
  )
  const unproven = newAccount({ isEmailVerified: false })
  expect(await signInBy(page, 'GitHub', unproven)).toBe(
    'This GitHub account is not verified. Verify it and try again.',
  )
  const owner = await journey.visit()
  const { email } = await join(owner)
  expect(await signInBy(page, 'OpenID Connect', newAccount({ email }))).toBe(
    'A user with the email address of this OpenID Connect account already exists. Sign in as that user, then link OpenID Connect on the account page.',
  )
  await configure(admin, { 'oauth.allowRegistration': false })
  expect(await signInBy(page, 'GitHub', newAccount())).toBe(
    'No user here is linked to this GitHub account, and it cannot be used to sign up.',
  )
  await configure(admin, { 'oauth.allowRegistration': true })
  await configure(admin, { 'oauth.discord-limitedGuild': '900' })
  expect(await signInBy(page, 'Discord', newAccount({ guildIds: ['901'] }))).toBe(
    'This Discord account is not allowed to sign in here.',
  )
  await configure(admin, { 'oauth.discord-limitedGuild': '' })
  await configure(admin, { 'general.allowedEmailDomains': 'company.example' })
  expect(await signInBy(page, 'GitHub', newAccount())).toBe(
    'The email domain of this GitHub account is not accepted here.',
  )
  await configure(admin, {
    'general.allowedEmailDomains': '',
    'oauth.oidc-rolePath': 'roles',
    'oauth.oidc-roleGeneralAccess': 'files',
  })
  expect(await signInBy(page, 'OpenID Connect', newAccount())).toBe(
    'This OpenID Connect account lacks the role that is needed to sign in here.',
  )
  await configure(admin, { 'oauth.oidc-rolePath': '', 'general.requireApproval': true })
  expect(await signInBy(page, 'OpenID Connect', newAccount())).toBe(
    'An administrator has to approve your account first. Then sign in with OpenID Connect again.',
  )
  await configure(admin, { 'oauth.oidc-roleGeneralAccess': '', 'general.requireApproval': false })
  await Promise.all([leave(), owner.leave()])
})

test('an attempt that took too long, was begun twice or met an outage is told apart', async () => {
  const visitor = await journey.visit()
  const { page, context } = visitor
  await leaveFor(page, 'OpenID Connect')
  // What becomes of the attempt's cookie once its time is over.
  await context.clearCookies({ name: /^oauth_/ })
  await decide(page, newAccount())
  expect(await reasonOf(page, 'Welcome back')).toBe(
    'The sign-in with OpenID Connect took too long. Try again.',
  )
  await leaveFor(page, 'OpenID Connect')
  const second = await context.newPage()
  await leaveFor(second, 'OpenID Connect')
  await decide(page, newAccount())
  expect(await reasonOf(page, 'Welcome back')).toBe(
    'The sign-in with OpenID Connect failed because of an internal error.',
  )
  github.outage = { status: 500, body: '{}' }
  expect(await signInBy(page, 'GitHub', newAccount())).toBe(
    'GitHub did not return your account details.',
  )
  github.outage = null
  expect(await nameOf(visitor)).toBeNull()
  await visitor.leave()
})

test('an account that is linked elsewhere, or no longer, is left alone', async () => {
  const account = newAccount()
  const first = await journey.visit()
  await leaveFor(first.page, 'GitHub')
  await decide(first.page, account, 'GitHub')
  await first.page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()

  const owner = await journey.visit()
  const { page } = owner
  await join(owner)
  await page.goto('/')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'My account' }).click()
  const link = page.getByRole('link', { name: 'Link GitHub' })
  await link.click()
  await decide(page, account, 'GitHub')
  expect(await reasonOf(page, 'My account')).toBe(
    'This GitHub account is already linked to another user.',
  )
  await link.click()
  await decide(page, newAccount(), 'GitHub')
  const unlink = async (tab: Page) => {
    await tab.getByRole('button', { name: 'Unlink GitHub' }).click()
    const ask = tab.getByRole('dialog', { name: 'Unlink GitHub?' })
    await ask.getByText('Make sure you remember your password.').waitFor()
    await ask.getByRole('button', { name: 'Unlink' }).click()
  }
  await page.getByRole('button', { name: 'Unlink GitHub' }).waitFor()
  const other = await owner.context.newPage()
  await other.goto('/account')
  await other.getByRole('button', { name: 'Unlink GitHub' }).waitFor()
  await unlink(page)
  await page.getByRole('alert').getByText('GitHub unlinked').waitFor()
  await unlink(other)
  expect(await reasonOf(other, 'My account')).toBe('No GitHub account is linked to you.')
  await other.getByRole('link', { name: 'Link GitHub' }).waitFor()
  await Promise.all([first.leave(), owner.leave()])
})

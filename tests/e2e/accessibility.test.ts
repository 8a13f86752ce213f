import { join } from 'node:path'
import type { CertifiedProvider } from '@floe/testing'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openAuthenticator, scan, typeCode } from './harness/authenticator.ts'
import { findBarriers } from './harness/barriers.ts'
import { dragOver, writeRandomFile, writeTree } from './harness/files.ts'
import { type Journey, startJourney, type Visitor } from './harness/journey.ts'
import { configure, join as joinFloe, signIn } from './harness/people.ts'
import { decide, newProviderAccount, providerSettings, startProvider } from './harness/provider.ts'
import { makeShare } from './harness/shares.ts'
import {
  beginShare,
  finishShare,
  takeLine,
  totalProgress,
  waitForProgress,
} from './harness/uploading.ts'

let journey: Journey
let owner: Visitor
let page: Page
let found: string[]
let provider: CertifiedProvider

beforeAll(async () => {
  journey = await startJourney()
  owner = await journey.visit()
  page = owner.page
  await joinFloe(owner)
  provider = await startProvider(journey)
  await configure(owner, {
    'general.appUrl': journey.floe.url,
    'smtp.enabled': true,
    ...providerSettings(provider),
    'oauth.github-enabled': true,
    'oauth.github-clientId': 'floe',
    'oauth.github-clientSecret': 'floe',
  })
  await writeRandomFile(join(journey.folder, 'film.mov'), { sizeBytes: 9_000_000, seed: 'film' })
  await writeTree(journey.folder, { 'notes.txt': 'Notes' })
  const { request } = owner.context
  const files = { 'Photos/one.txt': 'one', 'notes.txt': 'Notes', 'table.xyz': 'unknown' }
  await makeShare(request, { id: 'open', name: 'Open share', description: 'For you', files })
  await makeShare(request, { id: 'locked', name: 'Locked share', password: 'secret', files })
})

beforeEach(() => {
  found = []
})

afterEach((context) => journey.conclude(context))

afterAll(async () => {
  await journey?.end()
  await provider?.close()
})

/** Has axe judge what the page shows, in every look. */
async function judge(screen: string, of = page): Promise<void> {
  found.push(...(await findBarriers(of, screen)))
}

async function judgePage(path: string, heading: string | RegExp, of = page): Promise<void> {
  await of.goto(path)
  await of.getByRole('heading', { name: heading }).waitFor()
  await judge(path, of)
}

test('strangers find no barrier on the public pages', async () => {
  journey.problems.expectRefusals(
    { path: /^\/api\/shares\/absent$/, status: 404 },
    { path: /^\/api\/auth\/resetPassword$/, status: 400 },
  )
  const { page: stranger, leave } = await journey.visit()
  await judgePage('/', /^Send files of any size/, stranger)
  await stranger.goto('/auth/signIn')
  await stranger.getByRole('link', { name: 'Continue with GitHub' }).waitFor()
  await judge('/auth/signIn', stranger)
  await stranger.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  await stranger.getByText('This field is required').first().waitFor()
  await judge('sign-in with errors', stranger)
  await judgePage('/auth/signUp', 'Create an account', stranger)
  await judgePage('/auth/resetPassword', 'Reset your password', stranger)
  await judgePage('/auth/resetPassword/unknown', 'Choose a password', stranger)
  await stranger.getByLabel('New password').fill('a long enough password')
  await stranger.getByRole('button', { name: 'Save password' }).click()
  await stranger.getByRole('heading', { name: 'This link does not work any more' }).waitFor()
  await judge('spent link to a new password', stranger)
  const failed = '/error?error=access_denied&params=provider_oidc'
  await judgePage(failed, 'Something went wrong', stranger)
  await judgePage('/share/absent', 'Share not found', stranger)
  await judgePage('/share/locked', 'Password required', stranger)
  await judgePage('/share/open', 'Open share', stranger)
  await stranger.getByRole('button', { name: 'Preview notes.txt' }).click()
  await stranger.getByRole('dialog').getByText('Notes', { exact: true }).waitFor()
  await judge('text preview', stranger)
  await stranger.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await stranger.getByRole('button', { name: 'table.xyz', exact: true }).click()
  await stranger.getByText('Preview not supported').waitFor()
  await judge('no preview', stranger)
  await stranger.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await stranger.getByRole('button', { name: 'Open folder Photos' }).click()
  await stranger.getByRole('navigation', { name: 'Folders' }).waitFor()
  await judge('folder of a share', stranger)
  await leave()
  expect(found).toEqual([])
})

test('uploading has no barrier from the empty page to the finished share', async () => {
  await judgePage('/upload', 'Drop files or folders here')
  const drag = await dragOver(page, page.getByRole('banner'), [join(journey.folder, 'notes.txt')])
  await page.getByRole('status').filter({ hasText: 'Drop files' }).waitFor()
  await judge('files over the window')
  await drag.leave()
  await page.getByLabel('Files to upload').setInputFiles(join(journey.folder, 'notes.txt'))
  await page.getByRole('table').waitFor()
  await judge('chosen files')
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Create share' })
  await dialog.getByLabel('Link').fill('not a link!')
  await dialog.getByRole('button', { name: 'Name and description' }).click()
  await dialog.getByRole('button', { name: 'Security options' }).click()
  await dialog.getByLabel('Maximum views').waitFor()
  await dialog.getByRole('button', { name: 'Share', exact: true }).click()
  await dialog.getByText(/^Can only contain letters/).waitFor()
  await judge('create dialog with an error')

  const line = await takeLine(page)
  await line.set({ uploadBytesPerSecond: 1_500_000 })
  const files = ['film.mov', 'notes.txt'].map((name) => join(journey.folder, name))
  await beginShare(page, { files, link: 'barrier-free' })
  await waitForProgress(totalProgress(page), 5)
  await page.getByRole('button', { name: 'Pause film.mov' }).click()
  await judge('upload under way')
  await page.close()

  page = await owner.context.newPage()
  await judgePage('/upload', 'Unfinished uploads')
  await page.getByLabel('Files of barrier-free').setInputFiles(join(journey.folder, 'film.mov'))
  const done = page.getByRole('dialog', { name: 'Your share is ready' })
  await done.getByRole('button', { name: 'Show QR code' }).click()
  await done.getByRole('img', { name: 'QR code of the share link' }).waitFor()
  await judge('finished share')
  await finishShare(page)
  expect(found).toEqual([])
})

test('my shares and the editing of one have no barrier', async () => {
  await judgePage('/account/shares', 'My shares')
  await page.getByRole('button', { name: 'Info about Open share' }).click()
  await page.getByRole('dialog', { name: 'Share info' }).waitFor()
  await judge('info dialog')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Link to Open share' }).click()
  await page.getByRole('img', { name: 'QR code of the share link' }).waitFor()
  await judge('link dialog')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Delete Open share' }).click()
  await page.getByRole('dialog', { name: 'Delete Open share?' }).waitFor()
  await judge('delete dialog')
  await page.goto('/share/locked/edit')
  await page.getByRole('heading', { name: 'Edit Locked share' }).waitFor()
  await page.getByRole('button', { name: 'Delete notes.txt' }).click()
  await page.getByLabel('Change when it expires').check()
  await judge('share edit')
  const newcomer = await journey.visit()
  await joinFloe(newcomer)
  await judgePage('/account/shares', 'No shares yet', newcomer.page)
  await newcomer.leave()
  expect(found).toEqual([])
})

test('the second factor has no barrier from its code on the screen to its end', async () => {
  journey.problems.expectRefusals({ path: /^\/api\/auth\/signIn\/totp$/, status: 400 })
  const { page: desk, context, leave } = await journey.visit()
  const person = await joinFloe({ context })
  await desk.goto('/account')
  const section = desk.getByRole('region', { name: 'Two-factor authentication' })
  await section.getByLabel('Password', { exact: true }).fill(person.password)
  await section.getByRole('button', { name: 'Enable' }).click()
  const code = desk.getByRole('img', { name: 'QR code for your authenticator app' })
  const authenticator = openAuthenticator(await scan(code))
  await judge('setup of the second factor', desk)
  await typeCode(desk, authenticator.nextCode())
  await desk.getByRole('dialog', { name: 'Save your recovery codes' }).waitFor()
  await judge('recovery codes', desk)
  await desk.getByRole('button', { name: 'I have saved them' }).click()
  await section.getByRole('button', { name: 'Disable' }).click()
  await desk.getByRole('dialog', { name: 'Disable two-factor authentication?' }).waitFor()
  await judge('end of the second factor', desk)
  await leave()

  const { page: phone, leave: hangUp } = await journey.visit()
  await phone.goto('/auth/signIn')
  await signIn(phone, person)
  await phone.getByLabel('Digit 1 of 6').waitFor()
  await typeCode(phone, authenticator.wrongCode())
  await phone.getByText('This code is not valid').waitFor()
  await judge('second step with an error', phone)
  await phone.getByRole('button', { name: 'Use a recovery code' }).click()
  await phone.getByLabel('Recovery code').waitFor()
  await judge('second step by recovery code', phone)
  await hangUp()
  expect(found).toEqual([])
})

test('account and administration have no barrier', async () => {
  journey.problems.expectRefusals({ path: /^\/nowhere$/, status: 404 })
  await page.goto('/account')
  const link = page.getByRole('link', { name: 'Link OpenID Connect' })
  const unlink = page.getByRole('button', { name: 'Unlink OpenID Connect' })
  await link.or(unlink).waitFor()
  if (await link.isVisible()) {
    await link.click()
    await decide(page, newProviderAccount())
  }
  await unlink.waitFor()
  await page.getByText('This device').waitFor()
  await judge('/account')
  await unlink.click()
  await page.getByRole('dialog', { name: 'Unlink OpenID Connect?' }).waitFor()
  await judge('unlink dialog')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Delete account' }).click()
  await page.getByRole('dialog', { name: 'Delete your account?' }).waitFor()
  await judge('dialog that deletes the account')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  await judge('account menu')
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await judge('sheet of shortcuts')
  await judgePage('/admin/intro', 'Welcome to Floe')
  await judgePage('/admin', 'Administration')
  await judgePage('/admin/audit', 'Audit log')
  await judgePage('/admin/config/general', 'General')
  await judgePage('/admin/config/share', 'Share')
  await judgePage('/admin/config/email', 'Email')
  await judgePage('/admin/config/smtp', 'SMTP')
  await judgePage('/admin/config/oauth', 'Social login')
  await judgePage('/nowhere', 'Page not found')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('link', { name: 'My shares' }).waitFor()
  await judge('phone menu')
  expect(found).toEqual([])
})

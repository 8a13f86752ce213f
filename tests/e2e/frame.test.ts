import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Journey, startJourney, type Visitor } from './harness/journey.ts'
import { join } from './harness/people.ts'

const PHONE = { width: 390, height: 844 }

let journey: Journey
let admin: Visitor

beforeAll(async () => {
  journey = await startJourney()
  admin = await journey.visit()
  await join(admin)
})

afterEach((context) => journey.conclude(context))

afterAll(() => journey?.end())

const entries = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()
const currentEntry = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).locator('[aria-current="page"]').allInnerTexts()

test('the bar offers strangers the public pages and marks the one that is open', async () => {
  const { page, leave } = await journey.visit()
  await page.goto('/')
  await page.getByRole('heading', { name: /^Send files of any size/ }).waitFor()
  await page.getByRole('banner').getByRole('img', { name: 'logo' }).waitFor()
  expect(await page.title()).toBe('Home – Floe')
  expect(await entries(page)).toEqual(['Home', 'Sign in', 'Sign up'])
  expect(await currentEntry(page)).toEqual(['Home'])
  expect((await page.getByRole('banner').boundingBox())?.height).toBe(60)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
  expect(await currentEntry(page)).toEqual(['Sign in'])
  await leave()
})

test('the bar offers an administrator everything, up to signing out', async () => {
  const { page } = admin
  await page.goto('/upload')
  await page.getByRole('button', { name: 'Shares' }).click()
  await page.getByRole('menuitem', { name: 'My shares' }).click()
  await page.getByRole('heading', { name: 'My shares' }).waitFor()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Administration' }).click()
  await page.getByText('Version 0.24.1').waitFor()
  await page.getByRole('link', { name: 'Configuration' }).click()
  await page.getByRole('heading', { name: 'General' }).waitFor()
  // Configuration has a shell of its own.
  expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false)
  await page.getByRole('link', { name: 'Back to administration' }).click()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'My account' }).click()
  await page.getByRole('heading', { name: 'My account' }).waitFor()
})

test('a phone folds the bar into a menu that closes behind itself', async () => {
  const { page, leave } = await journey.visit({ viewport: PHONE })
  await page.goto('/')
  await page.getByRole('heading', { name: /^Send files of any size/ }).waitFor()
  expect(await page.getByRole('link', { name: 'Sign in' }).isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Open menu' }).click()
  expect(await entries(page)).toEqual(['Home', 'Sign in', 'Sign up'])
  await page.getByRole('link', { name: 'Sign up' }).click()
  await page.getByRole('heading', { name: 'Create an account' }).waitFor()
  await page.getByRole('button', { name: 'Open menu' }).waitFor()
  await leave()
})

test('no page is wider than a phone', async () => {
  journey.problems.expectRefusals({ path: /^\/404$/, status: 404 })
  const { page, leave } = await journey.visit({ viewport: { width: 320, height: 640 } })
  await page.context().addCookies(await admin.context.cookies())
  const paths = ['/upload', '/account', '/account/shares', '/admin', '/admin/config/share', '/404']
  for (const path of [...paths, '/admin/intro', '/error']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(320)
  }
  await leave()
})

test('signing out loads the site anew as a stranger', async () => {
  const { page } = admin
  await page.goto('/upload')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: /^Send files of any size/ }).waitFor()
  await page.goto('/account')
  await page.waitForURL('**/auth/signIn?redirect=%2Faccount')
})

import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Visitor } from './harness/journey.ts'
import { configure } from './harness/people.ts'
import { useJourney } from './harness/use-journey.ts'

const PHONE = { width: 390, height: 844 }

const journey = useJourney()
let admin: Visitor

beforeAll(async () => {
  admin = await journey.visitAsAdministrator()
})

const entries = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()
const currentEntry = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).locator('[aria-current="page"]').allInnerTexts()
const headline = (page: Page) =>
  page.getByRole('heading', { name: 'Send files of any size, from your own server.' })
const uploadPage = (page: Page) => page.getByRole('heading', { name: 'Upload', level: 1 })

/** Opens a menu of the bar; its entries, and the one of the page that is open. */
async function lookInto(page: Page, menu: 'Shares' | 'Account menu') {
  await page.getByRole('button', { name: menu }).click()
  const items = page.getByRole('menuitem')
  await items.first().waitFor()
  const found = {
    items: await items.allInnerTexts(),
    current: await items.and(page.locator('[aria-current="page"]')).allInnerTexts(),
  }
  // Keys are the menu's once it has the focus.
  await expect.poll(() => page.locator('[role=menu]:focus-within').count()).toBe(1)
  await page.keyboard.press('Escape')
  await items.first().waitFor({ state: 'detached' })
  return found
}

test('the home page says what this place is, and leads to an account', async () => {
  const { page, leave } = await journey.visit()
  await page.goto('/')
  await headline(page).waitFor()
  const description =
    'Upload, get a link, share it. Your files stay on a machine you run, for as long as you choose, and nobody else keeps a copy.'
  await page.getByText(description).waitFor()
  await page.keyboard.press('Tab')
  await page.getByRole('link', { name: 'Skip to content' }).waitFor()
  const points = page.getByRole('main').getByRole('listitem')
  expect((await points.allInnerTexts()).map((text) => text.split('\n').filter(Boolean))).toEqual([
    ['Self-hosted', 'Runs on your own machine, from a small board at home to a cluster.'],
    ['Private', 'Your files are yours. They never leave your server.'],
    [
      'No file size limit',
      'As large as your disk. Interrupted uploads resume where they left off.',
    ],
  ])
  await page.getByRole('link', { name: 'Get started' }).click()
  await page.getByRole('heading', { name: 'Create an account' }).waitFor()
  await page.getByRole('link', { name: 'Floe' }).click()
  await headline(page).waitFor()
  await leave()
})

test('the bar offers strangers the public pages and marks the one that is open', async () => {
  const { page, leave } = await journey.visit()
  await page.goto('/')
  await page.getByRole('heading', { name: /^Send files of any size/ }).waitFor()
  const logo = page.getByRole('banner').getByRole('img', { name: 'logo' })
  await expect.poll(() => logo.getAttribute('src')).toBe('/img/logo.png')
  await expect.poll(() => page.title()).toBe('Home – Floe')
  await expect.poll(() => entries(page)).toEqual(['Home', 'Sign in', 'Sign up'])
  await expect.poll(() => currentEntry(page)).toEqual(['Home'])
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
  await expect.poll(() => currentEntry(page)).toEqual(['Sign in'])
  await leave()
})

test('the bar offers strangers no more than the configuration does', async () => {
  await configure(admin, { 'share.allowUnauthenticatedShares': true })
  const { page, leave } = await journey.visit()
  await page.goto('/')
  await headline(page).waitFor()
  await expect.poll(() => entries(page)).toEqual(['Home', 'Upload', 'Sign in', 'Sign up'])
  const headings = {
    Upload: 'Upload',
    'Sign up': 'Create an account',
    'Sign in': 'Welcome back',
    Home: /^Send files of any size/,
  }
  for (const [name, heading] of Object.entries(headings)) {
    await page.getByRole('banner').getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    await expect.poll(() => currentEntry(page)).toEqual([name])
  }
  await configure(admin, { 'share.allowRegistration': false })
  await page.reload()
  await headline(page).waitFor()
  await expect.poll(() => entries(page)).toEqual(['Home', 'Upload', 'Sign in'])
  // A visitor who cannot sign up starts by signing in.
  await page.getByRole('link', { name: 'Get started' }).click()
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
  await expect
    .poll(() => page.getByRole('main').getByRole('link', { name: 'Sign up' }).count())
    .toBe(0)
  await configure(admin, { 'general.showHomePage': false })
  await page.getByRole('link', { name: 'Floe' }).click()
  await page.reload()
  await uploadPage(page).waitFor()
  await expect.poll(() => entries(page)).toEqual(['Upload', 'Sign in'])
  await configure(admin, {
    'general.showHomePage': true,
    'share.allowRegistration': true,
    'share.allowUnauthenticatedShares': false,
  })
  await leave()
})

test('the bar offers members their shares and their account, and marks where they are', async () => {
  const member = await journey.visitAsMember()
  const { page } = member
  await page.goto('/')
  await uploadPage(page).waitFor()
  await expect.poll(() => entries(page)).toEqual(['Upload'])
  await expect.poll(() => currentEntry(page)).toEqual(['Upload'])
  const own = ['My account', 'Keyboard shortcuts', 'Sign out']
  expect(await lookInto(page, 'Shares')).toEqual({
    items: ['My shares', 'Reverse shares'],
    current: [],
  })
  expect(await lookInto(page, 'Account menu')).toEqual({ items: own, current: [] })
  for (const [menu, name] of [
    ['Shares', 'My shares'],
    ['Shares', 'Reverse shares'],
    ['Account menu', 'My account'],
  ] as const) {
    await page.getByRole('button', { name: menu }).click()
    await page.getByRole('menuitem', { name }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    expect((await lookInto(page, menu)).current).toEqual([name])
    await expect.poll(() => currentEntry(page)).toEqual([])
  }
  await member.leave()
})

test('a browser whose session nobody knows is that of a stranger', async () => {
  journey.problems.expectRefusals({ path: /^\/api\/users\/me$/, status: 403 })
  const { page, context, leave } = await journey.visit()
  const url = journey.floe.url
  await context.addCookies([{ name: 'access_token', value: 'no.such.token', url }])
  await page.goto('/')
  await headline(page).waitFor()
  await expect.poll(() => entries(page)).toEqual(['Home', 'Sign in', 'Sign up'])
  await leave()
})

test('the bar offers an administrator everything, up to signing out', async () => {
  const { page } = admin
  await page.goto('/upload')
  expect(await lookInto(page, 'Account menu')).toEqual({
    items: ['My account', 'Administration', 'Keyboard shortcuts', 'Sign out'],
    current: [],
  })
  await page.getByRole('button', { name: 'Shares' }).click()
  await page.getByRole('menuitem', { name: 'My shares' }).click()
  await page.getByRole('heading', { name: 'My shares' }).waitFor()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Administration' }).click()
  await page.getByText('Version 0.24.1').waitFor()
  await page.getByRole('link', { name: 'Configuration' }).click()
  await page.getByRole('heading', { name: 'General' }).waitFor()
  // Configuration has a shell of its own.
  await expect.poll(() => page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false)
  await expect
    .poll(() => page.getByRole('banner').getByRole('img', { name: 'logo' }).count())
    .toBe(0)
  await page.getByRole('link', { name: 'Back to administration' }).click()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'My account' }).click()
  await page.getByRole('heading', { name: 'My account' }).waitFor()
})

test('a phone folds the bar into a menu that closes behind itself', async () => {
  const { page, leave } = await journey.visit({ viewport: PHONE })
  await page.goto('/')
  await page.getByRole('heading', { name: /^Send files of any size/ }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Sign in' }).isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect.poll(() => entries(page)).toEqual(['Home', 'Sign in', 'Sign up'])
  await page.getByRole('link', { name: 'Sign up' }).click()
  await page.getByRole('heading', { name: 'Create an account' }).waitFor()
  await page.getByRole('button', { name: 'Open menu' }).waitFor()
  await leave()
})

test('the menu of a phone has everything that the bar has in two', async () => {
  const { page, context, leave } = await journey.visit({ viewport: PHONE })
  await context.addCookies(await admin.context.cookies())
  await page.goto('/upload')
  const names = ['Upload', 'My shares', 'Reverse shares', 'My account', 'Administration']
  for (const name of names) {
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect.poll(() => entries(page)).toEqual(names)
    const menu = page.getByRole('navigation', { name: 'Main' })
    await menu.getByRole('button', { name: 'Sign out' }).waitFor()
    await menu.getByRole('link', { name }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    // Opened again where it leads to the very page that is open, it closes all the same.
    if (name === 'Upload') await page.getByRole('button', { name: 'Close menu' }).click()
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect.poll(() => currentEntry(page)).toEqual([name])
    await page.getByRole('button', { name: 'Close menu' }).click()
  }
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
  await page.evaluate('window.isSamePage = true')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('banner').getByRole('link', { name: 'Sign up' }).waitFor()
  expect(await page.evaluate('window.isSamePage')).toBeUndefined()
  await expect.poll(() => entries(page)).toEqual(['Home', 'Sign in', 'Sign up'])
  await page.goto('/account')
  await page.waitForURL('**/auth/signIn?redirect=%2Faccount')
})

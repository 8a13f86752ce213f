import {
  findPage,
  maySee,
  type PageName,
  pageNames,
  pageRow,
  pages,
  type Settings,
} from '@floe/contracts'
import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Journey, startJourney, type Visitor } from './harness/journey.ts'
import { configure, join } from './harness/people.ts'
import { makeShare } from './harness/shares.ts'

// The table of pages, read by the application and the gateway, against what both do.

const settings = {
  'general.showHomePage': true,
  'share.allowRegistration': true,
  'share.allowUnauthenticatedShares': false,
  'legal.enabled': true,
  'legal.imprintText': 'Ann Example',
  'legal.privacyPolicyText': 'Nothing is kept.',
} satisfies Partial<Settings>

const unknownPaths = [
  ...['/nope', '/no/such/page', '/auth/verify', '/Upload'],
  ...['/admin/status', '/admin/nope', '/admin/config', '/account/nope', '/share'],
]

const people = {
  'a visitor': { isSignedIn: false, isAdmin: false },
  'a user': { isSignedIn: true, isAdmin: false },
  'an administrator': { isSignedIn: true, isAdmin: true },
}
type Who = keyof typeof people
const names = Object.keys(people) as Who[]

let journey: Journey
let browsers: Record<Who, Visitor>
let shareId: string

beforeAll(async () => {
  journey = await startJourney()
  // The links of messages are made up here; what they open is told by other tests.
  journey.problems.expectRefusals(
    { path: /^\/api\//, status: 400 },
    { path: /^\/api\//, status: 401 },
    { path: /^\/api\//, status: 403 },
    { path: /^\/api\//, status: 404 },
  )
  for (const path of unknownPaths) {
    journey.problems.expectRefusals({ path: new RegExp(`^${path}$`), status: 404 })
  }
  const [visitor, user, admin] = [
    await journey.visit(),
    await journey.visit(),
    await journey.visit(),
  ]
  await join(admin)
  await join(user)
  await configure(admin, { ...settings, 'smtp.enabled': false })
  shareId = await makeShare(user.context.request, { files: { 'note.txt': 'Hello' } })
  browsers = { 'a visitor': visitor, 'a user': user, 'an administrator': admin }
})

afterEach((context) => journey.conclude(context))

afterAll(() => journey?.end())

function addressOf(page: PageName): string {
  return pages[page].path
    .replace(':id', shareId)
    .replace(':category', 'general')
    .replace(/:\w+/, 'made-up')
}

/** What the table says to people who may not see a page. */
function elsewhereFor(name: PageName, who: Who): string {
  const isForVisitors = pageRow(name).audience === 'visitors'
  if (people[who].isSignedIn) {
    // Nobody has finished the first run.
    return name === 'home' && people[who].isAdmin ? pages.adminIntro.path : pages.upload.path
  }
  return isForVisitors
    ? pages.home.path
    : `${pages.signIn.path}?redirect=${encodeURIComponent(addressOf(name))}`
}

const textOf = (key: string): string => {
  const catalogue: unknown = JSON.parse(
    readFileSync(new URL('../../web/src/shared/i18n/locales/en.json', import.meta.url), 'utf8'),
  )
  const text = key
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], catalogue)
  return String(text)
}

/** Their titles name what they are about. */
const namedByContent: readonly PageName[] = ['share', 'editShare', 'shareActivity']

describe.each(names)('to %s', (who) => {
  test.each(pageNames)('the table says what becomes of the page %s', async (name) => {
    const { page } = browsers[who]
    const address = addressOf(name)
    const response = await page.goto(address)
    expect(response?.status(), address).toBe(200)
    if (!maySee(name, people[who], settings)) {
      await page.waitForURL(`**${elsewhereFor(name, who)}`)
      return
    }
    expect(new URL(page.url()).pathname).toBe(address)
    const title = textOf(pages[name].title)
    if (!namedByContent.includes(name)) await expect.poll(() => page.title()).toContain(title)
  })

  test.each(unknownPaths)('%s is not found, by its status and by what shows', async (path) => {
    expect(findPage(path)).toBeNull()
    const { page } = browsers[who]
    const response = await page.goto(path)
    expect(response?.status()).toBe(404)
    await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe(path)
    expect(await page.title()).toBe('Page not found – Floe')
    expect(await page.getByRole('link', { name: 'Go to home page' }).getAttribute('href')).toBe('/')
  })
})

test('what is not found says so where no script runs, and where visitors may upload', async () => {
  await configure(browsers['an administrator'], { 'share.allowUnauthenticatedShares': true })
  const { page, leave } = await journey.visit({ javaScriptEnabled: false })
  const response = await page.goto('/nope')
  expect(response?.status()).toBe(404)
  await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor()
  await leave()
  await browsers['a visitor'].page.goto('/nope')
  await browsers['a visitor'].page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await configure(browsers['an administrator'], settings)
})

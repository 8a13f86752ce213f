import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Visitor } from './harness/journey.ts'
import { findUnfitTexts } from './harness/languages.ts'
import { makeShare } from './harness/shares.ts'
import { useJourney } from './harness/use-journey.ts'

const phone = { width: 390, height: 844 }

const journey = useJourney()
let owner: Visitor

beforeAll(async () => {
  owner = await journey.visitAsMember()
})

const drawing = (page: Page) => page.locator('[aria-hidden="true"] > svg[viewBox="0 0 240 150"]')

/** How far down the heading of a page stands. */
const placeOf = async (page: Page) => (await page.getByRole('heading').first().boundingBox())?.y

test('a dead end has a drawing, which moves nothing when it comes', async () => {
  journey.problems.expectRefusals({ path: /^\/api\/shares\/never-made/, status: 404 })
  const { page, leave } = await journey.visit()
  const held: Route[] = []
  await page.route(/\/scenes-[^/]+\.js$/, (route) => void held.push(route))
  await page.goto('/s/never-made')
  await page.getByRole('heading', { name: 'Share not found' }).waitFor()
  await expect.poll(() => held.length).toBe(1)
  const before = await placeOf(page)
  expect(await drawing(page).count()).toBe(0)
  await held[0]?.continue()
  await drawing(page).waitFor()
  expect(await placeOf(page)).toBe(before)
  await leave()
})

test('a dead end says what it has to say where its drawing cannot be fetched', async () => {
  journey.problems.expectRefusals({ path: /^\/api\/shares\/never-made/, status: 404 })
  journey.problems.expectRefusals({ path: /\/scenes-[^/]+\.(?:js|css)$/ })
  const { page, leave } = await journey.visit()
  await page.route(/\/scenes-/, (route) => route.abort())
  await page.goto('/s/never-made')
  await page.getByRole('link', { name: 'Bring me home' }).waitFor()
  await page.waitForLoadState('networkidle')
  await page.getByRole('heading', { name: 'Share not found' }).waitFor()
  await leave()
})

test('an empty list and a search without a hit have one too', async () => {
  const { page } = owner
  await page.goto('/account/shares')
  await page.getByRole('heading', { name: 'No shares yet' }).waitFor()
  await drawing(page).waitFor()
  const admin = await journey.visitAsAdministrator()
  await admin.open('/admin/users?search=nobody-like-this')
  await admin.page.getByRole('heading', { name: 'Nothing matches your search.' }).waitFor()
  await drawing(admin.page).waitFor()
  await admin.leave()
})

test('a share of one file is downloaded by one large button, and its page loads no drawing', async () => {
  const id = await makeShare(owner.context.request, { files: { 'contract.txt': 'agreed' } })
  const { page, leave } = await journey.visit()
  const scenes: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/scenes-')) scenes.push(request.url())
  })
  await page.goto(`/s/${id}`)
  const button = page.getByRole('link', { name: 'Download', exact: true })
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  expect(download.suggestedFilename()).toBe('contract.txt')
  expect(scenes).toEqual([])
  await leave()
})

test('a preview on a phone shows the words of its buttons whole', async () => {
  const id = await makeShare(owner.context.request, { files: { 'contract.txt': 'agreed' } })
  const { page, leave } = await journey.visit({ viewport: phone })
  await page.goto(`/s/${id}`)
  await page.getByRole('button', { name: 'Preview contract.txt' }).click()
  const dialog = page.getByRole('dialog', { name: 'contract.txt' })
  await dialog.getByRole('link', { name: 'Open original' }).waitFor()
  const cut = (await findUnfitTexts(page)).filter((problem) => /^(?:cut|broken)/.test(problem))
  expect(cut).toEqual([])
  await leave()
})

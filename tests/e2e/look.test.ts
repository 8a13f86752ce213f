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
  await page.getByRole('link', { name: 'Go to home page' }).waitFor()
  await page.waitForLoadState('networkidle')
  await page.getByRole('heading', { name: 'Share not found' }).waitFor()
  await leave()
})

test('selected text stays as readable as the rest in the dark', async () => {
  const { page, leave } = await journey.visit({ colorScheme: 'dark' })
  await page.goto('/auth/signIn')
  const field = page.getByLabel('Email or username')
  const colors = (part: string) =>
    field.evaluate((element, pseudo) => {
      const view = Reflect.get(element, 'ownerDocument').defaultView
      return view.getComputedStyle(element, pseudo).color
    }, part)
  expect(await colors('::selection')).toBe(await colors(''))
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

test('a notice stands above the bar at the lower edge, whose button stays free', async () => {
  const { page, leave } = await journey.visitAsMember()
  await page.goto('/upload')
  const files = page.getByLabel('Files to upload')
  const share = page.getByRole('button', { name: 'Share', exact: true })
  const textFile = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })
  await files.setInputFiles(textFile('kept.txt'))
  await page.getByText('1 of 1 file uploaded').waitFor()
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 440 })
    await files.setInputFiles(textFile('spare.txt'))
    await page.getByRole('button', { name: 'Remove spare.txt' }).click()
    const notice = page.getByRole('alert').filter({ hasText: 'spare.txt removed' })
    await notice.waitFor()
    const findSpace = async () => {
      const [above, below] = await Promise.all([notice.boundingBox(), share.boundingBox()])
      return above && below ? below.y - above.y - above.height : null
    }
    await expect.poll(findSpace, { message: `${width} px` }).toBeGreaterThan(0)
  }
  await leave()
})

test('a page stands still under its dialogs, and scrolls again without them', async () => {
  const files = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`${at}.txt`, 'text']))
  const id = await makeShare(owner.context.request, { files })
  const { page, leave } = await journey.visit({ viewport: { width: 1280, height: 320 } })
  await page.goto(`/s/${id}`)
  const place = () => page.evaluate<number>('scrollY')
  const turnWheel = () => page.mouse.wheel(0, 100)
  await page.mouse.move(640, 310)
  await turnWheel()
  await expect.poll(place).toBe(100)
  await page.getByRole('button', { name: 'Details of 3.txt' }).click()
  await page.getByRole('dialog').waitFor()
  const before = await place()
  await page.mouse.move(640, 310)
  await turnWheel()
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
  expect(await place()).toBe(before)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await turnWheel()
  await expect.poll(place).toBe(before + 100)
  await leave()
})

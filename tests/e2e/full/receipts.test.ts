import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Visitor } from '../harness/journey.ts'
import { makeShare } from '../harness/shares.ts'
import { useJourney } from '../harness/use-journey.ts'

const journey = useJourney()
let owner: Visitor

beforeAll(async () => {
  owner = await journey.visitAsMember()
  await makeShare(owner.context.request, {
    id: 'choir',
    name: 'Choir weekend',
    files: { 'Programme.txt': 'Friday', 'Songs/Kyrie.txt': 'Kyrie', 'Songs/Gloria.txt': 'Gloria' },
  })
})

/** By the name of what was downloaded. */
async function readCounts(page: Page): Promise<Record<string, string>> {
  const rows = page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
  const counts: Record<string, string> = {}
  for (const row of await rows.all()) {
    const name = await row.getByRole('rowheader').innerText()
    counts[name.trim()] = await row.getByRole('cell').nth(1).innerText()
  }
  return counts
}

const totalOf = (page: Page, name: string) =>
  page.getByRole('term').filter({ hasText: name }).locator('..').getByRole('definition').innerText()

test('of a share that nobody has opened yet, its owner gets the link to pass on', async () => {
  const { page } = owner
  await page.goto('/account/shares')
  await page.getByRole('link', { name: 'Activity of Choir weekend' }).click()
  await page.getByRole('heading', { name: 'Activity of Choir weekend', level: 1 }).waitFor()
  await page.getByRole('heading', { name: 'Nobody has opened this share yet' }).waitFor()
  await expect
    .poll(() => page.getByLabel('Share link').inputValue())
    .toBe(`${journey.floe.url}/s/choir`)
})

test('a visitor downloads one file twice and everything once', async () => {
  const visitor = await journey.visit()
  const { page } = visitor
  await page.goto('/s/choir')
  await page.getByRole('heading', { name: 'Choir weekend', level: 1 }).waitFor()
  for (const name of ['Download Programme.txt', 'Download Programme.txt', 'Download all']) {
    const begun = page.waitForEvent('download')
    await page.getByRole('link', { name }).click()
    await (await begun).path()
  }
  await page.getByRole('button', { name: 'Preview Programme.txt' }).click()
  await page.getByRole('dialog').getByText('Friday').waitFor()
  await visitor.leave()
})

test('its owner sees one view, and how often each file was downloaded', async () => {
  const { page } = owner
  await page.reload()
  await page.getByRole('heading', { name: 'Files' }).waitFor()
  expect(await totalOf(page, 'Views')).toBe('1')
  expect(await totalOf(page, 'Downloads')).toBe('3')
  expect(await readCounts(page)).toEqual({
    'Everything as a ZIP file': '1',
    'Programme.txt': '2',
    'Songs/Gloria.txt': '0',
    'Songs/Kyrie.txt': '0',
  })
  await page.getByRole('heading', { name: 'Views and downloads by hour' }).waitFor()
  await page.getByRole('img', { name: /Views: 1\. Downloads: 3\.$/ }).waitFor()
})

test('the chart narrows to one file, and is there in numbers too', async () => {
  const { page } = owner
  const programme = page.getByRole('button', { name: 'Show the downloads of Programme.txt' })
  await page.setViewportSize({ width: 1280, height: 420 })
  await programme.click()
  await page.getByRole('heading', { name: 'Downloads of Programme.txt' }).waitFor()
  const chart = page.getByRole('img', { name: /\. Downloads: 2\.$/ })
  await chart.waitFor()
  await expect.poll(async () => (await chart.boundingBox())?.y ?? -1).toBeGreaterThan(0)
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect.poll(() => programme.getAttribute('aria-pressed')).toBe('true')
  await page.getByRole('button', { name: 'Show everything' }).click()
  await page.getByRole('heading', { name: 'Views and downloads by hour' }).waitFor()

  await page.getByRole('button', { name: 'Show as a table' }).click()
  const numbers = page.getByRole('table').first().getByRole('row').last().getByRole('cell')
  await page.getByRole('columnheader', { name: 'When' }).waitFor()
  await expect.poll(() => numbers.allInnerTexts()).toEqual(['1', '3'])
  await page.getByRole('button', { name: 'Show as a chart' }).click()
  await page.getByRole('img', { name: /^Chart from/ }).waitFor()
})

test('the list of shares and the edit page know of it, and nobody else gets in', async () => {
  const { page } = owner
  await page.goto('/account/shares')
  const row = page.getByRole('row').filter({ hasText: 'Choir weekend' })
  await expect.poll(() => row.locator('td[data-label="Visitors"]').innerText()).toBe('1')
  await page.goto('/share/choir/edit')
  await page.getByRole('link', { name: 'Activity' }).click()
  await page.getByRole('heading', { name: 'Activity of Choir weekend', level: 1 }).waitFor()

  const other = await journey.visitAsMember()
  journey.problems.expectRefusals({ path: /^\/api\/shares\/choir\/receipts$/, status: 403 })
  await other.page.goto('/share/choir/activity')
  await other.page.getByRole('button', { name: 'Try again' }).waitFor()
  await expect.poll(() => other.page.getByRole('main').innerText()).not.toContain('Programme')
  await other.leave()
})

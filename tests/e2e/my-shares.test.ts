import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { writeTree } from './harness/files.ts'
import type { Visitor } from './harness/journey.ts'
import { makeShare } from './harness/shares.ts'
import { useJourney } from './harness/use-journey.ts'

const journey = useJourney()
let owner: Visitor

beforeAll(async () => {
  owner = await journey.visitAsMember()
  await writeTree(journey.folder, { 'minutes.txt': 'We met.' })
})

test('without shares the page leads to making one', async () => {
  const { page } = owner
  await page.goto('/account/shares')
  await page.getByRole('heading', { name: 'No shares yet' }).waitFor()
  await page.getByRole('link', { name: 'Create one' }).click()
  await page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
})

test('every share is listed with what its owner wants to know', async () => {
  await makeShare(owner.context.request, {
    id: 'board-papers',
    name: 'Board papers',
    description: 'For Thursday',
    password: 'abc123',
    maxViews: 12,
    files: { 'agenda.txt': 'a'.repeat(1500), 'figures.csv': 'b'.repeat(1000) },
  })
  await makeShare(owner.context.request, {
    id: 'logo-drafts',
    expiration: 'never',
    files: { 'draft.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>' },
  })
  const { page } = owner
  await page.goto('/account/shares')
  for (const name of ['ID', 'Name', 'Description', 'Visitors', 'Expires at', 'Created at', 'Size'])
    await page.getByRole('columnheader', { name, exact: true }).waitFor()
  const row = page.getByRole('row').filter({ hasText: 'board-papers' })
  expect((await cellsOf(page, 'board-papers')).slice(1, 8)).toEqual([
    'board-papers',
    'Board papers',
    'For Thursday',
    '0 of 12',
    expect.stringMatching(/\d/),
    expect.stringMatching(/\d/),
    '2.5 kB',
  ])
  await row.getByLabel('Protected by a password').filter({ visible: true }).waitFor()
  expect((await cellsOf(page, 'logo-drafts'))[5]).toBe('Never')

  await row.getByRole('button', { name: 'Info about Board papers' }).click()
  const info = page.getByRole('dialog', { name: 'Share info' })
  await info.getByText('For Thursday').waitFor()
  await expect
    .poll(() => info.getByLabel('Share link').inputValue())
    .toBe(`${journey.floe.url}/s/board-papers`)
  await info.getByRole('button', { name: 'Close' }).click()
  await info.waitFor({ state: 'hidden' })

  await row.getByRole('button', { name: 'Link to Board papers' }).click()
  const link = page.getByRole('dialog', { name: 'Share link' })
  await expect
    .poll(() => link.getByLabel('Share link').inputValue())
    .toBe(`${journey.floe.url}/s/board-papers`)
  await link.getByRole('img', { name: 'QR code of the share link' }).waitFor()
  await page.keyboard.press('Escape')
  await link.waitFor({ state: 'hidden' })
})

test('an edited share shows its new name, files and password to visitors', async () => {
  const { page } = owner
  await page.getByRole('link', { name: 'Edit Board papers' }).click()
  await page.getByRole('heading', { name: 'Edit Board papers' }).waitFor()
  const save = page.getByRole('button', { name: 'Save' })
  await expect.poll(() => save.isDisabled()).toBe(true)
  await page.getByLabel('Name', { exact: true }).fill('Board papers, final')
  await page.getByLabel('New password').fill('xyz789')
  await page.getByLabel('Files to upload').setInputFiles(join(journey.folder, 'minutes.txt'))
  await page.getByRole('button', { name: 'Delete figures.csv' }).click()
  await page.getByRole('button', { name: 'Delete agenda.txt' }).click()
  await page.getByRole('button', { name: 'Keep agenda.txt' }).click()
  await save.click()
  await page.getByText('Share updated successfully').waitFor()
  await page.getByRole('cell', { name: 'Board papers, final', exact: true }).waitFor()

  journey.problems.expectRefusals({ path: /^\/api\/shares\/board-papers\/token$/, status: 403 })
  const visitor = await journey.visit()
  await visitor.page.goto('/s/board-papers')
  const ask = visitor.page.getByRole('dialog', { name: 'Password required' })
  await ask.getByLabel('Password', { exact: true }).fill('abc123')
  await ask.getByRole('button', { name: 'Open share' }).click()
  await ask.getByText('Invalid password').waitFor()
  await ask.getByLabel('Password', { exact: true }).fill('xyz789')
  await page.keyboard.press('Escape')
  await ask.getByRole('button', { name: 'Open share' }).click()
  await visitor.page.getByRole('heading', { name: 'Board papers, final', level: 1 }).waitFor()
  const names = visitor.page.getByRole('button', { name: /\.(txt|csv)$/ })
  expect((await names.allInnerTexts()).filter((text) => text !== '')).toEqual([
    'agenda.txt',
    'minutes.txt',
  ])
  await visitor.leave()

  await page.goto('/account/shares')
  expect((await cellsOf(page, 'board-papers'))[4]).toBe('1 of 12')
})

test('a deleted share leaves the list and its link leads nowhere', async () => {
  const { page } = owner
  await page.getByRole('button', { name: 'Delete Board papers, final' }).click()
  const ask = page.getByRole('dialog', { name: 'Delete Board papers, final?' })
  await ask.getByRole('button', { name: 'Cancel' }).click()
  await ask.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Delete Board papers, final' }).click()
  await ask.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Share deleted').waitFor()
  await page.getByRole('link', { name: 'board-papers' }).waitFor({ state: 'detached' })

  journey.problems.expectRefusals({ path: /^\/api\/shares\/board-papers$/, status: 404 })
  const visitor = await journey.visit()
  await visitor.page.goto('/s/board-papers')
  await visitor.page.getByRole('heading', { name: 'Share not found' }).waitFor()
  await visitor.leave()
})

async function cellsOf(page: Visitor['page'], id: string): Promise<string[]> {
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: id }) })
  await row.waitFor()
  const texts = await row.getByRole('cell').allInnerTexts()
  // Sizes and dates hold spaces that do not break.
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim())
}

test('on a phone a share takes two lines, its name first, above the button that copies its link', async () => {
  const { page, context, leave } = await journey.visitAsMember({
    ...{ viewport: { width: 360, height: 800 }, hasTouch: true, isMobile: true },
  })
  const name = 'Interview with Marit, camera B'
  await makeShare(context.request, {
    ...{ id: 'a-link-that-somebody-chose-and-made-long', name, password: 'abc123' },
    ...{ maxViews: 12, files: { 'a.txt': 'a' } },
  })
  await page.goto('/account/shares')
  const row = page.getByRole('main').locator('tbody tr')
  const middleOf = async (part: Locator) => {
    const box = await part.filter({ visible: true }).boundingBox()
    return box ? Math.round((box.y + box.height / 2) / 8) : null
  }
  const title = await middleOf(row.getByRole('link', { name, exact: true }))
  const [visitors, expiry] = [row.getByText('0 of 12'), row.locator('[data-label="Expires at"]')]
  const second = await middleOf(visitors)
  expect(await middleOf(row.getByLabel('Protected by a password'))).toBe(title)
  expect(await middleOf(expiry)).toBe(second)
  expect(second).toBeGreaterThan(title ?? Infinity)
  const actions = row.getByRole('button', { name: 'Copy link' })
  expect(await middleOf(actions)).toBeGreaterThan(second ?? Infinity)
  expect(await middleOf(row.getByRole('button', { name: 'Delete' }))).toBe(await middleOf(actions))
  // Two lines and the buttons.
  expect((await row.boundingBox())?.height).toBeLessThan(160)
  await leave()
})

import { createHash, randomBytes } from 'node:crypto'
import { join as joinPath } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { download, hashFile, unzip } from './harness/files.ts'
import type { Visitor } from './harness/journey.ts'
import { makeShare } from './harness/shares.ts'
import { useJourney } from './harness/use-journey.ts'

const journey = useJourney()
let owner: Visitor

beforeAll(async () => {
  owner = await journey.visitAsMember()
})

const visitPlainly = (options: BrowserContextOptions = {}) =>
  journey.visit({ javaScriptEnabled: false, ...options })

/** Playwright passes over the text of `noscript` unless it is told to look in there. */
const textOf = (page: Page) => page.getByRole('main')

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')

async function viewsOf(id: string): Promise<number> {
  const response = await owner.context.request.get(`/api/shares/${id}/from-owner`)
  return ((await response.json()) as { views: number }).views
}

test('a share is opened by one press, and its files come as they were sent', async () => {
  const files = {
    'photos/sea & sky <1>.jpg': randomBytes(300_000),
    'note.txt': 'Hello\n',
    'invoice\u202efdp.exe': 'no',
  }
  const id = await makeShare(owner.context.request, {
    name: 'Summer & "sea"',
    description: 'For you.\nAll of it.',
    files,
  })
  const { page, leave } = await visitPlainly()
  await page.goto(`/s/${id}`)
  await page.getByRole('heading', { name: 'Summer & "sea"', level: 1 }).waitFor()
  await expect.poll(() => page.title()).toBe('Summer & "sea" – Floe')
  await expect.poll(() => page.getByRole('listitem').count()).toBe(0)
  expect(await viewsOf(id)).toBe(0)
  await page.getByRole('button', { name: 'Open share' }).click()
  await textOf(page).getByText('All of it.').waitFor()
  await expect.poll(() => page.getByRole('listitem').count()).toBe(3)
  await page.getByRole('link', { name: 'invoice\ufffdfdp.exe' }).waitFor()

  const picture = await download(page, page.getByRole('link', { name: 'sea & sky' }))
  expect(picture.name).toBe('sea & sky _1_.jpg')
  expect(picture.sha256).toBe(sha256(files['photos/sea & sky <1>.jpg']))
  const archive = await download(page, page.getByRole('link', { name: 'Download all' }))
  const target = joinPath(journey.folder, 'all')
  await unzip(archive.path, target)
  expect(await hashFile(joinPath(target, 'note.txt'))).toBe(sha256('Hello\n'))
  expect(await viewsOf(id)).toBe(1)
  await page.reload()
  await expect.poll(() => page.getByRole('listitem').count()).toBe(3)
  await leave()
})

test('a plain link gives everything without opening the share first, as one view', async () => {
  const several = await makeShare(owner.context.request, {
    name: 'Several',
    files: { 'a.txt': 'A', 'b.txt': 'B' },
  })
  const single = await makeShare(owner.context.request, {
    name: 'Single',
    maxViews: 1,
    files: { 'only one.txt': 'Only one' },
  })
  const { page, leave } = await visitPlainly()
  await page.goto(`/s/${several}`)
  const archive = await download(page, page.getByRole('link', { name: 'Download all' }))
  const target = joinPath(journey.folder, 'several')
  await unzip(archive.path, target)
  expect(await hashFile(joinPath(target, 'b.txt'))).toBe(sha256('B'))
  expect(await viewsOf(several)).toBe(1)
  await page.goto(`/s/${single}`)
  const file = await download(page, page.getByRole('link', { name: 'Download', exact: true }))
  expect([file.name, file.sha256]).toEqual(['only one.txt', sha256('Only one')])
  expect(await viewsOf(single)).toBe(1)
  await page.reload()
  await page.getByRole('heading', { name: 'Visitor limit exceeded' }).waitFor()
  await leave()
})

test('a password is asked for until it is right', async () => {
  const id = await makeShare(owner.context.request, {
    name: 'Secret',
    password: 'open sesame',
    files: { 'note.txt': 'Hello' },
  })
  const { page, leave } = await visitPlainly()
  await page.goto(`/share/${id}`)
  await page.getByRole('heading', { name: 'Password required' }).waitFor()
  expect(await page.content()).not.toMatch(/<main[^]*Secret/)
  await page.getByLabel('Password').fill('guess')
  await page.getByRole('button', { name: 'Open share' }).click()
  await page.getByRole('alert').getByText('Invalid password').waitFor()
  await page.getByLabel('Password').fill('open sesame')
  await page.getByRole('button', { name: 'Open share' }).click()
  await page.getByRole('heading', { name: 'Secret' }).waitFor()
  const note = await download(page, page.getByRole('link', { name: 'note.txt' }))
  expect(note.sha256).toBe(sha256('Hello'))
  expect(await viewsOf(id)).toBe(1)
  await leave()
})

test('a link that leads nowhere says so, and leads home', async () => {
  const usedUp = await makeShare(owner.context.request, { maxViews: 1, files: { 'a.txt': 'a' } })
  const first = await visitPlainly()
  await first.page.goto(`/share/${usedUp}`)
  await first.page.getByRole('button', { name: 'Open share' }).click()
  await first.page.getByRole('link', { name: 'a.txt' }).waitFor()
  const { page, leave } = await visitPlainly()
  for (const [id, title] of [
    [usedUp, 'Visitor limit exceeded'],
    ['never-made', 'Share not found'],
    ['a%2Fb', 'Share not found'],
  ]) {
    await page.goto(`/share/${id}`)
    await page.getByRole('heading', { name: title ?? '', level: 1 }).waitFor()
    const home = page.getByRole('link', { name: 'Go to home page' })
    await expect.poll(() => home.getAttribute('href')).toBe('/')
    await expect.poll(() => page.getByRole('button').count()).toBe(0)
  }
  await page.getByRole('link', { name: 'Go to home page' }).click()
  await page.getByRole('heading', { name: /^Send files of any size/ }).waitFor()
  await Promise.all([first.leave(), leave()])
})

test('Arabic reads from right to left, names as they are', async () => {
  const id = await makeShare(owner.context.request, {
    name: 'Report 2026 (final)',
    files: { 'Report (1).pdf': 'x', 'تقرير 2.pdf': 'y' },
  })
  const { page, leave } = await visitPlainly({ locale: 'ar' })
  await page.goto(`/share/${id}`)
  await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('rtl')
  await textOf(page).getByText('ملفان').waitFor()
  await page.getByRole('button', { name: 'فتح المشاركة' }).click()
  const link = page.getByRole('link', { name: 'Report (1).pdf' })
  await link.waitFor()
  const [name, heading] = await Promise.all([
    link.boundingBox(),
    page.getByRole('heading', { level: 1 }).boundingBox(),
  ])
  // Everything begins on the right.
  expect((name?.x ?? 0) + (name?.width ?? 0)).toBeGreaterThan(900)
  expect((heading?.x ?? 0) + (heading?.width ?? 0)).toBeGreaterThan(900)
  await leave()
})

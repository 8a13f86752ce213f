import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { dragOver, dropOn, writeRandomFile, writeTree } from '../harness/files.ts'
import type { Visitor } from '../harness/journey.ts'
import {
  beginShare,
  fileRow,
  finishShare,
  type Line,
  shareButton,
  shareOptions,
  takeLine,
  totalProgress,
  waitForProgress,
} from '../harness/uploading.ts'
import { useJourney } from '../harness/use-journey.ts'

const slow = { uploadBytesPerSecond: 3_000_000 }

const journey = useJourney()
let owner: Visitor
let page: Page
let line: Line
let film: string
let notes: string

beforeAll(async () => {
  film = join(journey.folder, 'film.mov')
  await writeRandomFile(film, { sizeBytes: 15_000_000, seed: 'film' })
  await writeTree(journey.folder, { 'notes.txt': 'Notes', 'Plans/ground.txt': 'Ground floor' })
  notes = join(journey.folder, 'notes.txt')
})

beforeEach(async () => {
  owner = await journey.visitAsMember()
  page = owner.page
  line = await takeLine(page)
})

afterEach(async (context) => {
  await journey.conclude(context)
  await owner.leave()
})

const overlay = () =>
  page.getByRole('status').filter({ hasText: /^Drop files or folders here$|^Add files$/ })
const row = (name: string) => fileRow(page, name)

test('files and folders let go over the bar are chosen, and the window says so before', async () => {
  await page.goto('/upload')
  await page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
  const brand = page.getByRole('banner').getByRole('img', { name: 'logo' })
  const away = await dragOver(page, brand, [notes])
  await overlay().waitFor()
  await away.leave()
  await overlay().waitFor({ state: 'detached' })
  const drag = await dragOver(page, brand, [notes, join(journey.folder, 'Plans')])
  await overlay().waitFor()
  await drag.drop()
  await row('notes.txt').waitFor()
  await row('Plans/ground.txt').waitFor()
  await overlay().waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe('/upload')
})

test('files let go beside a dialog or an upload neither join it nor replace the page', async () => {
  await page.goto('/upload')
  await dropOn(page, page.getByRole('heading', { name: 'Drop files or folders here' }), [film])
  await page.getByRole('button', { name: 'Write text' }).click()
  const dialog = page.getByRole('dialog', { name: 'Write text' })
  await dropOn(page, dialog, [notes])
  expect(await overlay().count()).toBe(0)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await row('notes.txt').count()).toBe(0)
  await line.set(slow)
  await beginShare(page, { files: [film], link: 'stray' })
  await dropOn(page, page.getByRole('heading', { name: 'Uploading' }), [notes])
  await line.set({})
  await finishShare(page)
})

test('the tab tells how far an upload is on every page, and when it is done', async () => {
  await page.goto('/upload')
  await line.set(slow)
  await beginShare(page, { files: [film], link: 'titled' })
  await waitForProgress(totalProgress(page), 5)
  await expect.poll(() => page.title()).toMatch(/^\d\d?% · film\.mov – Floe$/)
  await page.getByRole('button', { name: 'Shares' }).click()
  await page.getByRole('menuitem', { name: 'My shares' }).click()
  await page.getByRole('heading', { name: 'No shares yet' }).waitFor()
  await expect.poll(() => page.title()).toMatch(/^\d\d?% · film\.mov – Floe$/)
  await line.set({})
  await expect.poll(() => page.title(), { timeout: 30_000 }).toBe('Uploaded · film.mov – Floe')
  await page.getByRole('link', { name: 'Upload', exact: true }).click()
  await finishShare(page)
  await expect.poll(() => page.title()).toBe('Upload – Floe')
})

test('a lost connection is told while it lasts, and the upload ends by itself after it', async () => {
  journey.problems.expectRefusals({ path: /^\/api\// })
  await page.goto('/upload')
  await line.set(slow)
  await beginShare(page, { files: [film], link: `tunnel-${Date.now()}` })
  await waitForProgress(totalProgress(page), 5)
  await line.set({ offline: true })
  const lost = page.getByRole('alert').filter({ hasText: /^Connection lost\. The upload resumes/ })
  await lost.waitFor()
  expect(await page.getByText(/failed to upload, trying again$/).count()).toBe(0)
  await line.set({})
  await page.getByRole('alert').getByText('Connected again').waitFor()
  await lost.waitFor({ state: 'detached' })
  await finishShare(page)
})

test('a connection lost before anything was chosen costs neither the page nor the choice', async () => {
  journey.problems.expectRefusals({ path: /^\/(?:api|assets)\// })
  await page.goto('/upload')
  await page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
  await line.set({ offline: true })
  // What a share takes is loaded as soon as there is a file.
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('.css'))
  await page.getByLabel('Files to upload').setInputFiles([notes])
  await failed
  await page.getByRole('cell', { name: 'notes.txt', exact: true }).waitFor()
  await line.set({})
  await row('notes.txt').waitFor()
  await shareButton(page).click()
  await finishShare(page)
})

test('files go on to the server while another page is looked at, and are there again after it', async () => {
  await page.goto('/upload')
  await line.set(slow)
  await page.getByLabel('Files to upload').setInputFiles([film])
  await shareOptions(page).getByLabel('Link').fill('on-the-way')
  await waitForProgress(totalProgress(page), 5)
  await page.getByRole('button', { name: 'Shares' }).click()
  await page.getByRole('menuitem', { name: 'My shares' }).click()
  await page.getByRole('heading', { name: 'No shares yet' }).waitFor()
  await page.getByRole('link', { name: 'Upload', exact: true }).click()
  await row('film.mov').waitFor()
  expect(await shareOptions(page).getByLabel('Link').inputValue()).toBe('on-the-way')
  // Decided before the last byte is there, it finishes by itself.
  await shareButton(page).click()
  await page.getByRole('heading', { name: 'Uploading', level: 1 }).waitFor()
  await line.set({})
  expect(await finishShare(page)).toMatch(/\/s\/on-the-way$/)
})

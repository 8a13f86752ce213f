import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { writeRandomFile, writeTree } from './harness/files.ts'
import type { Visitor } from './harness/journey.ts'
import { makeShare } from './harness/shares.ts'
import { takeLine, totalProgress, waitForProgress } from './harness/uploading.ts'
import { useJourney } from './harness/use-journey.ts'

const published = ['map.txt', 'notes.txt']

const journey = useJourney()
let owner: Visitor
let shareId: string

beforeAll(async () => {
  owner = await journey.visitAsMember()
  await writeTree(journey.folder, { 'route.txt': 'north' })
  await writeRandomFile(join(journey.folder, 'film.bin'), { sizeBytes: 8_000_000, seed: 'film' })
})

beforeEach(async () => {
  shareId = await makeShare(owner.context.request, {
    files: { 'map.txt': 'the fjord', 'notes.txt': 'bring boots' },
  })
})

async function beginEdit(page: Page, { add, remove }: { add?: string; remove?: string }) {
  await page.goto(`/share/${shareId}/edit`)
  await page.getByRole('heading', { name: `Edit ${shareId}` }).waitFor()
  if (remove) await page.getByRole('button', { name: `Delete ${remove}` }).click()
  if (add) await page.getByLabel('Files to upload').setInputFiles(join(journey.folder, add))
  await page.getByRole('button', { name: 'Save' }).click()
}

/** Leaves the page in the middle of an upload that adds one file and removes another. */
async function interruptEdit() {
  const page = await owner.context.newPage()
  const line = await takeLine(page)
  await line.set({ uploadBytesPerSecond: 1_500_000 })
  await beginEdit(page, { add: 'film.bin', remove: 'notes.txt' })
  await waitForProgress(totalProgress(page), 10)
  return page
}

/** The names that a visitor without any cookie is shown. */
async function visitorSees(): Promise<string[]> {
  const { page, leave } = await journey.visit()
  await page.goto(`/s/${shareId}`)
  const names = page.getByRole('main').getByRole('link', { name: /^Download (?!all)/ })
  await names.first().waitFor()
  const labels = await names.evaluateAll((links) =>
    links.map((link) => String(link.getAttribute('aria-label')).replace('Download ', '')),
  )
  await leave()
  return labels
}

test('an edit changes what visitors see once it is saved', async () => {
  const { page } = owner
  await beginEdit(page, { add: 'route.txt', remove: 'notes.txt' })
  await page.getByRole('alert').getByText('Share updated successfully').waitFor()
  expect(await visitorSees()).toEqual(['map.txt', 'route.txt'])
})

test('an interrupted edit can be discarded among the unfinished uploads without touching the share', async () => {
  await (await interruptEdit()).close()
  expect(await visitorSees()).toEqual(published)

  const { page } = owner
  await page.goto('/upload')
  await page.getByRole('button', { name: `Discard ${shareId}` }).click()
  const question = page.getByRole('dialog', { name: 'Discard this upload?' })
  await question.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('alert').getByText('Upload discarded').waitFor()
  expect(await visitorSees()).toEqual(published)
  await page.goto(`/share/${shareId}/edit`)
  await page.getByRole('button', { name: 'Delete notes.txt' }).waitFor()
  await expect.poll(() => page.getByText('Some changes are not published yet').count()).toBe(0)
})

test('an interrupted edit goes on elsewhere with everything that was changed', async () => {
  await (await interruptEdit()).close()
  const { page } = owner
  await page.goto('/upload')
  const film = join(journey.folder, 'film.bin')
  await page.getByLabel(`Files of ${shareId}`).setInputFiles(film)
  await page.getByRole('dialog', { name: 'Your share is ready' }).waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  expect(await visitorSees()).toEqual(['film.bin', 'map.txt'])
})

test('its page tells of an interrupted edit, and goes back to what visitors see', async () => {
  await (await interruptEdit()).close()
  const { page } = owner
  await page.goto(`/share/${shareId}/edit`)
  await page.getByText('Some changes are not published yet').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Delete notes.txt' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('button', { name: 'Delete notes.txt' }).waitFor()
  await page.goto('/upload')
  await page.getByRole('heading', { name: 'Drop files or folders here' }).waitFor()
  await expect.poll(() => page.getByRole('heading', { name: 'Unfinished uploads' }).count()).toBe(0)
})

test('an edit that is cancelled on its way leaves the share as it was', async () => {
  // What is still on its way when the upload ends.
  journey.problems.expectRefusals({ path: /^\/api\/uploads\/[\w-]+$/, status: 423 })
  journey.problems.expectRefusals({ path: /^\/api\/uploads\/[\w-]+$/, status: 404 })
  const page = await interruptEdit()
  await page.getByRole('button', { name: 'Cancel upload' }).click()
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('alert').getByText('Changes discarded').waitFor()
  await page.getByRole('heading', { name: 'My shares' }).waitFor()
  expect(await visitorSees()).toEqual(published)
  await page.close()
})

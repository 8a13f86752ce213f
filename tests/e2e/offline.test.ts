import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { writeRandomFile } from './harness/files.ts'
import { makeShare } from './harness/shares.ts'
import {
  fileRow,
  finishShare,
  shareButton,
  takeLine,
  totalProgress,
  waitForProgress,
} from './harness/uploading.ts'
import { useJourney } from './harness/use-journey.ts'

const journey = useJourney()

// Without a connection the browser logs all that it asks for, and React what did not arrive of it.
function expectLostConnection() {
  for (const problem of journey.problems.take()) {
    expect(problem).toMatch(/net::ERR_INTERNET_DISCONNECTED|Unable to preload|Failed to fetch/)
  }
}

const failure = (page: Page) => page.getByRole('heading', { name: 'Something went wrong' })

test('what was pressed on a share without a connection can be tried again, and asks no more than that', async () => {
  const { page, context, leave } = await journey.visitAsMember()
  const id = await makeShare(context.request, { files: { 'a.txt': 'one', 'b.txt': 'two' } })
  await page.goto(`/share/${id}`)
  await page.waitForLoadState('networkidle')
  const line = await takeLine(page)
  await line.set({ offline: true })
  const lost: string[] = []
  page.on('requestfailed', (request) => lost.push(request.url()))
  const preview = page.getByRole('button', { name: 'Preview a.txt' })
  await preview.click()
  await failure(page).waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await preview.click()
  await failure(page).waitFor()
  for (const url of new Set(lost)) expect(lost.filter((one) => one === url).length).toBeLessThan(4)

  await line.set({})
  await preview.click()
  await page.getByRole('dialog', { name: 'a.txt' }).getByText('one').waitFor()
  expectLostConnection()
  await leave()
})

test('a page that did not arrive is left for another one, and the upload runs all the while', async () => {
  const { page, leave } = await journey.visitAsMember()
  const file = join(journey.folder, 'offline.bin')
  await writeRandomFile(file, { sizeBytes: 6_000_000, seed: file })
  const line = await takeLine(page)
  await line.set({ uploadBytesPerSecond: 500_000 })
  await page.goto('/upload')
  await page.getByLabel('Files to upload').setInputFiles(file)
  await waitForProgress(totalProgress(page), 1)
  await line.set({ offline: true })
  await page.getByRole('button', { name: 'Shares', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Reverse shares' }).click()
  await failure(page).waitFor()
  await page.evaluate('history.back()')
  await fileRow(page, 'offline.bin').waitFor()
  await page.evaluate('history.forward()')
  await failure(page).waitFor()

  await line.set({})
  await page.getByRole('heading', { name: 'Reverse shares', level: 1 }).waitFor()
  await page.evaluate('history.back()')
  await shareButton(page).click()
  await finishShare(page)
  expectLostConnection()
  await leave()
})

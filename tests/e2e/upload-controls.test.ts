import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openEncrypting } from './harness/encrypted.ts'
import { writeRandomFile } from './harness/files.ts'
import type { Visitor } from './harness/journey.ts'
import {
  type Line,
  beginShare,
  finishShare,
  takeLine,
  waitForProgress,
} from './harness/uploading.ts'
import { useOwnFloe } from './harness/use-journey.ts'

const names = ['alpha.bin', 'bravo.bin', 'charlie.bin']
const SIZE_BYTES = 6_000_000
// Slow enough to be in the middle of things for a while.
const slow = { uploadBytesPerSecond: 3_000_000 }

const journey = useOwnFloe()
let files: string[]
let owner: Visitor
let page: Page
let line: Line

beforeAll(async () => {
  files = names.map((name) => join(journey.folder, name))
  for (const path of files) await writeRandomFile(path, { sizeBytes: SIZE_BYTES, seed: path })
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

const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
const bar = (name: string) => page.getByRole('progressbar', { name: `Progress of ${name}` })

test.each([
  ['a paused file', async () => void (await page.goto('/upload')), 'controls'],
  ['a paused file that is encrypted', () => openEncrypting(page), 'sealed-controls'],
])(
  '%s waits while the others finish, and a cancelled one is never shared',
  async (_, open, link) => {
    await open()
    await line.set(slow)
    await beginShare(page, { files, link })
    await waitForProgress(bar('alpha.bin'), 10)
    await page.getByRole('button', { name: 'Pause alpha.bin' }).click()
    await page.getByRole('button', { name: 'Cancel charlie.bin' }).click()
    await row('charlie.bin').waitFor({ state: 'detached' })
    const state = row('alpha.bin').getByText(/^Paused at \d+% of 6\sMB$/)
    await state.waitFor()
    const pausedAt = await state.innerText()
    await row('bravo.bin').getByLabel('Uploaded').waitFor()
    await page.getByText('1 of 2 files uploaded').waitFor()
    expect(await state.innerText()).toBe(pausedAt)
    await line.set({})
    await page.getByRole('button', { name: 'Resume alpha.bin' }).click()
    await page.goto(await finishShare(page))
    await page.getByRole('button', { name: 'bravo.bin', exact: true }).waitFor()
    await page.getByText(/^2 files, 12\sMB/).waitFor()
  },
)

test('an upload the server has lost is sent again when asked to', async () => {
  journey.problems.expectRefusals({ path: /^\/api\/uploads\//, status: 404 })
  journey.problems.expectRefusals({ path: /^\/api\/uploads\//, status: 410 })
  const created = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/api/uploads'),
  )
  await page.goto('/upload')
  await line.set(slow)
  await beginShare(page, { files: files.slice(0, 1), link: 'lost' })
  await waitForProgress(bar('alpha.bin'), 10)
  await page.getByRole('button', { name: 'Pause alpha.bin' }).click()
  const address = (await (await created).headerValue('location')) ?? ''
  const response = await owner.context.request.delete(address, {
    headers: { 'Tus-Resumable': '1.0.0' },
  })
  expect(response.status()).toBe(204)
  await line.set({})
  await page.getByRole('button', { name: 'Resume alpha.bin' }).click()
  await row('alpha.bin')
    .getByText(/^The server no longer has this upload/)
    .waitFor()
  await page.getByRole('button', { name: 'Retry alpha.bin' }).click()
  await finishShare(page)
})

test('files that fail together are counted while they are tried again', async () => {
  journey.problems.expectRefusals({ path: /^\/api\// })
  await page.goto('/upload')
  await line.set(slow)
  await beginShare(page, { files, link: 'tried-again' })
  for (const name of names) await waitForProgress(bar(name), 5)
  await journey.floe.kill()
  const notice = page.getByRole('alert').getByText('3 files failed to upload, trying again')
  await notice.waitFor()
  await line.set({})
  await journey.floe.restart()
  await finishShare(page)
  await notice.waitFor({ state: 'hidden' })
})

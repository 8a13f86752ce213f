import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { browserUse } from '../harness/browser-memory.ts'
import { writeHole } from '../harness/files.ts'
import { configure } from '../harness/people.ts'
import { beginShare, takeLine, totalProgress, waitForProgress } from '../harness/uploading.ts'
import { useJourney } from '../harness/use-journey.ts'

const SIZE_BYTES = 20_000_000_000
/** Sent before the tab is closed, 1 GB: it would show in memory if any of it stayed there. */
const SENT_PERCENT = 5
const TIMEOUT_MS = 400_000
/** What a page and its browser read for themselves while an upload begins or continues. */
const MOST_READ_BYTES = 20_000_000
const MOST_RENDERER_GROWTH = 60_000_000
const MOST_BROWSER_GROWTH = 200_000_000
// What is sent until somebody looks must not matter.
const crawl = { uploadBytesPerSecond: 1_000_000 }

const journey = useJourney({ browser: {} })
let file: string

beforeAll(async () => {
  const admin = await journey.visitAsAdministrator()
  await configure(admin, { 'share.maxSize': 2 * SIZE_BYTES })
  await admin.leave()
  file = join(journey.folder, 'survey.img')
  await writeHole(file, SIZE_BYTES)
})

/** Resolves with the offset of the next request that carries bytes of the file. */
async function nextOffset(page: Page): Promise<number> {
  const request = await page.waitForRequest((sent) => sent.method() === 'PATCH')
  return Number(request.headers()['upload-offset'])
}

test(
  'a file of 20 GB leaves at once, takes no memory, and goes on after its tab was closed',
  { timeout: TIMEOUT_MS },
  async () => {
    const owner = await journey.visitAsMember()
    const link = `survey-${Date.now()}`
    let page = owner.page
    let line = await takeLine(page)
    await line.set(crawl)
    await page.goto('/upload')
    await page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
    const before = await browserUse(journey.browser)
    const [first] = await Promise.all([nextOffset(page), beginShare(page, { files: [file], link })])
    const atStart = await browserUse(journey.browser)
    expect(first).toBe(0)
    expect(atStart.readBytes - before.readBytes).toBeLessThan(MOST_READ_BYTES)

    await line.set({})
    await waitForProgress(totalProgress(page), SENT_PERCENT)
    await line.set(crawl)
    const atEnd = await browserUse(journey.browser)
    const growth = {
      read: atStart.readBytes - before.readBytes,
      renderer: atEnd.rendererBytes - atStart.rendererBytes,
      browser: atEnd.residentBytes - atStart.residentBytes,
    }
    console.log(`before the first byte and since: ${JSON.stringify(growth)}`)
    expect(growth.renderer).toBeLessThan(MOST_RENDERER_GROWTH)
    expect(growth.browser).toBeLessThan(MOST_BROWSER_GROWTH)
    await page.close()

    page = await owner.context.newPage()
    line = await takeLine(page)
    await line.set(crawl)
    await page.goto('/upload')
    await page.getByRole('heading', { name: 'Unfinished uploads' }).waitFor()
    const again = await browserUse(journey.browser)
    const [offset] = await Promise.all([
      nextOffset(page),
      page.getByLabel('Files of survey.img').setInputFiles(file),
    ])
    const resumed = await browserUse(journey.browser)
    const read = resumed.readBytes - again.readBytes
    console.log(`resumed at ${offset} after reading ${read}: ${JSON.stringify(resumed)}`)
    expect(offset).toBeGreaterThan((SIZE_BYTES * SENT_PERCENT) / 100 / 2)
    // What the server has is read once, to compare it.
    expect(read - offset).toBeLessThan(MOST_READ_BYTES)
    expect(resumed.rendererBytes - again.rendererBytes).toBeLessThan(MOST_RENDERER_GROWTH)
    expect(resumed.residentBytes - again.residentBytes).toBeLessThan(MOST_BROWSER_GROWTH)

    await page.getByRole('button', { name: 'Remove survey.img' }).click()
    const left = async () => (await owner.context.request.get('/api/uploads')).json()
    await expect.poll(left).toEqual([])
    await owner.leave()
  },
)

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { browserUse } from '../harness/browser-memory.ts'
import { openEncrypting, pathOf } from '../harness/encrypted.ts'
import { download, hashFile, writeHole } from '../harness/files.ts'
import { configure } from '../harness/people.ts'
import { recordOffsets } from '../harness/sent-bytes.ts'
import { finishShare, shareButton, totalProgress, waitForProgress } from '../harness/uploading.ts'
import { useOwnFloe } from '../harness/use-journey.ts'

/** More than Chromium keeps of `Blob`s, 2 GiB. */
const sizeBytes = Number(process.env['FLOE_E2E_BYTES'] ?? 2_500_000_000)
const TIMEOUT_MS = 900_000
/** What it takes for itself, whatever the size of the file. */
const MOST_PAGE_GROWTH = 230_000_000
const MOST_BROWSER_GROWTH = 500_000_000

const journey = useOwnFloe({ browser: {} })
let file: string

beforeAll(async () => {
  const admin = await journey.visitAsAdministrator()
  await configure(admin, { 'share.maxSize': 2 * sizeBytes })
  await admin.leave()
  file = join(journey.folder, 'survey.img')
  await writeHole(file, sizeBytes)
})

/** The most that the browser has meanwhile, beyond what it has now. */
async function watchMemory() {
  const before = await browserUse(journey.browser)
  const most = { page: 0, browser: 0 }
  async function look() {
    const { rendererBytes, residentBytes } = await browserUse(journey.browser)
    most.page = Math.max(most.page, rendererBytes - before.rendererBytes)
    most.browser = Math.max(most.browser, residentBytes - before.residentBytes)
  }
  const timer = setInterval(() => void look(), 500)
  onTestFinished(() => clearInterval(timer))
  return () => {
    clearInterval(timer)
    return most
  }
}

async function loseTheServer(page: Page): Promise<void> {
  // While the server is away every request of the page fails.
  journey.problems.expectRefusals({ path: /^\/api\// })
  await journey.floe.kill()
  await page.getByText(/^Connection lost at \d+% of .*, trying again$/).waitFor()
  await journey.floe.restart()
}

test(
  'an encrypted file of any size leaves without its server and its tab for a while, and takes little memory',
  { timeout: TIMEOUT_MS },
  async () => {
    const { page, context } = await journey.visitAsMember()
    await openEncrypting(page)
    let stop = await watchMemory()
    await page.getByLabel('Files to upload').setInputFiles(file)
    await waitForProgress(totalProgress(page), 20)
    await loseTheServer(page)
    await waitForProgress(totalProgress(page), 60)
    const first = stop()
    await page.close()

    const again = await context.newPage()
    await again.goto('/upload')
    stop = await watchMemory()
    const offsets = recordOffsets(again)
    await again.getByLabel('Files of survey.img').setInputFiles(file)
    await shareButton(again).click()
    const link = await finishShare(again, TIMEOUT_MS)
    const second = stop()
    console.log(`resumed at ${offsets[0]}; ${JSON.stringify({ first, second })}`)
    expect(offsets[0]).toBeGreaterThan(0.5 * sizeBytes)
    for (const most of [first, second]) {
      expect(most.page).toBeLessThan(MOST_PAGE_GROWTH)
      expect(most.browser).toBeLessThan(MOST_BROWSER_GROWTH)
    }

    const visitor = await journey.visit()
    await visitor.page.goto(pathOf(link))
    const button = visitor.page.getByRole('link', { name: 'Download', exact: true })
    const saved = await download(visitor.page, button)
    expect((await stat(saved.path)).size).toBe(sizeBytes)
    expect(saved.sha256).toBe(await hashFile(file))
  },
)

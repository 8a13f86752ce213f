import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { download, writeRandomFile } from './harness/files.ts'
import type { Visitor } from './harness/journey.ts'
import { allowedRepeat, countSentBytes, recordOffsets } from './harness/sent-bytes.ts'
import {
  beginShare,
  finishShare,
  shareButton,
  takeLine,
  totalProgress,
  waitForProgress,
} from './harness/uploading.ts'
import { useJourney } from './harness/use-journey.ts'

const sizeBytes = Number(process.env['FLOE_E2E_BYTES'] ?? 100_000_000)
const TIMEOUT_MS = 900_000

let networkLog: string
const journey = useJourney({
  browser: { networkLog: (folder) => (networkLog = join(folder, 'net.json')) },
})
let owner: Visitor
let file: string
let sha256: string

beforeAll(async () => {
  owner = await journey.visitAsMember()
  file = join(journey.folder, 'expedition.mov')
  sha256 = await writeRandomFile(file, { sizeBytes, seed: 'expedition' })
  await writeRandomFile(join(journey.folder, 'other.mov'), { sizeBytes: 1000, seed: 'other' })
})

test(
  'an upload whose tab was closed is offered again and goes on where it stopped',
  { timeout: TIMEOUT_MS },
  async () => {
    // Slow enough that the tab is closed before the last byte has gone.
    await (await takeLine(owner.page)).set({ uploadBytesPerSecond: sizeBytes / 10 })
    await beginShare(owner.page, { files: [file], link: 'expedition' })
    await waitForProgress(totalProgress(owner.page), 45)
    await owner.page.close()

    const page = await owner.context.newPage()
    const offsets = recordOffsets(page)
    await page.goto('/upload')
    await page.getByRole('heading', { name: 'Unfinished uploads' }).waitFor()
    await page.getByText(/^1 file left, [\d.]+\s[MG]B of [\d.]+\s[MG]B uploaded$/).waitFor()
    const files = page.getByLabel('Files of expedition.mov')
    await files.setInputFiles(join(journey.folder, 'other.mov'))
    await page.getByText(/^These are not the files of this upload/).waitFor()
    await files.setInputFiles(file)
    // Whatever was decided before went with the tab.
    await shareButton(page).click()
    const link = await finishShare(page, TIMEOUT_MS)
    await page.getByRole('heading', { name: 'Drop files or folders here' }).waitFor()
    await expect
      .poll(() => page.getByRole('heading', { name: 'Unfinished uploads' }).isVisible())
      .toBe(false)

    expect(offsets).toHaveLength(1)
    const resumedAt = offsets[0] ?? 0
    expect(resumedAt / sizeBytes).toBeGreaterThan(0.3)

    const visitor = await journey.visit()
    await visitor.page.goto(link)
    const button = visitor.page.getByRole('link', { name: 'Download expedition.mov' })
    const saved = await download(visitor.page, button)
    expect(saved.sha256).toBe(sha256)
    await rm(saved.path)
    await journey.browser.close()

    const repeated = (await countSentBytes(networkLog)) - sizeBytes
    console.log(`resumed at ${resumedAt} of ${sizeBytes}, ${repeated} bytes beyond the file sent`)
    expect(repeated).toBeLessThan(await allowedRepeat(journey.floe))
  },
)

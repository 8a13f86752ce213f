import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { download, writeRandomFile } from '../harness/files.ts'
import type { Visitor } from '../harness/journey.ts'
import { allowedRepeat, countSentBytes, recordOffsets } from '../harness/sent-bytes.ts'
import { beginShare, finishShare, totalProgress, waitForProgress } from '../harness/uploading.ts'
import { useOwnFloe } from '../harness/use-journey.ts'

const sizeBytes = Number(process.env['FLOE_E2E_BYTES'] ?? 300_000_000)
// Enough for 2 GiB on a busy machine.
const TIMEOUT_MS = 900_000

let networkLog: string
const journey = useOwnFloe({
  browser: { networkLog: (folder) => (networkLog = join(folder, 'net.json')) },
})
let owner: Visitor
let file: string
let sha256: string

beforeAll(async () => {
  owner = await journey.visitAsMember()
  file = join(journey.folder, 'expedition.mov')
  sha256 = await writeRandomFile(file, { sizeBytes, seed: 'expedition' })
})

test(
  'a killed server costs an upload no more than one batch and what was in flight',
  { timeout: TIMEOUT_MS },
  async () => {
    // While the server is away every request of the page fails.
    journey.problems.expectRefusals({ path: /^\/api\// })
    const { page } = owner
    const offsets = recordOffsets(page)
    await beginShare(page, { files: [file], link: 'expedition' })
    await waitForProgress(totalProgress(page), 45)
    await journey.floe.kill()
    await page.getByText(/^Connection lost at \d+% of .*, trying again$/).waitFor()
    const notice = page.getByText('1 file failed to upload, trying again')
    await notice.waitFor()
    await journey.floe.restart()
    const link = await finishShare(page, TIMEOUT_MS)

    await notice.waitFor({ state: 'hidden' })

    expect(offsets[0]).toBe(0)
    const resumedAt = offsets.at(-1) ?? 0
    expect(offsets.filter((offset) => offset === 0)).toHaveLength(1)
    expect(resumedAt / sizeBytes).toBeGreaterThan(0.3)
    expect(resumedAt).toBeLessThan(sizeBytes)

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

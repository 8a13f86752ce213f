import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installSender, type Sender } from '../harness/encrypted.ts'
import { hashFile, writeRandomFile } from '../harness/files.ts'
import { useOwnFloe } from '../harness/use-journey.ts'

const SIZE_BYTES = 1_000_000_000
const TIMEOUT_MS = 300_000

const journey = useOwnFloe()
let sender: Sender
let sha256: string

beforeAll(async () => {
  sender = await installSender(journey.floe)
  const path = join(sender.cli.folder, 'expedition.mov')
  sha256 = await writeRandomFile(path, { sizeBytes: SIZE_BYTES, seed: 'encrypted' })
})
afterAll(() => sender.cli.remove())

test(
  'a killed server costs the download of an encrypted file nothing but time',
  { timeout: TIMEOUT_MS },
  async () => {
    const { page } = await journey.visit()
    await page.goto(await sender.send('expedition.mov'))
    const button = page.getByRole('link', { name: 'Download', exact: true })
    const [saving] = await Promise.all([page.waitForEvent('download'), button.click()])
    // Parts of the page that are loaded ahead, and the share, of which nothing can be shown as a film.
    journey.problems.expectRefusals({ path: /^\/(assets|api\/shares)\// })
    let isSaved = false
    const path = saving.path().finally(() => (isSaved = true))
    await journey.floe.kill()
    expect(isSaved).toBe(false)
    await journey.floe.restart()
    expect(await hashFile(await path)).toBe(sha256)
  },
)

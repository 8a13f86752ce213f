import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect } from 'vitest'
import { launchBrowser } from '../../e2e/harness/browser.ts'
import { download, writeRandomFile } from '../../e2e/harness/files.ts'
import { beginJourney } from '../../e2e/harness/journey.ts'
import { beginShare, finishShare } from '../../e2e/harness/uploading.ts'

/** One browser shares a file through the Floe at this address, another downloads the very bytes. */
export async function shareByBrowser(url: string): Promise<void> {
  const floe = { arrangement: 'embedded' as const, url, dataDirectory: '' }
  const journey = await beginJourney(
    { floe, objectsDirectory: '', environment: { DATA_DIR: '' } },
    { openBrowser: () => launchBrowser(), end: (browser) => browser.close() },
  )
  try {
    const path = join(journey.folder, 'bytes.bin')
    const sha256 = await writeRandomFile(path, { sizeBytes: 3_000_000, seed: 'container' })
    const sender = await journey.visitAsMember()
    const link = `container-${randomBytes(4).toString('hex')}`
    await beginShare(sender.page, { files: [path], link })
    await finishShare(sender.page)

    const receiver = await journey.visit()
    await receiver.page.goto(`/share/${link}`)
    const button = receiver.page.getByRole('main').getByRole('link', { name: /^Download/ })
    expect((await download(receiver.page, button.first())).sha256).toBe(sha256)
    expect(journey.problems.take()).toEqual([])
  } finally {
    await journey.end()
  }
}

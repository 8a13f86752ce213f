import { join } from 'node:path'
import { expect, test } from 'vitest'
import { download, hashFile, writeRandomFile } from '../harness/files.ts'
import { startLimitingProxy } from '../harness/limiting-proxy.ts'
import { beginShare, finishShare } from '../harness/uploading.ts'
import { useJourney } from '../harness/use-journey.ts'

const SIZE_BYTES = 300_000_000
const journey = useJourney()

test.each([
  ['nginx as it comes, which takes 1 MB', undefined],
  ['one that takes 10 MB', '10m'],
  ['one that takes what Cloudflare does', '100m'],
])(
  'a file of 300 MB gets through %s, byte for byte',
  { timeout: 300_000 },
  async (_what, mostBody) => {
    const proxy = await startLimitingProxy(journey.floe.url, mostBody)
    journey.problems.expectRefusals({ path: /^\/api\/uploads\//, status: 413 })
    const member = await journey.visitAsMember({ baseURL: proxy.url })
    const { page } = member
    try {
      const path = join(journey.folder, 'film.bin')
      const seed = mostBody ?? 'default'
      await writeRandomFile(path, { sizeBytes: SIZE_BYTES, seed })
      await beginShare(page, { files: [path], link: `film-${seed}` })
      await page.goto(await finishShare(page, 250_000))
      const saved = await download(page, page.getByRole('link', { name: /^Download/ }).first())
      expect(saved.sha256).toBe(await hashFile(path))
    } finally {
      await member.leave()
      await proxy.stop()
    }
  },
)

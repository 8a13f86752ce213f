import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { download, hashFile, unzip } from './harness/files.ts'
import { beginShare, finishShare } from './harness/uploading.ts'
import { useJourney } from './harness/use-journey.ts'

const FILES = 1200
const batches = /\/api\/shares\/[\w-]+\/files\/batch$/
const journey = useJourney()

test('hundreds of small files arrive once each, although a response was lost on the way', async () => {
  journey.problems.expectRefusals({ path: batches })
  const { page, leave } = await journey.visitAsMember()
  const folder = join(journey.folder, randomUUID())
  await mkdir(folder)
  const files = Array.from({ length: FILES }, (_, index) => join(folder, `note ${index}.txt`))
  for (const [index, path] of files.entries()) await writeFile(path, `note ${index} `.repeat(index))

  let sent = 0
  await page.route(batches, async (route) => {
    sent += 1
    if (sent !== 2) return route.continue()
    const response = await route.fetch()
    expect(response.status()).toBe(200)
    return route.abort('connectionreset')
  })
  await beginShare(page, { files, link: `notes-${randomUUID().slice(0, 8)}` })
  await page.goto(await finishShare(page))
  await page.getByText(new RegExp(`^${FILES} files, `)).waitFor()
  expect(sent).toBeLessThan(20)

  const archive = await download(page, page.getByRole('link', { name: 'Download all' }))
  const unpacked = join(journey.folder, randomUUID())
  await unzip(archive.path, unpacked)
  for (const path of files) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    expect(await hashFile(join(unpacked, name))).toBe(await hashFile(path))
  }
  await leave()
})

import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { download, hashFile, unzip, writeRandomFile } from './harness/files.ts'
import type { Member } from './harness/journey.ts'
import { startLimitingProxy } from './harness/limiting-proxy.ts'
import { beginShare, finishShare } from './harness/uploading.ts'
import { useJourney } from './harness/use-journey.ts'

const journey = useJourney()

async function visitThrough(mostBody?: string): Promise<Member> {
  const proxy = await startLimitingProxy(journey.floe.url, mostBody)
  journey.problems.expectRefusals({ path: /^\/api\/(uploads|shares)\//, status: 413 })
  const member = await journey.visitAsMember({ baseURL: proxy.url })
  onTestFinished(async () => {
    await member.leave()
    await proxy.stop()
  })
  return member
}

/** A large file and a few dozen small ones, together more than fits into one request. */
async function writeFiles(): Promise<string[]> {
  const folder = join(journey.folder, randomUUID())
  await mkdir(folder)
  const large = join(folder, 'large.bin')
  await writeRandomFile(large, { sizeBytes: 12_000_001, seed: folder })
  const small = Array.from({ length: 40 }, (_, index) => join(folder, `small ${index}.bin`))
  for (const path of small) await writeRandomFile(path, { sizeBytes: 60_000, seed: path })
  return [large, ...small]
}

test('an upload gets through a proxy that takes 1 MB at once, and the next knows it', async () => {
  const { page } = await visitThrough()
  const files = await writeFiles()
  await beginShare(page, { files, link: `proxied-${randomUUID().slice(0, 8)}` })
  await page.goto(await finishShare(page))
  const archive = await download(page, page.getByRole('link', { name: 'Download all' }))
  const unpacked = join(journey.folder, randomUUID())
  await unzip(archive.path, unpacked)
  for (const path of files) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    expect(await hashFile(join(unpacked, name))).toBe(await hashFile(path))
  }

  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 413) refused.push(response.url())
  })
  await beginShare(page, { files, link: `again-${randomUUID().slice(0, 8)}` })
  await finishShare(page)
  expect(refused).toEqual([])
})

test('a proxy that refuses even 64 kB is named as what refuses', async () => {
  const { page } = await visitThrough('50k')
  const path = join(journey.folder, 'some.txt')
  await writeFile(path, Buffer.alloc(300_000, 'x'))
  await beginShare(page, { files: [path], link: `refused-${randomUUID().slice(0, 8)}` })
  await page
    .getByText('A proxy in front of the server refuses requests of this size.', { exact: true })
    .waitFor()
})

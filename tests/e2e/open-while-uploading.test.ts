import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { download, hashesOf, unzip, writeRandomFile } from './harness/files.ts'
import type { Visitor } from './harness/journey.ts'
import { finishShare, shareOptions, takeLine, waitForProgress } from './harness/uploading.ts'
import { useJourney } from './harness/use-journey.ts'

const journey = useJourney()
const small = ['a.bin', 'b.bin']
const large = ['d.bin', 'e.bin', 'film.bin']
const all = [...small, ...large]
const LARGE_BYTES = 4_000_000
let owner: Visitor
let hashes: Map<string, string>

beforeAll(async () => {
  owner = await journey.visitAsMember()
  hashes = new Map()
  for (const name of all) {
    const sizeBytes = small.includes(name) ? 20_000 : LARGE_BYTES
    const path = join(journey.folder, name)
    hashes.set(name, await writeRandomFile(path, { sizeBytes, seed: name }))
  }
})

test('a link that is shared while files are sent shows what is here, and all of it at the end', async () => {
  const { page } = owner
  const line = await takeLine(page)
  await page.goto('/upload')
  await line.set({ uploadBytesPerSecond: 500_000 })
  // Paused before the server heard of them, so that they begin under the link of later.
  await page.route('**/api/uploads', () => undefined)
  await page
    .getByLabel('Files to upload')
    .setInputFiles(all.map((name) => join(journey.folder, name)))
  for (const name of ['d.bin', 'e.bin']) {
    await page.getByRole('button', { name: `Pause ${name}` }).click()
  }
  // Which lets those go that are held.
  await page.unroute('**/api/uploads')
  await page.getByText('2 of 5 files uploaded').waitFor()
  await waitForProgress(page.getByRole('progressbar', { name: 'Progress of film.bin' }), 45)
  await page.getByRole('button', { name: 'Pause film.bin' }).click()
  await shareOptions(page).getByLabel('Link').fill('half-a-film')
  await page.getByRole('button', { name: 'Share the link now' }).click()
  await page.getByText('The link works now').waitFor()
  const link = await page.getByLabel('Share link').inputValue()

  // Two have arrived, one has by half, two wait.
  const visitor = await journey.visit()
  await visitor.page.goto(link)
  await visitor.page.getByText('2 of 5 files uploaded').first().waitFor()
  const saved = await download(
    visitor.page,
    visitor.page.getByRole('link', { name: 'Download a.bin' }),
  )
  expect(saved.sha256).toBe(hashes.get('a.bin'))
  const film = visitor.page.getByRole('progressbar', { name: 'Progress of film.bin' })
  expect(Number(await film.getAttribute('value'))).toBeGreaterThan(40)
  for (const name of large) {
    const row = visitor.page.getByRole('row', { name: new RegExp(name.replace('.', '\\.')) })
    expect(await row.getByRole('link').count()).toBe(0)
  }
  const id = new URL(link).pathname.split('/').at(-1)
  const early = await visitor.context.request.get(`/api/shares/${id}/files/zip`)
  expect(early.status()).toBe(503)

  await visitor.page.getByRole('button', { name: 'Download all' }).click()
  await visitor.page.getByText(/^Waiting for 3 more files \([\d.]+\sMB\)$/).waitFor()
  const begun = visitor.page.waitForEvent('download', { timeout: 60_000 })
  await line.set({})
  for (const name of large) await page.getByRole('button', { name: `Resume ${name}` }).click()
  await finishShare(page)

  const archive = await (await begun).path()
  const target = join(journey.folder, 'unpacked')
  await unzip(archive, target)
  expect(await hashesOf(target, all)).toEqual(all.map((name) => hashes.get(name)))
  await visitor.page.getByRole('link', { name: 'Download all' }).waitFor()
})

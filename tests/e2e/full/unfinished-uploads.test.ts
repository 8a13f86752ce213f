import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { changeByte, download, writeRandomFile } from '../harness/files.ts'
import type { Member } from '../harness/journey.ts'
import { enter } from '../harness/people.ts'
import {
  beginShare,
  fileRow,
  finishShare,
  shareButton,
  takeLine,
  totalProgress,
  waitForProgress,
} from '../harness/uploading.ts'
import { useJourney } from '../harness/use-journey.ts'

const SIZE_BYTES = 24_000_000

const journey = useJourney()
let owner: Member
let file: string
let sha256: string

/** Begins an upload in one profile, and leaves for another in the middle of it. */
beforeEach(async () => {
  owner = await journey.visitAsMember()
  file = join(journey.folder, 'film.mov')
  sha256 = await writeRandomFile(file, { sizeBytes: SIZE_BYTES, seed: 'film' })
  await (await takeLine(owner.page)).set({ uploadBytesPerSecond: SIZE_BYTES / 10 })
  await beginShare(owner.page, { files: [file], link: `film-${owner.person.username}` })
  await waitForProgress(totalProgress(owner.page), 40)
  await owner.leave()
})

interface Sent {
  method: string
  /** Where the body begins. */
  offset: number
}

/** What another profile of the same person sends of files, and what the server said it has. */
async function openElsewhere() {
  const visitor = await journey.visit()
  const { page } = visitor
  await enter(visitor, owner.person)
  const sent: Sent[] = []
  const told: number[] = []
  page.on('request', (request) => {
    if (!request.url().includes('/api/uploads') || request.method() === 'HEAD') return
    const offset = Number(request.headers()['upload-offset'] ?? 0)
    if (request.method() !== 'GET') sent.push({ method: request.method(), offset })
  })
  page.on('response', (response) => {
    if (response.request().method() === 'HEAD' && response.url().includes('/api/uploads/'))
      told.push(Number(response.headers()['upload-offset']))
  })
  await page.goto('/upload')
  return { visitor, page, sent, told }
}

const choose = (page: Page, path: string) => page.getByLabel(/^Files of /).setInputFiles(path)

async function downloadFrom(link: string, name: string) {
  const { page } = await journey.visit()
  await page.goto(link)
  return download(page, page.getByRole('link', { name: `Download ${name}` }))
}

test('a renamed file goes on in another profile from the very byte', async () => {
  const { visitor, page, sent, told } = await openElsewhere()
  const renamed = join(journey.folder, 'renamed.bin')
  await rename(file, renamed)
  await choose(page, renamed)
  await page.getByText('Renamed files keep the name their upload began with.').waitFor()
  await shareButton(page).click()
  const link = await finishShare(page, 120_000)

  expect(told[0]).toBeGreaterThan(SIZE_BYTES * 0.3)
  expect(sent).toEqual([{ method: 'PATCH', offset: told[0] }])
  expect(await downloadFrom(link, 'film.mov')).toMatchObject({ name: 'film.mov', sha256 })
  await visitor.leave()
})

test('a file that has changed is refused, and sent from its beginning at a press', async () => {
  const { visitor, page, sent } = await openElsewhere()
  const changed = await changeByte(file, 700_000)
  await choose(page, file)
  await fileRow(page, /^The content of this file has changed since its upload began\./).waitFor()
  expect(sent).toEqual([])

  await page.getByRole('button', { name: 'Retry film.mov' }).click()
  await shareButton(page).click()
  const link = await finishShare(page, 120_000)
  expect(sent).toEqual([
    { method: 'DELETE', offset: 0 },
    { method: 'POST', offset: 0 },
    { method: 'PATCH', offset: 0 },
  ])
  expect(await downloadFrom(link, 'film.mov')).toMatchObject({ sha256: changed })
  await page.goto('/upload')
  await page.getByRole('heading', { name: 'Drop files or folders here' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Unfinished uploads' }).isVisible()).toBe(false)
  await visitor.leave()
})

test('a file that was renamed and has changed is told to be another, and the upload stays', async () => {
  const { visitor, page, sent } = await openElsewhere()
  await changeByte(file, 700_000)
  const renamed = join(journey.folder, 'renamed.bin')
  await rename(file, renamed)
  await choose(page, renamed)
  await page
    .getByText('These are not the files of this upload. Their size or content is different.')
    .waitFor()
  await page.getByRole('heading', { name: 'Unfinished uploads' }).waitFor()
  expect(sent).toEqual([])
  await visitor.leave()
})

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../acceptance/world/http-client.ts'
import { openShare } from '../acceptance/world/shares.ts'
import { enterPassword, installSender, openEncrypting, pathOf } from './harness/encrypted.ts'
import {
  changeByte,
  download,
  hashFile,
  hashesOf,
  unzip,
  writeRandomFile,
  writeTree,
} from './harness/files.ts'
import { enter } from './harness/people.ts'
import {
  fileRow,
  finishShare,
  shareButton,
  shareOptions,
  takeLine,
  totalProgress,
  waitForProgress,
} from './harness/uploading.ts'
import { useJourney } from './harness/use-journey.ts'

const journey = useJourney()
/** Four blocks, the last of which is not full. */
const SIZE_BYTES = 26_000_000

beforeAll(async () => {
  await writeTree(journey.folder, { 'Reise/words.txt': 'meet me at nine', 'Reise/empty.txt': '' })
  await writeTree(journey.folder, { 'Reise/tief/süß 世界.txt': 'deeper' })
  await writeRandomFile(join(journey.folder, 'film.mov'), { sizeBytes: SIZE_BYTES, seed: 'film' })
  await writeRandomFile(join(journey.folder, 'other.mov'), { sizeBytes: SIZE_BYTES, seed: 'other' })
})

async function visitShare(link: string): Promise<Page> {
  const { page } = await journey.visit()
  await page.goto(pathOf(link))
  await page.getByText('Decrypted in this browser').waitFor()
  return page
}

/** All that the server has of the files of a share. */
async function readStored(link: string): Promise<string[]> {
  const id = new URL(link).pathname.split('/').at(-1) ?? ''
  const visitor = createClient(journey.floe.url)
  await openShare(visitor, id)
  const { body } = await visitor.send('GET', `/api/shares/${id}`)
  const { files } = body as { files: { id: string }[] }
  const contents = files.map(async (file) => {
    const { bytes } = await visitor.send('GET', `/api/shares/${id}/files/${file.id}`)
    return bytes.toString('latin1')
  })
  return [JSON.stringify(body), ...(await Promise.all(contents))]
}

async function downloadFrom(link: string, name: string) {
  const page = await visitShare(link)
  return download(page, page.getByRole('link', { name: `Download ${name}` }))
}

/** A tab that was closed in the middle of a large file, and opened again. */
async function goOnLater() {
  const member = await journey.visitAsMember()
  const { page, context } = member
  await openEncrypting(page)
  await (await takeLine(page)).set({ uploadBytesPerSecond: SIZE_BYTES / 10 })
  await page.getByLabel('Files to upload').setInputFiles(join(journey.folder, 'film.mov'))
  await fileRow(page, 'film.mov').waitFor()
  await waitForProgress(totalProgress(page), 45)
  await page.close()
  const again = await context.newPage()
  const offsets: number[] = []
  again.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
  })
  await again.goto('/upload')
  return { page: again, offsets, member }
}

describe('what is encrypted by the page', () => {
  test('is read by who has its link, byte for byte, and by nobody else', async () => {
    const { page, context } = await journey.visitAsMember()
    const sent: string[] = []
    context.on('request', (request) => {
      sent.push(request.url(), JSON.stringify(request.headers()), request.postData() ?? '')
    })
    await openEncrypting(page)
    await page.getByLabel('Folder to upload').setInputFiles(join(journey.folder, 'Reise'))
    await shareOptions(page).getByText('Only the link has the key').waitFor()
    await page.getByRole('img', { name: 'End-to-end encrypted' }).waitFor()
    await shareButton(page).click()
    const link = await finishShare(page)
    const [, key = ''] = link.split('#k=')
    expect(key).toHaveLength(43)

    const visitor = await visitShare(link)
    const all = await download(visitor, visitor.getByRole('link', { name: 'Download all' }))
    const names = ['Reise/words.txt', 'Reise/empty.txt', 'Reise/tief/süß 世界.txt']
    await unzip(all.path, join(journey.folder, 'all'))
    expect(await hashesOf(join(journey.folder, 'all'), names)).toEqual(
      await hashesOf(journey.folder, names),
    )
    const stored = await readStored(link)
    for (const secret of [key, 'words.txt', 'meet me', 'tief'])
      expect([...sent, ...stored].filter((text) => text.includes(secret))).toEqual([])
  })

  test('waits for the thread that encrypts, where it could not be loaded at first', async () => {
    journey.problems.expectRefusals({ path: /sealing-worker/ })
    const { page } = await journey.visitAsMember()
    let aborted = 0
    await page.route(/sealing-worker/, (route) =>
      aborted++ === 0 ? route.abort() : route.continue(),
    )
    await openEncrypting(page)
    await page.getByLabel('Files to upload').setInputFiles(join(journey.folder, 'Reise/words.txt'))
    await shareButton(page).click()
    const saved = await downloadFrom(await finishShare(page), 'words.txt')
    expect(saved.sha256).toBe(await hashFile(join(journey.folder, 'Reise/words.txt')))
    expect(aborted).toBe(2)
  })

  test('goes on in a tab that was closed, from the segment where it ended', async () => {
    const { page, offsets } = await goOnLater()
    await page.getByLabel('Files of film.mov').setInputFiles(join(journey.folder, 'film.mov'))
    await shareButton(page).click()
    const link = await finishShare(page)
    expect(offsets[0]).toBeGreaterThan(7 * 2 ** 20)
    const saved = await downloadFrom(link, 'film.mov')
    expect(saved.sha256).toBe(await hashFile(join(journey.folder, 'film.mov')))
  })

  test('with a password is opened by both alone, and the password stays here', async () => {
    const { page, context } = await journey.visitAsMember()
    const sent: string[] = []
    context.on('request', (request) => sent.push(request.postData() ?? ''))
    await openEncrypting(page)
    await page.getByLabel('Files to upload').setInputFiles(join(journey.folder, 'Reise/words.txt'))
    await shareOptions(page).getByRole('button', { name: 'Security options' }).click()
    await shareOptions(page).getByLabel('Password', { exact: true }).fill('old harbour')
    await shareButton(page).click()
    const link = await finishShare(page)
    expect(link).toMatch(/#k=[\w-]{43}&p=1$/)
    expect(sent.filter((text) => text.includes('old harbour'))).toEqual([])
    expect(sent.some((text) => /"password":"[\w-]{22}"/.test(text))).toBe(true)

    const { page: visitor } = await journey.visit()
    await visitor.goto(pathOf(link))
    await enterPassword(visitor, 'old harbour')
    await visitor.getByText('Decrypted in this browser').waitFor({ timeout: 60_000 })
    const saved = await download(visitor, visitor.getByRole('link', { name: 'Download words.txt' }))
    expect(saved.sha256).toBe(await hashFile(join(journey.folder, 'Reise/words.txt')))
  })

  test('is sent from its beginning where the file has changed since', async () => {
    const { page, offsets } = await goOnLater()
    const changed = join(journey.folder, 'changed/film.mov')
    await writeTree(journey.folder, {
      'changed/film.mov': await readFile(join(journey.folder, 'film.mov')),
    })
    const sha256 = await changeByte(changed, 700_000)
    await page.getByLabel('Files of film.mov').setInputFiles(changed)
    await fileRow(page, /^The content of this file has changed since/).waitFor()
    await page.getByRole('button', { name: 'Retry film.mov' }).click()
    await shareButton(page).click()
    const link = await finishShare(page)
    expect(offsets[0]).toBe(0)
    expect(await downloadFrom(link, 'film.mov')).toMatchObject({ sha256 })
  })

  test('is left to the browser that has its key, by every other one', async () => {
    const { page, member } = await goOnLater()
    await page.close()
    const elsewhere = await journey.visit()
    await enter(elsewhere, member.person)
    await elsewhere.page.goto('/upload')
    await elsewhere.page.getByText('Only the browser that began this upload').waitFor()
    expect(await elsewhere.page.getByRole('button', { name: /^Choose files again/ }).count()).toBe(
      0,
    )
    expect(await elsewhere.page.getByText('Choose the same files again').count()).toBe(0)
    await elsewhere.page.getByRole('button', { name: /^Discard/ }).click()
    await elsewhere.page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await elsewhere.page.getByText('Upload discarded').waitFor()
  })

  test('lists what is there at its end, also where sharing failed first, for the command line too', async () => {
    journey.problems.expectRefusals({ path: /\/complete$/, status: 400 })
    const sender = await installSender(journey.floe)
    const { page } = await journey.visitAsMember()
    await openEncrypting(page)
    const files = ['words.txt', 'empty.txt'].map((name) => join(journey.folder, 'Reise', name))
    const input = page.getByLabel('Files to upload')
    await input.setInputFiles([...files, join(journey.folder, 'other.mov')])
    await fileRow(page, 'empty.txt').waitFor()
    await page.getByRole('button', { name: 'Remove empty.txt' }).click()
    const taken = `taken-${Date.now()}`
    await shareOptions(page).getByLabel('Link').fill(taken)
    const first = ['send', '--link', taken, join(journey.folder, 'Reise/words.txt')]
    expect((await sender.cli.run(first)).code).toBe(0)
    await shareButton(page).click()
    await page.getByText('This link is already in use', { exact: false }).first().waitFor()
    await input.setInputFiles(join(journey.folder, 'Reise/tief/süß 世界.txt'))
    await shareOptions(page).getByLabel('Link').fill(`${taken}-2`)
    await shareButton(page).click()
    const link = await finishShare(page)
    const got = await sender.cli.run(['get', link, '-o', 'back', '--json'])
    expect(got.code, got.stderr).toBe(0)
    const saved = JSON.parse(got.stdout) as { files: { path: string; verified: boolean }[] }
    expect(saved.files.map(({ path, verified }) => [path, verified])).toEqual(
      ['words.txt', 'other.mov', 'süß 世界.txt'].map((name) => [
        join(sender.cli.folder, 'back', name),
        true,
      ]),
    )
    await sender.cli.remove()
  })
})

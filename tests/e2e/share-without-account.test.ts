import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { download, hashFile, writeTree } from './harness/files.ts'
import type { Visitor } from './harness/journey.ts'
import { configure } from './harness/people.ts'
import { fileRow, finishShare, shareButton, shareOptions } from './harness/uploading.ts'
import { useJourney } from './harness/use-journey.ts'

const note = 'Meet at the pier.\nBring the red rope.\n'

const journey = useJourney()
let maker: Visitor

beforeAll(async () => {
  const admin = await journey.visitAsAdministrator()
  await configure(admin, { 'share.allowUnauthenticatedShares': true })
  await admin.leave()
  maker = await journey.visit({ permissions: ['clipboard-read', 'clipboard-write'] })
})

/** By the browser's own clipboard, as another program would have filled it. */
async function paste(page: Page, { type, bytes }: { type: string; bytes: Buffer }): Promise<void> {
  await page.bringToFront()
  // Evaluated as a text, as tests know nothing of what browsers have.
  await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (char) => char.charCodeAt(0))
    const blob = new Blob([bytes], { type: '${type}' })
    await navigator.clipboard.write([new ClipboardItem({ '${type}': blob })])
  })()`)
  await page.keyboard.press('Control+V')
}

test('a pasted text, a pasted screenshot and a written text become files of a share', async () => {
  const { page } = maker
  await page.goto('/upload')
  await page.getByRole('heading', { name: 'Drop files or folders here' }).waitFor()
  await paste(page, { type: 'text/plain', bytes: Buffer.from(note) })
  const pasted = page.getByRole('dialog', { name: 'Pasted text' })
  await expect.poll(() => pasted.getByLabel('Text', { exact: true }).inputValue()).toBe(note)
  await pasted.getByLabel('File name').fill('note.txt')
  await pasted.getByRole('button', { name: 'Add' }).click()
  await fileRow(page, 'note.txt').waitFor()

  await paste(page, { type: 'image/png', bytes: await page.screenshot() })
  await fileRow(page, /^pasted-image-[\d-]+\.png$/).waitFor()

  await page.getByRole('button', { name: 'Write text' }).click()
  const written = page.getByRole('dialog', { name: 'Write text' })
  await written.getByLabel('File name').fill('note.txt')
  await written.getByLabel('Text', { exact: true }).fill('Second thoughts')
  await written.getByRole('button', { name: 'Add' }).click()
  await written.getByText('A file with this name has already been chosen').waitFor()
  await written.getByLabel('File name').fill('more.txt')
  await written.getByRole('button', { name: 'Add' }).click()
  await fileRow(page, 'more.txt').waitFor()

  const options = shareOptions(page)
  await options.getByText('You are not signed in').waitFor()
  await options.getByLabel('Link').fill('pier')
  await shareButton(page).click()
  const link = await finishShare(page)

  const visitor = await journey.visit()
  await visitor.page.goto(link)
  const button = visitor.page.getByRole('link', { name: 'Download note.txt' })
  const saved = await download(visitor.page, button)
  await writeTree(journey.folder, { 'note.txt': note })
  expect(saved.sha256).toBe(await hashFile(join(journey.folder, 'note.txt')))
  await visitor.page.getByRole('button', { name: /^Preview pasted-image-/ }).click()
  const image = visitor.page.getByRole('dialog').getByRole('img', { name: /^pasted-image-/ })
  await expect
    .poll(() => image.evaluate((element) => Reflect.get(element, 'naturalWidth')))
    .toBe(1280)
  await visitor.leave()
})

test('the browser that made it may change it, and no other', async () => {
  const cookies = await maker.context.cookies()
  expect(cookies.find(({ name }) => name === 'share_pier_owner_token')).toMatchObject({
    httpOnly: true,
    sameSite: 'Lax',
  })
  const other = await journey.visit()
  const rename = ({ context }: Visitor, name: string) =>
    context.request.patch('/api/shares/pier', { data: { name } })
  expect((await rename(maker, 'At the pier')).status()).toBe(200)
  expect((await rename(other, 'Theirs')).status()).toBe(403)
  expect((await maker.context.request.delete('/api/shares/pier')).status()).toBe(403)
  await other.page.goto('/share/pier')
  await other.page.getByRole('heading', { name: 'At the pier' }).waitFor()
  await other.leave()
})

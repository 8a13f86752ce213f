import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { download, writeTree } from '../harness/files.ts'
import { fileRow, finishShare, shareButton, shareOptions } from '../harness/uploading.ts'
import { useJourney } from '../harness/use-journey.ts'

const journey = useJourney()

/** What a visitor gets. */
async function contentOf(link: string, name: string): Promise<string> {
  const { page, leave } = await journey.visit()
  await page.goto(link)
  const saved = await download(page, page.getByRole('link', { name: `Download ${name}` }))
  const content = await readFile(saved.path, 'utf8')
  await leave()
  return content
}

async function openText(page: Page, button: string) {
  await page.getByRole('button', { name: button }).click()
  const dialog = page.getByRole('dialog', { name: button })
  return {
    name: dialog.getByLabel('File name'),
    text: dialog.getByLabel('Text', { exact: true }),
    async end(button: string) {
      await dialog.getByRole('button', { name: button }).click()
      await dialog.waitFor({ state: 'detached' })
    },
  }
}

test('a text that was edited before and after it was shared arrives byte for byte', async () => {
  const { page } = await journey.visitAsMember()
  await writeTree(journey.folder, { 'list.txt': '\uFEFFtent\r\nstove\r\n' })
  await page.goto('/upload')
  await page.getByLabel('Files to upload').setInputFiles(join(journey.folder, 'list.txt'))
  await fileRow(page, 'list.txt').waitFor()
  await page.getByText('1 of 1 file uploaded').waitFor()
  const chosen = await openText(page, 'Edit list.txt')
  await expect.poll(() => chosen.text.inputValue()).toBe('tent\nstove\n')
  await chosen.text.fill('tent\nstove\nrope\n')
  await chosen.end('Done')

  const note = await openText(page, 'Write text')
  await note.name.fill('plan.md')
  await note.text.fill('# Plan')
  await note.end('Add')
  await fileRow(page, 'plan.md').waitFor()
  await shareOptions(page).getByLabel('Link').fill('packing-list')
  await shareButton(page).click()
  const link = await finishShare(page)
  expect(await contentOf(link, 'list.txt')).toBe('\uFEFFtent\r\nstove\r\nrope\r\n')
  expect(await contentOf(link, 'plan.md')).toBe('# Plan')

  await page.goto('/share/packing-list/edit')
  const shared = await openText(page, 'Edit list.txt')
  await expect.poll(() => shared.text.inputValue()).toBe('tent\nstove\nrope\n')
  await shared.text.fill('tent\nrope\n')
  await shared.end('Done')
  await page.getByRole('row', { name: 'list.txt' }).getByText('Edited').waitFor()
  expect(await contentOf(link, 'list.txt')).toBe('\uFEFFtent\r\nstove\r\nrope\r\n')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('Share updated successfully').waitFor()
  expect(await contentOf(link, 'list.txt')).toBe('\uFEFFtent\r\nrope\r\n')
  expect(await contentOf(link, 'plan.md')).toBe('# Plan')
})

test('a text that is being written is not lost by the Escape key or by going back', async () => {
  const { page } = await journey.visitAsMember()
  await page.goto('/account/shares')
  await page.getByRole('link', { name: 'Upload', exact: true }).click()
  const note = await openText(page, 'Write text')
  await note.text.fill('Dear Marit')
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  for (const leave of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
    await leave()
    await question.getByText('What you have written will be lost.').waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    expect(await note.text.inputValue()).toBe('Dear Marit')
  }
  await page.goBack()
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await note.text.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe('/upload')
})

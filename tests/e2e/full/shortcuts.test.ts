import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { writeTree } from '../harness/files.ts'
import type { Visitor } from '../harness/journey.ts'
import { makeShare } from '../harness/shares.ts'
import { fileRow } from '../harness/uploading.ts'
import { useJourney } from '../harness/use-journey.ts'

const journey = useJourney()
let admin: Visitor
let page: Page

beforeAll(async () => {
  admin = await journey.visitAsAdministrator()
  page = admin.page
  await makeShare(admin.context.request, { id: 'strait', files: { 'a.txt': 'a' } })
  await writeTree(journey.folder, { 'notes.txt': 'Notes' })
})

beforeEach(async () => {
  await page.goto('/account/shares')
  await page.getByRole('heading', { name: 'My shares' }).waitFor()
})

const sheet = (of = page) => of.getByRole('dialog', { name: 'Keyboard shortcuts' })

test('a question mark opens the sheet anywhere, escape closes it, and the menu has it too', async () => {
  await page.keyboard.press('?')
  await sheet().waitFor()
  await expect
    .poll(() => sheet().locator('dt').allInnerTexts())
    .toEqual(['Ctrl K', 'u', 's', '/', '←', '→', 'Ctrl Z', 'Esc', '?'])
  await expect
    .poll(() => sheet().locator('dd').allInnerTexts())
    .toEqual([
      'Search or jump to…',
      'Upload',
      'Share',
      'Search',
      'Previous file',
      'Next file',
      'Undo',
      'Close',
      'Keyboard shortcuts',
    ])
  await page.keyboard.press('Escape')
  await sheet().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await sheet().waitFor()

  const stranger = await journey.visit()
  await stranger.open('/share/strait')
  await stranger.page.getByRole('button', { name: 'Preview a.txt' }).waitFor()
  await stranger.page.keyboard.press('?')
  await sheet(stranger.page).getByText('Use keyboard shortcuts').waitFor()
  await stranger.leave()
})

test('u leads to the upload page and chooses files there, s shares them', async () => {
  // A key may reach the page before what watches for choosers does: that is begun well ahead.
  const chooser = page.waitForEvent('filechooser')
  await page.keyboard.press('u')
  await page.getByRole('heading', { name: 'Drop files or folders here' }).waitFor()
  await page.keyboard.press('u')
  await (await chooser).setFiles(join(journey.folder, 'notes.txt'))
  await fileRow(page, 'notes.txt').waitFor()
  await page.keyboard.press('s')
  const dialog = page.getByRole('dialog', { name: 'Your share is ready' })
  await dialog.waitFor()
  // In front of the page, keys are the dialog's.
  await dialog.getByRole('button', { name: 'Done' }).focus()
  await page.keyboard.press('?')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await sheet().count()).toBe(0)
})

test('a slash goes to the search of a table, and what is typed there stays text', async () => {
  await page.goto('/admin/users')
  const search = page.getByRole('searchbox')
  await search.waitFor()
  await page.keyboard.press('/')
  await expect.poll(() => search.and(page.locator(':focus')).count()).toBe(1)
  for (const typed of ['u', 'us', 'us/', 'us/?']) {
    await page.keyboard.press(typed.at(-1) ?? '')
    await expect.poll(() => search.inputValue()).toBe(typed)
  }
  expect(await sheet().count()).toBe(0)
  expect(new URL(page.url()).pathname).toBe('/admin/users')
})

test('somebody who turns the shortcuts off keeps the menu, and can turn them on again', async () => {
  const choice = sheet().getByRole('switch', { name: 'Use keyboard shortcuts' })
  await page.keyboard.press('?')
  await choice.uncheck()
  await page.keyboard.press('Escape')
  await sheet().waitFor({ state: 'detached' })
  await page.keyboard.press('u')
  await page.keyboard.press('?')
  await page.getByRole('button', { name: 'Account menu' }).click()
  expect(new URL(page.url()).pathname).toBe('/account/shares')
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await expect.poll(() => choice.isChecked()).toBe(false)
  await choice.check()
  await page.keyboard.press('Escape')
  await sheet().waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await sheet().waitFor()
})

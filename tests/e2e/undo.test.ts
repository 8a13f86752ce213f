import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { writeTree } from './harness/files.ts'
import type { Visitor } from './harness/journey.ts'
import { configure } from './harness/people.ts'
import { makeShare } from './harness/shares.ts'
import { useJourney } from './harness/use-journey.ts'

const names = ['map.txt', 'notes.txt', 'route.txt']

const journey = useJourney()
let owner: Visitor
let page: Page
let files: string[]

beforeAll(async () => {
  owner = await journey.visitAsMember()
  page = owner.page
  await configure(await journey.visitAsAdministrator(), {
    'smtp.enabled': true,
    'email.enableShareEmailRecipients': true,
  })
  await writeTree(journey.folder, Object.fromEntries(names.map((name) => [name, name])))
  files = names.map((name) => join(journey.folder, name))
})

const undo = () => page.getByRole('alert').getByRole('button', { name: 'Undo' })
const rows = () => page.getByRole('row').getByRole('button', { name: /^Remove / })
const shown = async () => {
  const labels = await rows().evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
  return labels.map((label) => String(label).replace('Remove ', ''))
}

async function chooseAll() {
  await page.goto('/upload')
  await page.getByLabel('Files to upload').setInputFiles(files)
  await rows().first().waitFor()
}

test('a file taken off the list comes back to its place, by its button or by Ctrl and Z', async () => {
  await chooseAll()
  for (const takeBack of [() => undo().click(), () => page.keyboard.press('Control+z')]) {
    await page.getByRole('button', { name: 'Remove notes.txt' }).click()
    await page.getByRole('alert').getByText('notes.txt removed').waitFor()
    expect(await shown()).toEqual(['map.txt', 'route.txt'])
    await takeBack()
    await expect.poll(shown).toEqual(names)
    await undo().waitFor({ state: 'detached' })
  }
})

test('a list that was emptied comes back whole, and only as long as nothing else was chosen', async () => {
  await chooseAll()
  await page.getByRole('button', { name: 'Remove all' }).click()
  await expect.poll(() => rows().count()).toBe(0)
  await undo().click()
  await expect.poll(shown).toEqual(names)

  await page.getByRole('button', { name: 'Remove all' }).click()
  await undo().waitFor()
  await page.getByLabel('Files to upload').setInputFiles(files.slice(2))
  await undo().waitFor({ state: 'detached' })
  expect(await shown()).toEqual(['route.txt'])
})

test('leaving the page leaves no offer behind that would do nothing', async () => {
  await chooseAll()
  await page.getByRole('button', { name: 'Remove map.txt' }).click()
  await undo().waitFor()
  await page.getByRole('banner').getByRole('img', { name: 'logo' }).click()
  await page.getByRole('button', { name: 'Shares' }).click()
  await page.getByRole('menuitem', { name: 'My shares' }).click()
  await page.getByRole('heading', { name: 'My shares' }).waitFor()
  await undo().waitFor({ state: 'detached' })
})

test('a recipient taken out of the dialog comes back with the others', async () => {
  await chooseAll()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Create share' })
  await dialog.getByRole('button', { name: 'Email recipients' }).click()
  await dialog.getByRole('textbox', { name: 'Recipients' }).fill('ida@example.org, jon@example.org')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Remove ida@example.org' }).click()
  await dialog.getByText('ida@example.org').waitFor({ state: 'detached' })
  await undo().click()
  await dialog.getByText('ida@example.org').waitFor()
  await dialog.getByText('jon@example.org').waitFor()
})

test('a new file taken out of an edited share comes back', async () => {
  const id = await makeShare(owner.context.request, { files: { 'fjord.txt': 'cold' } })
  await page.goto(`/share/${id}/edit`)
  await page.getByLabel('Files to upload').setInputFiles(files.slice(0, 2))
  await page.getByRole('button', { name: 'Delete map.txt' }).click()
  await undo().click()
  const cells = page.getByRole('row').filter({ has: page.getByText('New', { exact: true }) })
  await expect.poll(() => cells.count()).toBe(2)
})

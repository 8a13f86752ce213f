import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { writeTree } from './harness/files.ts'
import type { Visitor } from './harness/journey.ts'
import { useJourney } from './harness/use-journey.ts'

const names = ['map.txt', 'notes.txt', 'route.txt']

const journey = useJourney()
let owner: Visitor
let page: Page
let files: string[]

beforeAll(async () => {
  owner = await journey.visitAsMember()
  page = owner.page
  await writeTree(journey.folder, Object.fromEntries(names.map((name) => [name, name])))
  files = names.map((name) => join(journey.folder, name))
})

const undo = () => page.getByRole('alert').getByRole('button', { name: 'Undo' })
const rows = () => page.getByRole('listitem').getByRole('button', { name: /^Remove / })
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

test('a file taken off the list while its share is only being made is not sent', async () => {
  const { id, letGo } = await holdDraft()
  await page.getByRole('button', { name: 'Remove notes.txt' }).click()
  await page.getByRole('table').getByText('notes.txt').waitFor({ state: 'detached' })
  letGo()
  await page.getByText('2 of 2 files uploaded').waitFor()
  expect(await shown()).toEqual(['map.txt', 'route.txt'])
  const response = await owner.context.request.get(`/api/shares/${await id}/from-owner`)
  const { files: sent } = (await response.json()) as { files: { name: string }[] }
  expect(sent.map(({ name }) => name).sort()).toEqual(['map.txt', 'route.txt'])
})

test('a share that is only being made is given up with the last of its files', async () => {
  const { id, letGo } = await holdDraft()
  await page.getByRole('button', { name: 'Remove all' }).click()
  await page.getByRole('table').waitFor({ state: 'detached' })
  letGo()
  const path = `/api/shares/${await id}/from-owner`
  await expect.poll(async () => (await owner.context.request.get(path)).status()).toBe(404)
})

/** Chooses all files, and holds the response to that their share was made. */
async function holdDraft() {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  let tell = (_id: string) => {}
  const id = new Promise<string>((resolve) => (tell = resolve))
  await page.route(
    /\/api\/shares$/,
    async (route) => {
      const response = await route.fetch()
      tell(((await response.json()) as { id: string }).id)
      await held
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await page.goto('/upload')
  await page.getByLabel('Files to upload').setInputFiles(files)
  await page.getByRole('table').getByText('route.txt').waitFor()
  await id
  return { id, letGo }
}

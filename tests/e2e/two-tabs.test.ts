import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Member } from './harness/journey.ts'
import { fileRow, finishShare, shareButton, shareOptions } from './harness/uploading.ts'
import { useJourney } from './harness/use-journey.ts'

const journey = useJourney()
const file = { name: 'offer.txt', mimeType: 'text/plain', buffer: Buffer.from('for you') }
const said = 'This share was already finished elsewhere, perhaps with other settings.'

/** All of its file is there, and nobody has said Share. Returns the id of the draft. */
async function fillDraft(page: Page): Promise<string> {
  const made = page.waitForResponse(
    (response) => new URL(response.url()).pathname === '/api/shares',
  )
  await page.goto('/upload')
  await page.getByLabel('Files to upload').setInputFiles(file)
  await fileRow(page, 'offer.txt').waitFor()
  const { id } = (await (await made).json()) as { id: string }
  const readDraft = () => page.context().request.get(`/api/shares/${id}/from-owner`)
  await expect.poll(async () => (await readDraft()).json()).toMatchObject({ files: [{}] })
  return id
}

async function openSecondTab({ context }: Member): Promise<Page> {
  const page = await context.newPage()
  await page.goto('/upload')
  await page.getByRole('heading', { name: 'Drop files or folders here' }).waitFor()
  return page
}

test('what one tab is about is unfinished for another one only when that tab is gone', async () => {
  const member = await journey.visitAsMember()
  await fillDraft(member.page)
  const unfinished = (page: Page) => page.getByRole('heading', { name: 'Unfinished uploads' })
  const second = await openSecondTab(member)
  await second.waitForLoadState('networkidle')
  expect(await unfinished(second).count()).toBe(0)
  await member.page.close({ runBeforeUnload: false })
  await second.reload()
  await unfinished(second).waitFor()
})

test('a share that was finished elsewhere is not called ready on the terms of this page', async () => {
  const { context, page } = await journey.visitAsMember()
  const id = await fillDraft(page)
  const finished = await context.request.post(`/api/shares/${id}/complete`)
  expect(finished.status(), await finished.text()).toBe(202)
  journey.problems.expectRefusals({ path: /complete$/, status: 400 })
  await shareOptions(page).getByRole('button', { name: 'Security options' }).click()
  await shareOptions(page).getByLabel('Password', { exact: true }).fill('geheim genug')
  await shareButton(page).click()
  await page.getByText(said).waitFor()
  expect(await page.getByRole('dialog', { name: 'Your share is ready' }).count()).toBe(0)
})

test('files for a share that was deleted elsewhere say so', async () => {
  const { context, page } = await journey.visitAsMember()
  const id = await fillDraft(page)
  expect((await context.request.delete(`/api/shares/${id}`)).ok()).toBe(true)
  journey.problems.expectRefusals({ path: /^\/api\//, status: 404 })
  await page.getByLabel('Files to upload').setInputFiles({ ...file, name: 'late.txt' })
  await page.getByText('This share has been deleted').first().waitFor()
})

test('a share whose response was lost is ready at the next press', async () => {
  const { page } = await journey.visitAsMember()
  const id = await fillDraft(page)
  const path = `/api/shares/${id}/complete`
  await page.route(`**${path}`, async (route) => {
    await route.fetch()
    await route.abort()
  })
  journey.problems.expectRefusals({ path: /complete$/, status: 400 })
  await shareButton(page).click()
  await page.getByText('The server cannot be reached').waitFor()
  await page.unroute(`**${path}`)
  await shareButton(page).click()
  expect(await finishShare(page)).toContain(id)
  journey.problems.take()
})

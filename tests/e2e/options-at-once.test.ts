import { expect, test } from 'vitest'
import { configure } from './harness/people.ts'
import { shareOptions } from './harness/uploading.ts'
import { useOwnFloe } from './harness/use-journey.ts'

const journey = useOwnFloe()
const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('Hello') }

test('on a phone the options open with the first files, once the site says so', async () => {
  const admin = await journey.visitAsAdministrator()
  const { page, leave } = await journey.visitAsMember({ viewport: { width: 390, height: 844 } })
  const options = page.getByRole('dialog', { name: 'Create share' })
  const choose = async () => {
    await page.goto('/upload')
    await page.getByLabel('Files to upload').setInputFiles(note)
    await page.getByText('1 of 1 file uploaded').waitFor()
  }
  await choose()
  expect(await options.count()).toBe(0)
  await page.getByRole('button', { name: 'Remove note.txt' }).click()

  await configure(admin, { 'share.autoOpenShareModal': true })
  await page.goto('/upload')
  await page.getByLabel('Files to upload').setInputFiles(note)
  await options.getByLabel('Link').waitFor()
  await leave()

  await admin.page.goto('/upload')
  await admin.page.getByLabel('Files to upload').setInputFiles(note)
  await shareOptions(admin.page).getByLabel('Link').waitFor()
  expect(await admin.page.getByRole('dialog').count()).toBe(0)
})

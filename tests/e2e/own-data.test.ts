import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { useJourney } from './harness/use-journey.ts'

const journey = useJourney()

test('a member takes what is stored of them, and reads until when', async () => {
  const { page, person } = await journey.visitAsMember()
  await page.goto('/account')
  const section = page.getByRole('region', { name: 'Your data' })
  const coming = page.waitForEvent('download')
  await section.getByRole('button', { name: 'Download as JSON' }).click()
  const download = await coming
  expect(download.suggestedFilename()).toMatch(/^account-[\d-]{10}\.json$/)
  const { data } = JSON.parse(await readFile(await download.path(), 'utf8')) as {
    data: Record<string, unknown[]>
  }
  expect(data['users']).toMatchObject([{ username: person.username, email: person.email }])

  await section.getByRole('link', { name: 'What is stored, and until when' }).click()
  await page.waitForURL('**/stored-data')
  await page
    .getByRole('row', { name: /^Signed-in devices: .* A few days after they end$/ })
    .waitFor()
})

test('a visitor reads it as well', async () => {
  const { page } = await journey.visit()
  await page.goto('/stored-data')
  await page.getByRole('heading', { name: 'What is stored here' }).waitFor()
})

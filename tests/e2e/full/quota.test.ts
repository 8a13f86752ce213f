import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Visitor } from '../harness/journey.ts'
import { newPerson, signIn } from '../harness/people.ts'
import { beginShare, finishShare } from '../harness/uploading.ts'
import { writeRandomFile } from '../harness/files.ts'
import { useJourney } from '../harness/use-journey.ts'

const journey = useJourney()
let admin: Visitor
let visitor: Visitor
let page: Page
const person = newPerson()
const fileOf = (name: string) => `${journey.folder}/${name}`

beforeAll(async () => {
  admin = await journey.visitAsAdministrator()
  visitor = await journey.visit()
  page = visitor.page
  await writeRandomFile(fileOf('big.bin'), { sizeBytes: 2_000_000, seed: 'big' })
  await writeRandomFile(fileOf('half.bin'), { sizeBytes: 600_000, seed: 'half' })
})

const openUpload = (one: Page) => one.goto('/upload')

test('an account made with a limit reads on the upload page what is left of it', async () => {
  const { page: panel } = admin
  await panel.goto('/admin/users')
  await panel.getByRole('button', { name: 'Create user' }).click()
  const dialog = panel.getByRole('dialog', { name: 'Create user' })
  await dialog.getByLabel('Username').fill(person.username)
  await dialog.getByLabel('Email').fill(person.email)
  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  await dialog.getByLabel('Storage limit in GB').fill('0.001')
  await dialog.getByRole('button', { name: 'Create user' }).click()
  await panel.getByRole('alert').getByText('User created').waitFor()

  await page.goto('/auth/signIn')
  await signIn(page, person)
  await page.getByText('1 MB of 1 MB left').waitFor()
})

test('an account with a largest share of its own reads it, and is held to it', async () => {
  const { page: panel } = admin
  await panel.goto('/admin/users')
  await panel.getByRole('button', { name: `Edit ${person.username}` }).click()
  const dialog = panel.getByRole('dialog', { name: `Edit ${person.username}` })
  await dialog.getByLabel('Largest share in GB').fill('0.0005')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await panel.getByRole('alert').getByText('User updated').waitFor()

  await openUpload(page)
  await page.getByText('Up to 500 kB in total.').waitFor()
  await page.getByLabel('Files to upload').setInputFiles([fileOf('half.bin')])
  await page.getByText('Your files exceed the maximum share size of 500 kB').waitFor()

  await panel.getByRole('button', { name: `Edit ${person.username}` }).click()
  await expect.poll(() => dialog.getByLabel('Largest share in GB').inputValue()).toBe('0.0005')
  await dialog.getByLabel('Largest share in GB').fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
})

test('what is stored is counted, and what another page fills up is refused with the reason', async () => {
  journey.problems.expectRefusals({ path: /^\/api\/uploads/, status: 413 })
  const late = await visitor.context.newPage()
  await openUpload(late)
  await late.getByText('1 MB of 1 MB left').waitFor()

  await beginShare(page, { files: [fileOf('half.bin')], link: 'first-half' })
  await finishShare(page)
  await openUpload(page)
  await page.getByText('400 kB of 1 MB left').waitFor()
  const meter = page.getByRole('progressbar', { name: 'Storage used' })
  await expect.poll(() => meter.getAttribute('aria-valuenow')).toBe('60')

  await late.getByLabel('Files to upload').setInputFiles([fileOf('half.bin')])
  await late.getByText('There is not enough storage left').first().waitFor()
  await late.close()
})

import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { writeTree } from '../harness/files.ts'
import type { Visitor } from '../harness/journey.ts'
import { configure } from '../harness/people.ts'
import { finishShare, shareButton, shareOptions } from '../harness/uploading.ts'
import { useJourney } from '../harness/use-journey.ts'

const journey = useJourney()
let admin: Visitor

beforeAll(async () => {
  admin = await journey.visitAsAdministrator()
  await configure(admin, { 'share.maxExpiration': 48 })
  await writeTree(journey.folder, { 'plan.txt': 'a plan' })
})

async function choosePlan({ page }: Visitor) {
  await page.goto('/upload')
  await page.getByLabel('Files to upload').setInputFiles(join(journey.folder, 'plan.txt'))
  await shareOptions(page)
    .getByText(/^This share expires on /)
    .waitFor()
}

test('administrators exceed the longest expiry once that is switched on, and nobody else', async () => {
  const { page } = admin
  await choosePlan(admin)
  await expect.poll(() => page.getByLabel('Never expires').count()).toBe(0)

  await page.goto('/admin/config/share')
  await page.getByLabel('Administrators may exceed the maximum expiration').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Configuration saved').waitFor()

  await choosePlan(admin)
  await page.getByLabel('Never expires').check()
  await shareButton(page).click()
  const link = await finishShare(page)
  await page.goto(link)
  await page.getByRole('heading', { name: 'plan.txt' }).waitFor()
  const id = new URL(link).pathname.split('/').at(-1)
  const made = await admin.context.request.get(`/api/shares/${id}/from-owner`)
  expect(await made.json()).toMatchObject({ expiration: '1970-01-01T00:00:00.000Z' })

  const member = await journey.visitAsMember()
  await choosePlan(member)
  await member.page.getByLabel('Expires in').fill('9')
  await member.page.getByText(/^Expiration exceeds maximum expiration date of /).waitFor()
  await expect.poll(() => member.page.getByLabel('Never expires').count()).toBe(0)
})

import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { writeTree } from '../harness/files.ts'
import type { Member, Visitor } from '../harness/journey.ts'
import { configure } from '../harness/people.ts'
import { finishShare, shareButton, shareOptions } from '../harness/uploading.ts'
import { useJourney } from '../harness/use-journey.ts'

const journey = useJourney()
let admin: Visitor
let member: Member

beforeAll(async () => {
  admin = await journey.visitAsAdministrator()
  member = await journey.visitAsMember()
  await configure(admin, { 'share.passwordRequired': true, 'share.allowNeverExpires': false })
  await writeTree(journey.folder, { 'plan.txt': 'a plan' })
})

async function choosePlan({ page }: Visitor) {
  await page.goto('/upload')
  await page.getByLabel('Files to upload').setInputFiles(join(journey.folder, 'plan.txt'))
  await shareOptions(page)
    .getByText(/^This share expires on /)
    .waitFor()
}

test('a share needs the password that a rule asks for, and visitors are asked for it', async () => {
  const { page } = member
  await choosePlan(member)
  expect(await page.getByLabel('Never expires').count()).toBe(0)
  await shareButton(page).click()
  await page.getByText('This field is required').waitFor()
  await page.getByLabel('Password', { exact: true }).fill('a secret word')
  await shareButton(page).click()
  const link = await finishShare(page)

  const visitor = await journey.visit()
  await visitor.page.goto(link)
  await visitor.page.getByLabel('Password', { exact: true }).fill('a secret word')
  await visitor.page.getByRole('button', { name: 'Open share' }).click()
  await visitor.page.getByRole('heading', { name: 'plan.txt' }).waitFor()
})

test('an administrator sees which rules hold for somebody and why, and makes an exception', async () => {
  const { page } = admin
  await page.goto(`/admin/users?search=${member.person.username}`)
  await page.getByRole('button', { name: `Rules for ${member.person.username}` }).click()
  const row = (name: string) => page.getByRole('row', { name })
  await row('Every share needs a password Yes Configuration').waitFor()
  await page.getByLabel('Every share needs a password').selectOption('No')
  await row('Every share needs a password No Exception for this account').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('User updated').waitFor()

  await choosePlan(member)
  await shareButton(member.page).click()
  await finishShare(member.page)
})

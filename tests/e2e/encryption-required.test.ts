import { beforeAll, expect, test } from 'vitest'
import type { Member, Visitor } from './harness/journey.ts'
import { finishShare, shareButton } from './harness/uploading.ts'
import { useJourney } from './harness/use-journey.ts'

const journey = useJourney()
let admin: Visitor
let owner: Member

beforeAll(async () => {
  admin = await journey.visitAsAdministrator()
  owner = await journey.visitAsMember()
})

async function choose(choice: string) {
  const { page } = admin
  await page.goto('/admin/config/share')
  await page.getByLabel('End-to-end encrypted shares', { exact: true }).selectOption(choice)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Configuration saved').waitFor()
}

async function openSwitch() {
  const { page } = owner
  await page.goto('/upload')
  const toggle = page.getByRole('switch', { name: 'End-to-end encryption' })
  await toggle.waitFor()
  return toggle
}

test('what an administrator proposes is on until somebody turns it off, for good', async () => {
  await choose('Proposed')
  const toggle = await openSwitch()
  expect(await toggle.isChecked()).toBe(true)
  await toggle.uncheck()
  expect(await (await openSwitch()).isChecked()).toBe(false)
})

test('what an administrator requires stays on, of reverse shares too', async () => {
  await choose('Required')
  const toggle = await openSwitch()
  expect(await toggle.isChecked()).toBe(true)
  expect(await toggle.isDisabled()).toBe(true)
  const { page } = owner
  const file = { name: 'roof.txt', mimeType: 'text/plain', buffer: Buffer.from('two weeks') }
  await page.getByLabel('Files to upload').setInputFiles(file)
  await shareButton(page).click()
  expect(await finishShare(page)).toMatch(/#k=/)
  await page.goto('/account/reverseShares?create')
  const ofReverseShares = page.getByRole('switch', { name: 'End-to-end encryption' })
  await ofReverseShares.waitFor()
  expect(await ofReverseShares.isChecked()).toBe(true)
  expect(await ofReverseShares.isDisabled()).toBe(true)
})

test('where an administrator turned it off, nobody is offered it', async () => {
  await choose('Off')
  const { page } = owner
  await page.goto('/upload')
  await page.getByRole('heading', { name: 'Drop files or folders here' }).waitFor()
  expect(await page.getByRole('switch', { name: 'End-to-end encryption' }).count()).toBe(0)
  await page.goto('/account/reverseShares?create')
  await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).waitFor()
  expect(await page.getByRole('switch', { name: 'End-to-end encryption' }).count()).toBe(0)
})

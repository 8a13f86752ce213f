import { beforeAll, expect, test } from 'vitest'
import type { Member, Visitor } from '../harness/journey.ts'
import { makeReverseShare } from '../harness/reverse-shares.ts'
import { useJourney } from '../harness/use-journey.ts'

const journey = useJourney()
let admin: Visitor
let owner: Member
let token: string

beforeAll(async () => {
  admin = await journey.visitAsAdministrator()
  owner = await journey.visitAsMember()
  token = await makeReverseShare(owner.context.request, { name: 'Quotes' })
})

async function choose(choice: string) {
  const { page } = admin
  await page.goto('/admin/config/share')
  await page.getByLabel('Reverse shares', { exact: true }).selectOption(choice)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Configuration saved').waitFor()
}

test('the short form is asked of all senders, and left to no owner, once it is forced', async () => {
  await choose('Short form')
  const sender = await journey.visit()
  await sender.page.goto(`/upload/${token}`)
  const file = { name: 'roof.txt', mimeType: 'text/plain', buffer: Buffer.from('two weeks') }
  await sender.page.getByLabel('Files to upload').setInputFiles(file)
  await sender.page.getByLabel('Subject').waitFor()
  await sender.leave()

  const { page } = owner
  await page.goto('/account/reverseShares?create')
  const dialog = page.getByRole('dialog', { name: 'Create reverse share' })
  await dialog.getByRole('button', { name: 'More options' }).click()
  await dialog.getByLabel('Ask the sender for a name').waitFor()
  expect(await dialog.getByLabel('Short form').count()).toBe(0)
})

test('switched off, links say so, menus do not lead there, and what there is stays', async () => {
  await choose('Off')
  journey.problems.expectRefusals({
    path: new RegExp(`^/api/reverseShares/${token}$`),
    status: 403,
  })
  const sender = await journey.visit()
  await sender.page.goto(`/upload/${token}`)
  await sender.page.getByRole('heading', { name: 'This link is switched off' }).waitFor()
  await sender.leave()

  const { page } = owner
  await page.goto('/account/reverseShares?create')
  await page.getByRole('alert').getByText('Reverse shares are switched off').waitFor()
  await page.getByRole('row', { name: /Quotes/ }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('button', { name: 'Shares', exact: true }).click()
  await page.getByRole('menuitem', { name: 'My shares' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Reverse shares' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Create', exact: true }).count()).toBe(0)
})

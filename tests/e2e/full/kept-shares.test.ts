import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import type { Member } from '../harness/journey.ts'
import { makeShare } from '../harness/shares.ts'
import { useJourney } from '../harness/use-journey.ts'

const journey = useJourney()
let owner: Member
let id: string

beforeAll(async () => {
  owner = await journey.visitAsMember()
  id = await makeShare(owner.context.request, {
    name: 'Harbour House',
    files: { 'plan.txt': 'a plan' },
  })
})

test('an administrator has files kept for some days after they expire', async () => {
  const { page } = await journey.visitAsAdministrator()
  await page.goto('/admin/config/share')
  await page.getByLabel('Keep files after expiration', { exact: true }).fill('30')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Configuration saved').waitFor()
})

test('a share expires for its visitors, and its owner revives it with a new expiration', async () => {
  const expiration = new Date(Date.now() + 2_000).toISOString()
  await owner.context.request.patch(`/api/shares/${id}`, { data: { expiration } })
  journey.problems.expectRefusals({ path: new RegExp(`^/api/shares/${id}`), status: 404 })
  const visitor = await journey.visit()
  await expect
    .poll(async () => {
      await visitor.page.goto(`/s/${id}`)
      return visitor.page.getByRole('heading', { name: 'Share not found' }).count()
    })
    .toBe(1)

  const { page } = owner
  await page.goto('/account/shares')
  const row = page.getByRole('row').filter({ hasText: id })
  await row.getByText(/^Expired, kept until /).waitFor()
  await row.getByRole('link', { name: 'Harbour House', exact: true }).click()
  await page.getByRole('heading', { name: 'Edit Harbour House' }).waitFor()
  await page.getByText(/^Expired, kept until /).waitFor()
  expect(await page.getByText('Append files').count()).toBe(0)
  await page.goBack()

  await row.getByRole('button', { name: 'Revive Harbour House' }).click()
  const dialog = page.getByRole('dialog', { name: 'Revive Harbour House' })
  await dialog.getByLabel('Expires in').fill('3')
  await dialog.getByText(/^This share expires on /).waitFor()
  await dialog.getByRole('button', { name: 'Revive', exact: true }).click()
  await page.getByText('Share revived').waitFor()
  await dialog.waitFor({ state: 'hidden' })
  await row.getByRole('button', { name: 'Link to Harbour House' }).waitFor()
  expect(await row.getByText(/^Expired/).count()).toBe(0)

  await visitor.page.goto(`/s/${id}`)
  await visitor.page.getByRole('heading', { name: 'Harbour House' }).waitFor()
  const [download] = await Promise.all([
    visitor.page.waitForEvent('download'),
    visitor.page.getByRole('link', { name: 'Download' }).first().click(),
  ])
  expect(await readFile(await download.path(), 'utf8')).toBe('a plan')
})

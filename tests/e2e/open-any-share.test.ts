import { beforeAll, expect, test } from 'vitest'
import type { Member, Visitor } from './harness/journey.ts'
import { makeShare } from './harness/shares.ts'
import { useJourney } from './harness/use-journey.ts'

const journey = useJourney()
let admin: Visitor
let owner: Member
let id: string

beforeAll(async () => {
  admin = await journey.visitAsAdministrator()
  owner = await journey.visitAsMember()
  const files = { 'plan.txt': 'a plan', 'roof.txt': 'a roof' }
  id = await makeShare(owner.context.request, { password: 'puffin-7', files })
})

test('an administrator opens the share of somebody else once that is on, and the log tells', async () => {
  const { page } = admin
  const list = `/admin/shares?search=${id}`
  const open = page.getByRole('button', { name: `Open ${id} (written to the audit log)` })
  await page.goto(list)
  await page.getByRole('link', { name: id }).waitFor()
  expect(await open.count()).toBe(0)

  await page.goto('/admin/config/share')
  await page.getByLabel('Administrators may open all shares').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Configuration saved').waitFor()

  await page.goto(list)
  await open.click()
  await page.waitForURL(new RegExp(`/share/${id}$`))
  await page.getByText('plan.txt').first().waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  const seen = await owner.context.request.get(`/api/shares/${id}/from-owner`)
  expect(await seen.json()).toMatchObject({ views: 0 })

  await page.goto(`/admin/audit?target=${id}`)
  await expect
    .poll(
      async () => {
        await page.reload()
        await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor()
        return page.getByRole('cell', { name: "Another user's share opened" }).count()
      },
      { timeout: 30_000 },
    )
    .toBe(1)
})

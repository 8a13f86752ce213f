import { beforeAll, expect, test } from 'vitest'
import { enrol } from '../harness/authenticator.ts'
import { configure, nameOf, newPerson, signIn, signUp } from '../harness/people.ts'
import { useOwnFloe } from '../harness/use-journey.ts'

const journey = useOwnFloe()

beforeAll(() => {
  journey.problems.expectRefusals(
    { path: /^\/api\/auth\/sign(Up|In)$/, status: 403 },
    { path: /^\/api\//, status: 403 },
  )
})

test('who signs up waits, and gets in once an administrator has approved the account', async () => {
  const admin = await journey.visitAsAdministrator()
  await configure(admin, { 'general.requireApproval': true })
  const { context, page } = await journey.visit()
  const person = newPerson()
  await signUp(page, person)
  await page.getByRole('heading', { name: 'Your account waits for approval' }).waitFor()
  await page.goto('/auth/signIn')
  await signIn(page, person)
  await page.getByRole('alert').getByText('An administrator has to approve your').waitFor()

  await admin.page.goto(`/admin/users?search=${person.username}`)
  await admin.page.getByText('Waiting for approval').waitFor()
  await admin.page.getByRole('button', { name: `Approve ${person.username}` }).click()
  await admin.page.getByText('User approved').waitFor()
  await expect.poll(() => admin.page.getByText('Waiting for approval').count()).toBe(0)

  await page.goto('/auth/signIn')
  await signIn(page, person)
  await page.waitForURL('**/upload')
  expect(await nameOf({ context })).toBe(person.username)
  await configure(admin, { 'general.requireApproval': '' })
})

test('who lacks a second factor is led to set one up, and then on', async () => {
  const admin = await journey.visitAsAdministrator()
  const member = await journey.visitAsMember()
  const { page } = member
  await configure(admin, { 'general.secondFactor': 'everybody' })
  await page.goto('/account/shares')
  await page.waitForURL('**/account')
  await page.getByText('You need a second factor here.').waitFor()
  expect(await page.getByRole('heading', { name: 'Devices' }).count()).toBe(0)

  await enrol(member, member.person)
  await page.goto('/account/shares')
  await page.getByRole('heading', { name: 'My shares' }).waitFor()
})

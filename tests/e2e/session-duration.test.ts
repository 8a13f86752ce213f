import { expect, test } from 'vitest'
import { nameOf, newPerson, signUp } from './harness/people.ts'
import { useOwnFloe } from './harness/use-journey.ts'

const journey = useOwnFloe()

test('a browser stays signed in as long as the session duration says', async () => {
  const admin = await journey.visitAsAdministrator()
  await admin.page.goto('/admin/config/general')
  await admin.page.getByLabel('Unit of Session duration').selectOption('hour')
  await admin.page.getByLabel('Session duration', { exact: true }).fill('2')
  await admin.page.getByRole('button', { name: 'Save' }).click()
  await admin.page.getByRole('alert').getByText('Configuration saved').waitFor()

  const { context, page, leave } = await journey.visit()
  const person = newPerson()
  await signUp(page, person)
  await page.waitForURL('**/upload')
  expect(await nameOf({ context })).toBe(person.username)
  const tokens = (await context.cookies()).filter(({ name }) => name.endsWith('_token'))
  expect(tokens).toHaveLength(2)
  for (const { expires } of tokens) {
    expect(Math.abs(expires - Date.now() / 1000 - 2 * 3_600)).toBeLessThan(120)
  }
  await leave()
})

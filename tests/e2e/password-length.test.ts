import { expect, test } from 'vitest'
import { newPerson, signUp } from './harness/people.ts'
import { useOwnFloe } from './harness/use-journey.ts'

// A Floe of its own: others sign up with shorter passwords.
const journey = useOwnFloe()

test('new passwords are as long as the administrator wants', async () => {
  const admin = await journey.visitAsAdministrator()
  const { page } = admin
  await page.goto('/admin/config/general')
  await page.getByLabel('Minimum password length').fill('30')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Configuration saved').waitFor()
  await admin.leave()

  const visitor = await journey.visit()
  const person = newPerson()
  await signUp(visitor.page, person)
  await visitor.page.getByText('Must be at least 30 characters').waitFor()
  const refused = await visitor.context.request.post('/api/auth/signUp', { data: person })
  expect(await refused.json()).toMatchObject({ code: 'password_too_short' })
  await signUp(visitor.page, { ...person, password: 'a password that is thirty long' })
  await visitor.page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
  await visitor.leave()
})

import { expect, test } from 'vitest'
import { useOwnFloe } from './harness/use-journey.ts'

const journey = useOwnFloe()

test('people whose browser asks for no language that there is get the one of the site', async () => {
  const admin = await journey.visitAsAdministrator()
  await admin.page.goto('/admin/config/general')
  await admin.page.getByLabel('Default language').selectOption('Deutsch')
  await admin.page.getByRole('button', { name: 'Save' }).click()
  await admin.page.getByRole('alert').getByText('Configuration saved').waitFor()

  const stranger = await journey.visit({ locale: 'et-EE' })
  await stranger.page.goto('/auth/signIn')
  await stranger.page.getByRole('heading', { name: 'Willkommen zurück' }).waitFor()
  expect(await stranger.page.locator('html').getAttribute('lang')).toBe('de')
  await stranger.leave()

  const asking = await journey.visit({ locale: 'fr-FR' })
  await asking.page.goto('/auth/signIn')
  await expect.poll(() => asking.page.locator('html').getAttribute('lang')).toBe('fr')
  await asking.leave()
  expect(await admin.page.locator('html').getAttribute('lang')).toBe('en')
})

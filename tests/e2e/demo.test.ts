import { expect, test } from 'vitest'
import { useOwnFloe } from './harness/use-journey.ts'

const journey = useOwnFloe({ isDemo: true, environment: { DEMO: '1' } })

test('a visitor reads on every page when all is deleted, signs in as the banner says, and cannot let it send mail', async () => {
  const { page, open, leave } = await journey.visit()
  const banner = page.getByRole('complementary', { name: 'This is a demo.' })
  await open('/')
  await expect.poll(() => banner.innerText()).toMatch(/deleted in \d+ minutes?\./)
  const [, username = '', password = ''] =
    /Administrator: (\S+) Password: (\S+) No email is sent/.exec(await banner.innerText()) ?? []

  await open('/auth/signIn')
  await page.getByLabel('Email or username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/upload')
  await page.getByRole('button', { name: 'Account menu' }).waitFor()

  for (const path of ['/account', '/admin/config/smtp', '/admin/users']) {
    await open(path)
    await banner.waitFor()
  }
  await open('/admin/config/smtp')
  expect(await page.getByLabel('Host').isDisabled()).toBe(true)
  await leave()
})

test('the banner is there before any script runs, in the language of the visitor', async () => {
  const { page, open, leave } = await journey.visit({ javaScriptEnabled: false, locale: 'de' })
  await open('/')
  await page.getByText('Dies ist eine Demo.').waitFor()
  await leave()
})

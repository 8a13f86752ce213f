import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { nameOf, newPerson, signIn, signUp } from './harness/people.ts'
import { useOwnFloe } from './harness/use-journey.ts'

const file = join(tmpdir(), `floe-config-${process.pid}.yaml`)

// As Pingvin Share ships it, shortened.
const config = `
general:
  #Name of the application
  appName: "Harbour"
  secureCookies: "false"
share:
  allowRegistration: "true"
  maxExpiration: "7 days"
legal:
  enabled: "true"
  imprintText: "Ann Example"
cache:
  redis-enabled: "false"
initUser:
  enabled: true
  username: "skipper"
  email: "skipper@example.org"
  password: "a long enough password"
  isAdmin: false
  ldapDN: ""
`

const journey = useOwnFloe(async () => {
  await writeFile(file, config)
  return { environment: { SETTINGS_FILE: file }, isNew: true }
})

afterAll(() => rm(file, { force: true }))

test('config.yaml fixes settings, and its first user administrates', async () => {
  const { page, context } = await journey.visit()
  await page.goto('/auth/signIn')
  await signIn(page, {
    username: 'skipper',
    email: 'skipper@example.org',
    password: 'a long enough password',
  })
  await page.getByRole('button', { name: 'Account menu' }).waitFor()
  expect(await nameOf({ context })).toBe('skipper')
  await page.goto('/admin/config/general')
  const name = page.getByLabel('App name')
  expect([await name.inputValue(), await name.isDisabled()]).toEqual(['Harbour', true])
  await page.goto('/admin/config/share')
  expect(await page.getByLabel('Maximum expiration', { exact: true }).inputValue()).toBe('1')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Imprint' }).waitFor()

  const other = await journey.visit()
  await signUp(other.page, newPerson())
  await other.page.waitForURL('**/upload')
  expect((await other.context.request.get('/api/users')).status()).toBe(403)
  await other.leave()
})

import { type LdapServer, startLdapServer } from '@floe/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Visitor } from '../harness/journey.ts'
import { configure, nameOf, newPerson, signIn } from '../harness/people.ts'
import { useJourney } from '../harness/use-journey.ts'

const journey = useJourney()
let ldap: LdapServer
let admin: Visitor

beforeAll(async () => {
  ldap = await startLdapServer()
  admin = await journey.visitAsAdministrator()
  journey.problems.expectRefusals(
    { path: /^\/api\/auth\/directory\/check$/, status: 400 },
    { path: /^\/api\/auth\/directory\/check$/, status: 404 },
    { path: /^\/api\/auth\/signIn$/, status: 401 },
    { path: /^\/api\/auth\/signIn$/, status: 503 },
  )
})

afterAll(async () => {
  if (admin) await configure(admin, { 'ldap.enabled': false })
  await ldap?.close()
})

async function save(page: Page): Promise<void> {
  const reread = page.waitForResponse(
    (response) => response.request().method() === 'GET' && response.url().endsWith('/admin/ldap'),
  )
  await page.getByRole('button', { name: 'Save' }).click()
  await reread
  await page.getByRole('alert').getByText('Configuration saved').first().waitFor()
}

test('a directory entered and tried on the page lets its people in, and says so on their account', async () => {
  const person = newPerson()
  const { username: uid, email: mail, password } = person
  const dn = await ldap.addPerson({ uid, mail, password })
  await admin.open('/admin/config/ldap')
  const { page: settings } = admin
  await settings.getByLabel('Enabled').check()
  await settings.getByLabel('Address').fill(ldap.tlsUrl)
  await settings.getByLabel('Account for searching').fill(ldap.bindDn)
  await settings.getByLabel('Password of this account').fill(ldap.bindPassword)
  await settings.getByLabel('Search base').fill(ldap.base)
  await settings.getByLabel('Attribute for email').fill('mail')
  await save(settings)
  const tryIt = settings.getByRole('button', { name: 'Try LDAP' })
  await tryIt.click()
  await settings
    .getByText(/certificate/)
    .last()
    .waitFor()
  await settings.getByText('LDAP could not be checked').waitFor()
  await settings.getByLabel('Certificate of the authority').fill(ldap.authority)
  await save(settings)
  await tryIt.click()
  await settings.getByText('LDAP accepted these credentials').waitFor()
  await settings.getByText(`${dn} · ${mail}`).waitFor()
  const username = settings.getByLabel('Username (optional)')
  await username.fill(`not.${uid}`)
  await username.press('Enter')
  await settings.getByText('The directory finds nobody by this name').waitFor()
  await username.fill(uid)
  await username.press('Enter')
  await settings.getByText('In no group').waitFor()
  await settings.getByText(`${dn} · ${mail}`).waitFor()

  const visitor = await journey.visit()
  const { page } = visitor
  await page.goto('/auth/signIn')
  await signIn(page, { ...person, password: 'wrong' })
  await page.getByText('Wrong email, username or password').waitFor()
  await signIn(page, person)
  await page.getByRole('button', { name: 'Account menu' }).waitFor()
  expect(await nameOf(visitor)).toBe(uid)
  await page.goto('/account')
  await page.getByText('This account comes from a directory.').waitFor()
  await expect.poll(() => page.getByRole('heading', { name: 'Password' }).count()).toBe(0)
  await visitor.leave()

  await ldap.stop()
  const late = await journey.visit()
  await late.page.goto('/auth/signIn')
  await signIn(late.page, person)
  await late.page.getByText('The directory cannot be reached right now.').waitFor()
  await late.leave()
})

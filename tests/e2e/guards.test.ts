import { beforeAll, expect, test } from 'vitest'
import type { Visitor } from './harness/journey.ts'
import { configure, newPerson, signIn, signUp } from './harness/people.ts'
import { useJourney } from './harness/use-journey.ts'

const member = newPerson()

const journey = useJourney()
let admin: Visitor

beforeAll(async () => {
  admin = await journey.visitAsAdministrator()
})

test('a later account is no administrator and lands on the upload page', async () => {
  const { page, leave } = await journey.visit()
  await signUp(page, member)
  await page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
  await page.goto('/admin')
  await page.waitForURL('**/upload')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'My account' }).waitFor()
  await expect
    .poll(() => page.getByRole('menuitem', { name: 'Administration' }).isVisible())
    .toBe(false)
  await leave()
})

test('a wrong password is refused, the right one leads to the page that was asked for', async () => {
  journey.problems.expectRefusals({ path: /^\/api\/auth\/signIn$/, status: 401 })
  const { page, leave } = await journey.visit()
  await page.goto('/account/shares')
  await page.waitForURL('**/auth/signIn?redirect=%2Faccount%2Fshares')
  await signIn(page, { ...member, password: 'not my password' })
  await page.getByRole('alert').getByText('Wrong email, username or password').waitFor()
  await signIn(page, member)
  await page.getByRole('heading', { name: 'My shares' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/account/shares')
  await leave()
})

test('a redirect never leaves the site', async () => {
  for (const evil of ['//evil.example', 'https://evil.example', '/\\evil.example']) {
    const { page, leave } = await journey.visit()
    const address = `/auth/signIn?redirect=${encodeURIComponent(evil)}`
    await page.goto(address)
    await signIn(page, member)
    await page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
    // The other way in: whoever is signed in already is sent on at once.
    await page.goto(address)
    await page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
    expect(new URL(page.url()).origin).toBe(journey.floe.url)
    await leave()
  }
})

test('strangers reach the public pages only, and the upload page once that is allowed', async () => {
  const stranger = await journey.visit()
  for (const path of ['/upload', '/account', '/account/shares', '/admin', '/admin/config/share']) {
    await stranger.page.goto(path)
    await stranger.page.waitForURL(`**/auth/signIn?redirect=${encodeURIComponent(path)}`)
  }
  await configure(admin, { 'share.allowUnauthenticatedShares': true })
  await stranger.page.goto('/upload')
  await stranger.page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
  await configure(admin, {
    'share.allowUnauthenticatedShares': false,
    'share.allowRegistration': false,
  })
  await stranger.page.goto('/auth/signUp')
  await stranger.page.getByRole('heading', { name: /^Send files of any size/ }).waitFor()
  await expect
    .poll(() => stranger.page.getByRole('link', { name: 'Sign up' }).isVisible())
    .toBe(false)
  await stranger.leave()
})

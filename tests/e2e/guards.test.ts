import { beforeAll, expect, test } from 'vitest'
import { type Person, signIn } from './harness/people.ts'
import { useJourney } from './harness/use-journey.ts'

const journey = useJourney()
let member: Person

beforeAll(async () => {
  const visitor = await journey.visitAsMember()
  member = visitor.person
  await visitor.leave()
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
  const { page, leave } = await journey.visit()
  const address = `/auth/signIn?redirect=${encodeURIComponent('/\\evil.example')}`
  await page.goto(address)
  await signIn(page, member)
  await page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
  // The other way in: a user who is signed in already is sent on at once.
  await page.goto(address)
  await page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
  expect(new URL(page.url()).origin).toBe(journey.floe.url)
  await leave()
})

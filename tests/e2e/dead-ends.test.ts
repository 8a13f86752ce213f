import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Journey, startJourney, type Visitor } from './harness/journey.ts'
import { join } from './harness/people.ts'
import { makeShare } from './harness/shares.ts'

const files = { 'note.txt': 'Hello' }

let journey: Journey
let owner: Visitor

beforeAll(async () => {
  journey = await startJourney()
  // The first account is the administrator's, whom home would ask to set the place up.
  await join(await journey.visit())
  owner = await journey.visit()
  await join(owner)
})

afterEach((context) => journey.conclude(context))

afterAll(() => journey?.end())

async function expectDeadEnd(path: string, title: string, text: string | RegExp): Promise<Visitor> {
  const visitor = await journey.visit()
  await visitor.page.goto(path)
  await visitor.page.getByRole('heading', { name: title, level: 1 }).waitFor()
  await visitor.page.getByText(text).waitFor()
  return visitor
}

test('a share opened as often as allowed tells the next visitor so', async () => {
  const id = await makeShare(owner.context.request, { maxViews: 1, files })
  journey.problems.expectRefusals({ path: /\/token$/, status: 403 })
  const first = await journey.visit()
  await first.page.goto(`/s/${id}`)
  await first.page.getByRole('button', { name: 'note.txt', exact: true }).waitFor()
  const second = await expectDeadEnd(`/s/${id}`, 'Visitor limit exceeded', /as often as its owner/)
  await second.page.getByRole('link', { name: 'Bring me home' }).click()
  await second.page.getByRole('heading', { name: /^Send files of any size/ }).waitFor()
  // Whoever was let in stays in.
  await first.page.reload()
  await first.page.getByRole('button', { name: 'note.txt', exact: true }).waitFor()
  await Promise.all([first.leave(), second.leave()])
})

test('an unknown link is told apart from an unknown page', async () => {
  journey.problems.expectRefusals({ path: /^\/api\/shares\/never-made$/, status: 404 })
  journey.problems.expectRefusals({ path: /^\/no\/such\/page$/, status: 404 })
  const share = await expectDeadEnd('/share/never-made', 'Share not found', /It may have expired/)
  await share.leave()
  await owner.page.goto('/no/such/page')
  await owner.page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await owner.page.getByRole('link', { name: 'Bring me home' }).click()
  await owner.page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
})

test('an expired share is not found any more', async () => {
  const id = await makeShare(owner.context.request, { files })
  journey.problems.expectRefusals({ path: new RegExp(`^/api/shares/${id}(/token)?$`), status: 404 })
  const expiration = new Date(Date.now() + 3000).toISOString()
  const answer = await owner.context.request.patch(`/api/shares/${id}`, { data: { expiration } })
  expect(answer.status()).toBe(200)
  const visitor = await journey.visit()
  await expect
    .poll(
      async () => {
        await visitor.page.goto(`/s/${id}`)
        return visitor.page.getByRole('heading', { level: 1 }).innerText()
      },
      { timeout: 30_000 },
    )
    .toBe('Share not found')
  await visitor.leave()
})

test('a server that cannot answer is an unknown error with another try', async () => {
  const id = await makeShare(owner.context.request, { files })
  const path = new RegExp(`^/api/shares/${id}$`)
  journey.problems.expectRefusals({ path, status: 500 })
  const visitor = await journey.visit()
  const broken = { status: 500, json: { statusCode: 500, message: 'Internal server error' } }
  await visitor.page.route(
    ({ pathname }) => path.test(pathname),
    (route) => route.fulfill(broken),
  )
  await visitor.page.goto(`/share/${id}`)
  await visitor.page.getByRole('heading', { name: 'An unknown error occurred' }).waitFor()
  await visitor.page.unrouteAll()
  await visitor.page.getByRole('button', { name: 'Try again' }).click()
  await visitor.page.getByRole('button', { name: 'note.txt', exact: true }).waitFor()
  await visitor.leave()
})

test('the error page says what failed and leads back inside the site only', async () => {
  const { page } = owner
  await page.goto('/error?error=no_user&params=provider_github&redirect=%2Faccount')
  await page.getByRole('heading', { name: 'Something went wrong' }).waitFor()
  await page.getByText(/^No user here is linked to this GitHub account/).waitFor()
  await page.getByRole('link', { name: 'Go back' }).click()
  await page.getByRole('heading', { name: 'My account' }).waitFor()
  for (const evil of [
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    'javascript:x',
  ]) {
    await page.goto(`/error?error=${randomUUID()}&redirect=${encodeURIComponent(evil)}`)
    expect(await page.getByRole('link', { name: 'Go back' }).getAttribute('href')).toBe('/')
  }
})

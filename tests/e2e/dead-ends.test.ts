import { makeSentences } from '@floe/testing'
import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join as joinPath } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runCommand } from '../acceptance/world/command.ts'
import type { Visitor } from './harness/journey.ts'
import { configure } from './harness/people.ts'
import { makeShare } from './harness/shares.ts'
import { useOwnFloe } from './harness/use-journey.ts'

const files = { 'note.txt': 'Hello' }

const journey = useOwnFloe()
let admin: Visitor
let owner: Visitor

beforeAll(async () => {
  admin = await journey.visitAsAdministrator()
  owner = await journey.visitAsMember()
})

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
  const second = await expectDeadEnd(
    `/s/${id}`,
    'Visitor limit exceeded',
    'This share has been opened as often as its owner allows.',
  )
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
  const share = await expectDeadEnd(
    '/share/never-made',
    'Share not found',
    'There is no share at this address. It may have expired.',
  )
  await share.leave()
  await owner.page.goto('/no/such/page')
  await owner.page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await owner.page.getByText('The page you are looking for does not exist.').waitFor()
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

test('a share that is gone meanwhile can neither be edited nor saved', async () => {
  const [first, second] = await Promise.all([
    makeShare(owner.context.request, { files }),
    makeShare(owner.context.request, { files }),
  ])
  for (const id of [first, second]) {
    journey.problems.expectRefusals({ path: new RegExp(`^/api/shares/${id}(/.*)?$`), status: 404 })
  }
  const { page, context } = owner
  await page.goto('/account/shares')
  const other = await context.newPage()
  await other.goto('/account/shares')
  const deleteElsewhere = async (id: string) => {
    await other.getByRole('button', { name: `Delete ${id}` }).click()
    await other.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await other.getByRole('alert').getByText('Share deleted').first().waitFor()
    await other.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await page.getByRole('link', { name: `Edit ${first}` }).waitFor()
  await deleteElsewhere(first)
  await page.getByRole('link', { name: `Edit ${first}` }).click()
  await page.getByRole('heading', { name: 'Share not found', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Back to my shares' }).click()
  await page.getByRole('link', { name: `Edit ${second}` }).click()
  await page.getByRole('heading', { name: `Edit ${second}` }).waitFor()
  await page.getByRole('heading', { name: 'Append files' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Too late')
  await deleteElsewhere(second)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('Share not found').waitFor()
  await other.close()
})

test('somebody else’s share cannot be edited, and says so', async () => {
  const id = await makeShare(owner.context.request, { files })
  journey.problems.expectRefusals({ path: new RegExp(`^/api/shares/${id}/`), status: 403 })
  const stranger = await journey.visitAsMember()
  await stranger.open(`/share/${id}/edit`)
  await stranger.page.getByRole('heading', { name: 'Something went wrong', level: 1 }).waitFor()
  await stranger.page.getByText('You are not allowed to do this').waitFor()
  await stranger.page.getByRole('link', { name: 'Back to my shares' }).click()
  await stranger.page.getByRole('heading', { name: 'No shares yet' }).waitFor()
  await stranger.leave()
})

test('all files come at once only when their archive has been prepared', async () => {
  await configure(admin, { 'share.zipCompressionLevel': 9 })
  const text = makeSentences(20_000_000, 1)
  const id = await makeShare(owner.context.request, { files: { 'a.txt': text, 'b.txt': text } })
  const { page, leave } = await journey.visit()
  await page.goto(`/s/${id}`)
  await page.getByRole('button', { name: /^(Download all|Preparing)/ }).click()
  const patience = 'The share is being prepared, try again in a few minutes'
  await page.getByRole('alert').getByText(patience).waitFor()
  await page.getByRole('button', { name: /^Preparing(, \d+%| the archive)$/ }).waitFor()
  // One file waits for nothing.
  await page.getByRole('link', { name: 'Download a.txt' }).waitFor()
  await page.getByRole('link', { name: 'Download all' }).waitFor({ timeout: 120_000 })
  await configure(admin, { 'share.zipCompressionLevel': 0 })
  await leave()
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
  await visitor.page.getByText('The share could not be opened.').waitFor()
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
  await page.goto('/error?error=access_denied')
  await page.getByText('You cancelled the sign-in with another service.').waitFor()
  await page.goto('/error')
  await page.getByText('An unknown error occurred. Try again in a moment.').waitFor()
  for (const evil of [
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    'javascript:x',
  ]) {
    await page.goto(`/error?error=${randomUUID()}&redirect=${encodeURIComponent(evil)}`)
    await expect
      .poll(() => page.getByRole('link', { name: 'Go back' }).getAttribute('href'))
      .toBe('/')
  }
})

test('a share whose files were lost was removed, and says so', async () => {
  const id = await makeShare(owner.context.request, { files })
  journey.problems.expectRefusals({ path: new RegExp(`^/api/shares/${id}(/.*)?$`), status: 404 })
  const objects = journey.objectsDirectory
  for (const name of await readdir(objects)) {
    await rm(joinPath(objects, name), { recursive: true, force: true })
  }
  const { lines } = await runCommand('verify', journey.environment, '--repair')
  expect(lines.join('\n')).toContain('repaired')
  const visitor = await expectDeadEnd(
    `/s/${id}`,
    'Share removed',
    'The files of this share were lost',
  )
  await visitor.page.getByRole('link', { name: 'Bring me home' }).click()
  await visitor.page.getByRole('heading', { name: /^Send files of any size/ }).waitFor()
  await visitor.leave()
})

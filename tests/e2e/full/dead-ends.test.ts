import { makeSentences } from '@floe/testing'
import { beforeAll, expect, test } from 'vitest'
import type { Visitor } from '../harness/journey.ts'
import { configure } from '../harness/people.ts'
import { makeShare } from '../harness/shares.ts'
import { useOwnFloe } from '../harness/use-journey.ts'

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
  await second.page.getByRole('link', { name: 'Go to home page' }).click()
  await second.page.getByRole('heading', { name: /^Send files of any size/ }).waitFor()
  // A visitor who was let in stays in.
  await first.page.reload()
  await first.page.getByRole('button', { name: 'note.txt', exact: true }).waitFor()
  await Promise.all([first.leave(), second.leave()])
})

test('a share that is gone or closed while somebody looks at it says so at the next touch', async () => {
  const { request } = owner.context
  const [deleted, locked] = await Promise.all([
    makeShare(request, { files: { ...files, 'list.txt': 'not seen yet' } }),
    makeShare(request, { files }),
  ])
  journey.problems.expectRefusals({ path: /^\/api\/shares\//, status: 404 })
  journey.problems.expectRefusals({ path: /^\/api\/shares\//, status: 403 })
  const visitor = await journey.visit()
  const { page } = visitor
  await page.goto(`/s/${deleted}`)
  const list = page.getByRole('button', { name: 'list.txt', exact: true })
  await list.waitFor()
  expect((await request.delete(`/api/shares/${deleted}`)).ok()).toBe(true)
  await list.click()
  await page.getByRole('heading', { name: 'Share not found', level: 1 }).waitFor()

  await page.goto(`/s/${locked}`)
  const download = page.getByRole('link', { name: 'Download', exact: true })
  await download.waitFor()
  const terms = { security: { password: 'geheim genug' } }
  expect((await request.patch(`/api/shares/${locked}`, { data: terms })).ok()).toBe(true)
  await download.click()
  await page.getByRole('dialog', { name: 'Password required' }).waitFor()
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

test('a server that cannot respond is an unknown error with another try', async () => {
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

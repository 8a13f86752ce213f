import { readFile } from 'node:fs/promises'
import { startSmtpCatcher, type SmtpCatcher } from '@floe/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Visitor } from '../harness/journey.ts'
import { configure, type Person } from '../harness/people.ts'
import { makeShare } from '../harness/shares.ts'
import { useOwnFloe } from '../harness/use-journey.ts'

const journey = useOwnFloe()
let admin: Visitor
let page: Page
let catcher: SmtpCatcher
let person: Person

beforeAll(async () => {
  catcher = await startSmtpCatcher()
  admin = await journey.visitAsAdministrator()
  page = admin.page
  const member = await journey.visitAsMember()
  person = member.person
  await makeShare(member.context.request, { id: 'fjord', name: '=1+1', files: { 'a.txt': 'a' } })
  await member.leave()
  const deleted = await admin.context.request.delete('/api/shares/fjord')
  expect(deleted.ok()).toBe(true)
  await configure(admin, {
    'smtp.enabled': true,
    'smtp.host': catcher.host,
    'smtp.port': catcher.port,
    'smtp.email': 'floe@example.org',
  })
})

afterAll(() => catcher?.stop())

const rows = () => page.getByRole('row')

test('the log is narrowed down, the address keeps how, and a link leads back', async () => {
  await page.goto('/admin')
  await page.getByRole('link', { name: /^Audit log/ }).click()
  await rows().filter({ hasText: "Another user's share deleted" }).waitFor()
  const entry = rows().filter({ hasText: 'fjord' })
  await expect
    .poll(() => entry.getByRole('cell').allInnerTexts())
    .toEqual(expect.arrayContaining(['=1+1 (fjord)', 'admin', '127.0.0.1']))
  await page.getByLabel('User', { exact: true }).fill(person.username)
  await expect.poll(() => rows().filter({ hasText: 'fjord' }).count()).toBe(0)
  await rows().filter({ hasText: 'Account registered' }).waitFor()
  await page.getByLabel('User', { exact: true }).fill('')
  await page.getByLabel('Action', { exact: true }).selectOption("Another user's share deleted")
  await expect.poll(() => rows().count()).toBe(2)
  await page.reload()
  await page.getByText('1–1 of 1').waitFor()
  await page.getByLabel('Until').fill('2020-01-01')
  await page.getByText('Nothing matches your search.').waitFor()
  await page.getByRole('link', { name: 'Back to administration' }).click()
  await page.getByRole('heading', { name: 'Administration' }).waitFor()
})

test('what matches is downloaded as a table without formulas', async () => {
  await page.goto('/admin/audit?target=fjord')
  await page.getByText('1–1 of 1').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^audit-\d{4}-\d\d-\d\d\.csv$/)
  const text = await readFile(await download.path(), 'utf8')
  expect(text.trimEnd().split('\r\n')).toHaveLength(2)
  expect(text).toContain(`"'=1+1","fjord"`)
})

test('a job that failed tells why, and runs again at a click', async () => {
  catcher.refuse('for good')
  const path = `/api/auth/resetPassword/${encodeURIComponent(person.email)}`
  expect((await admin.context.request.post(path)).status()).toBe(202)
  await expect
    .poll(
      async () => {
        const response = await admin.context.request.get('/api/admin/overview')
        return ((await response.json()) as { jobs: { failed: unknown[] } }).jobs.failed.length
      },
      { timeout: 20_000 },
    )
    .toBe(1)
  await page.goto('/admin')
  await page.getByRole('cell', { name: /No such mailbox here|refused/ }).waitFor()
  catcher.refuse(null)
  await page.getByRole('button', { name: 'Run again' }).click()
  await page.getByRole('alert').getByText('The job will run again').waitFor()
  await catcher.waitForMessages(1, { to: person.email })
  await page.getByRole('button', { name: 'Run again' }).waitFor({ state: 'detached' })
})

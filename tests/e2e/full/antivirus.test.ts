import { type ClamdServer, infectedText, startClamdServer } from '@floe/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Visitor } from '../harness/journey.ts'
import { makeShare } from '../harness/shares.ts'
import { useOwnFloe } from '../harness/use-journey.ts'

let clamd: ClamdServer
// A Floe of its own: it has a scanner.
const journey = useOwnFloe(async () => {
  clamd = await startClamdServer()
  return { environment: { CLAMAV_HOST: clamd.host, CLAMAV_PORT: String(clamd.port) } }
})
let owner: Visitor

beforeAll(async () => {
  owner = await journey.visitAsMember()
})
afterAll(() => clamd?.close())

test('a share waits for the scanner, and then shows what was removed and why', async () => {
  journey.problems.expectRefusals({ path: /^\/api\/shares\//, status: 503 })
  clamd.freeze()
  const files = { 'invoice.txt': infectedText, 'note.txt': 'Hello' }
  const id = await makeShare(owner.context.request, { files })
  await owner.page.goto('/account/shares')
  await owner.page.getByText('Opens after the virus scan').first().waitFor()

  const visitor = await journey.visit()
  const { page } = visitor
  await page.goto(`/s/${id}`)
  await page.getByRole('heading', { name: 'Virus scan in progress', level: 1 }).waitFor()
  clamd.thaw()
  // Nobody touches the page.
  const removed = page.getByText('Removed: contains Eicar-Test-Signature.UNOFFICIAL')
  await removed.waitFor({ timeout: 60_000 })
  await page.getByRole('link', { name: 'Download note.txt' }).waitFor()
  expect(await page.getByRole('link', { name: 'Download invoice.txt' }).count()).toBe(0)
  await page.getByRole('button', { name: 'invoice.txt', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Removed: contains').waitFor()
  expect(await dialog.getByRole('link', { name: 'Download' }).count()).toBe(0)
  await visitor.leave()

  const plain = await journey.visit({ javaScriptEnabled: false })
  await plain.page.goto(`/s/${id}`)
  await plain.page.getByRole('button').click()
  const items = plain.page.locator('noscript li')
  await expect.poll(() => items.first().innerText()).toContain('Removed: contains')
  expect(await items.getByRole('link').allInnerTexts()).toEqual(['note.txt'])
  await plain.leave()
})

test('administrators see what the scanner found, and that it is away', async () => {
  const admin = await journey.visitAsAdministrator()
  await admin.page.goto('/admin')
  await admin.page.getByText('Waiting: 0 · Infected: 1 · Too big: 0').waitFor()
  await clamd.stop()
  await admin.page.reload()
  await admin.page.getByText('The virus scanner cannot be reached.').waitFor()
  await admin.leave()
})

import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makeShare } from '../harness/shares.ts'
import { useJourney } from '../harness/use-journey.ts'

const journey = useJourney()
let token: string
let shareId: string

beforeAll(async () => {
  const { context } = await journey.visitAsMember()
  const made = await context.request.post('/api/tokens', {
    data: { name: 'reader', scopes: ['shares:read'] },
  })
  token = ((await made.json()) as { token: string }).token
  shareId = await makeShare(context.request, { files: { 'a.txt': 'hello' } })
  journey.problems.expectRefusals(
    { path: /^\/api\/shares$/, status: 401 },
    { path: /^\/api\/shares$/, status: 403 },
  )
})

/** The reader, opened by somebody whom the site does not know; its scripts draw it. */
async function openReader(): Promise<Page> {
  const { page } = await journey.visit()
  await page.goto('/api/docs/')
  await page.getByRole('heading', { name: /^Floe/ }).waitFor()
  return page
}

async function authorize(page: Page, given: string): Promise<void> {
  await page.getByRole('button', { name: 'Authorize' }).first().click()
  const scheme = page.locator('.auth-container', { hasText: 'apiToken' })
  await scheme.getByRole('textbox').fill(given)
  await scheme.getByRole('button', { name: 'Apply credentials' }).click()
  await page.getByRole('button', { name: 'Close' }).first().click()
}

/** Tries one route out, and returns where its response is shown. */
async function tryOut(page: Page, method: 'get' | 'post', path: string): Promise<Locator> {
  const operation = page
    .locator(`.opblock-${method}`)
    .filter({ has: page.locator(`[data-path="${path}"]`) })
  await operation.locator('.opblock-summary-control').click()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  await operation.getByRole('button', { name: 'Execute' }).click()
  return operation.locator('.live-responses-table')
}

test('somebody who enters a token tries the API out in its description', async () => {
  const page = await openReader()
  await authorize(page, token)
  const response = await tryOut(page, 'get', '/api/shares')
  await response.locator('.response-col_status', { hasText: '200' }).waitFor()
  expect(await response.innerText()).toContain(shareId)
})

test('without one, and with a wrong one, the reader shows why nothing comes', async () => {
  const page = await openReader()
  const refused = await tryOut(page, 'get', '/api/shares')
  await refused.locator('.response-col_status', { hasText: '403' }).waitFor()
  const other = await openReader()
  await authorize(other, `floe_${'x'.repeat(36)}`)
  const invalid = await tryOut(other, 'get', '/api/shares')
  await invalid.locator('.response-col_status', { hasText: '401' }).waitFor()
  expect(await invalid.innerText()).toContain('token_invalid')
})

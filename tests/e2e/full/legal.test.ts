import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Visitor } from '../harness/journey.ts'
import { makeShare } from '../harness/shares.ts'
import { useOwnFloe } from '../harness/use-journey.ts'

const journey = useOwnFloe()
let admin: Visitor
let share: string

beforeAll(async () => {
  admin = await journey.visitAsAdministrator()
  share = await makeShare(admin.context.request, { files: { 'note.txt': 'Hello' } })
  const { page } = admin
  await page.goto('/admin/config/legal')
  await page.getByLabel('Enabled', { exact: true }).check()
  await page.getByLabel('Imprint', { exact: true }).fill('Ann Example  \nSea Street 1\n\n<b>x</b>')
  await page.getByLabel('Address of the privacy policy').fill(`${journey.floe.url}/api/health`)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('Configuration saved').waitFor()
})

const footer = (page: Page) => page.getByRole('contentinfo')

async function expectFooter(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await footer(page).waitFor()
  const links = footer(page).getByRole('link')
  expect(await links.allInnerTexts(), path).toEqual(['Imprint', 'Privacy policy'])
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  expect(hrefs).toEqual(['/imprint', `${journey.floe.url}/api/health`])
}

test('every page ends with the imprint and the privacy policy, for visitors and for users', async () => {
  const visitor = await journey.visit()
  for (const path of ['/', '/auth/signIn', `/s/${share}`, '/nowhere']) {
    if (path === '/nowhere') journey.problems.expectRefusals({ path: /^\/nowhere$/, status: 404 })
    await expectFooter(visitor.page, path)
  }
  await visitor.leave()
  for (const path of ['/upload', '/account', '/admin', '/admin/config/legal']) {
    await expectFooter(admin.page, path)
  }
})

test('a short page has them at its lower edge, a long one behind its end', async () => {
  const { page, leave } = await journey.visit({ viewport: { width: 390, height: 844 } })
  await page.goto('/imprint')
  await footer(page).waitFor()
  const box = await footer(page).boundingBox()
  expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBe(844)
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const end = await page.getByRole('main').boundingBox()
  expect((await footer(page).boundingBox())?.y).toBeGreaterThanOrEqual(
    Math.floor((end?.y ?? 0) + (end?.height ?? 0)),
  )
  await leave()
})

test('the imprint shows what was written, and no markup of it', async () => {
  const { page, leave } = await journey.visit()
  await page.goto('/')
  await footer(page).getByRole('link', { name: 'Imprint' }).click()
  await page.getByRole('heading', { name: 'Imprint', level: 1 }).waitFor()
  await page.getByText('Sea Street 1').waitFor()
  expect(await page.title()).toBe('Imprint – Floe')
  expect(await page.getByRole('article').locator('b').count()).toBe(0)
  await leave()
})

test('without scripts a page ends with them too, and the imprint can be read', async () => {
  const { page, leave } = await journey.visit({ javaScriptEnabled: false })
  await expectFooter(page, `/s/${share}`)
  await footer(page).getByRole('link', { name: 'Imprint' }).click()
  await page.getByText('Sea Street 1').waitFor()
  await leave()
})

test('nothing is left of them once they are disabled', async () => {
  await admin.page.goto('/admin/config/legal')
  await admin.page.getByLabel('Enabled', { exact: true }).uncheck()
  await admin.page.getByRole('button', { name: 'Save' }).click()
  await footer(admin.page).waitFor({ state: 'detached' })
  journey.problems.expectRefusals({ path: /^\/imprint$/, status: 404 })
  const { page, leave } = await journey.visit()
  const response = await page.goto('/imprint')
  expect(response?.status()).toBe(404)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await leave()
})

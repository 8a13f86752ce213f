import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findViolations } from '../harness/barriers.ts'
import type { Visitor } from '../harness/journey.ts'
import { configure } from '../harness/people.ts'
import { useOwnFloe } from '../harness/use-journey.ts'

const journey = useOwnFloe()
let admin: Visitor

beforeAll(async () => {
  admin = await journey.visitAsAdministrator()
})

const colorOf = (page: Page, selector: string, property = 'background-color') =>
  page.evaluate<string>(
    `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).getPropertyValue('${property}')`,
  )
const save = async () => {
  await admin.page.getByRole('button', { name: 'Save' }).click()
  await admin.page.getByRole('alert').getByText('Configuration saved').last().waitFor()
}

test('an accent color is seen as soon as it is saved, and by everybody from the first paint on', async () => {
  const { page } = admin
  await page.goto('/admin/config/appearance')
  // Beside it is the browser's own field for colors.
  const field = page.getByRole('textbox', { name: 'Accent color' }).last()
  await field.fill('violet')
  await page.getByText('Must be a color such as #1b7ea6').waitFor()
  await field.fill('#7C3AED')
  await save()
  await expect.poll(() => colorOf(page, 'button[type=submit]')).not.toBe('rgb(18, 102, 137)')

  // What the document has drawn without any script.
  const { context, leave } = await journey.visit({ javaScriptEnabled: false })
  const plain = await context.newPage()
  await plain.goto('/')
  expect(await colorOf(plain, ':root', '--floe-accent')).toBe('#722cec')
  await leave()
})

test.each(['light', 'dark'] as const)(
  'texts in an accent color have enough contrast where it is %s',
  async (colorScheme) => {
    for (const color of ['#ffee00', '#ff0000', '#7c3aed']) {
      await configure(admin, { 'appearance.accentColor': color })
      const { page, leave } = await journey.visit({ colorScheme })
      for (const path of ['/', '/auth/signIn', '/auth/signUp']) {
        await page.goto(path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        expect(await findViolations(page), `${color} at ${path}`).toEqual([])
      }
      await leave()
    }
  },
)

test('the color scheme of the site holds until somebody chooses another, without a flash', async () => {
  await configure(admin, { 'appearance.colorScheme': 'dark' })
  const { page, leave } = await journey.visitAsMember({ colorScheme: 'light' })
  const schemeOf = () => page.locator('html').getAttribute('data-mantine-color-scheme')
  await page.goto('/account')
  await expect.poll(schemeOf).toBe('dark')
  expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true)
  const document = await (await page.context().request.get('/account')).text()
  expect(document).toContain('data-mantine-color-scheme="dark"')
  await page.getByText('System', { exact: true }).last().click()
  await expect.poll(schemeOf).toBe('light')
  await page.reload()
  await expect.poll(schemeOf).toBe('light')
  await leave()
  await configure(admin, { 'appearance.colorScheme': '' })
})

test('custom CSS is seen on every page, and its mistakes can be corrected', async () => {
  const { page } = admin
  await page.goto('/admin/config/appearance')
  await page.getByLabel('Custom CSS').fill('h1 { color: rgb(1, 2, 3) } main { display: none }')
  await save()
  const visitor = await journey.visit()
  await visitor.page.goto('/auth/signIn')
  expect(await colorOf(visitor.page, 'h1', 'color')).toBe('rgb(1, 2, 3)')
  expect(await colorOf(visitor.page, 'main', 'display')).toBe('none')
  await visitor.leave()

  await page.reload()
  await page.getByLabel('Custom CSS').fill('')
  await save()
  const other = await journey.visit()
  await other.page.goto('/auth/signIn')
  await other.page.getByRole('heading', { name: 'Welcome back' }).waitFor()
  expect(await colorOf(other.page, 'h1', 'color')).not.toBe('rgb(1, 2, 3)')
  await other.leave()
})

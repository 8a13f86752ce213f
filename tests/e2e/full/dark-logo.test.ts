import { colourPng } from '@floe/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolations } from '../harness/barriers.ts'
import type { Visitor } from '../harness/journey.ts'
import { useOwnFloe } from '../harness/use-journey.ts'

const journey = useOwnFloe()
let admin: Visitor
const red = [200, 30, 30] as const
const blue = [30, 30, 200] as const

beforeAll(async () => {
  admin = await journey.visitAsAdministrator()
  await admin.page.goto('/admin/config/general')
})
afterAll(() => admin?.leave())

const panelOf = (name: string) => admin.page.getByRole('group', { name, exact: true })

async function choose(name: string, colour: typeof red | typeof blue): Promise<void> {
  const file = { name: 'logo.png', mimeType: 'image/png', buffer: colourPng(300, colour) }
  await panelOf(name).locator('input[type=file]').setInputFiles(file)
  await panelOf(name).getByRole('button', { name: 'Save logo' }).click()
  await admin.page.getByText('Logo saved').last().waitFor()
}

/** Of the pixel in the middle of the first logo of the page, as it is on the screen. */
function logoColour(page: Page, place = 'header'): Promise<unknown> {
  return page
    .locator(`${place} img`)
    .first()
    .evaluate(async (image) => {
      await Reflect.get(image, 'decode').call(image)
      const canvas = new (Reflect.get(globalThis, 'OffscreenCanvas'))(9, 9)
      const context = canvas.getContext('2d')
      context.drawImage(image, 0, 0, 9, 9)
      return [...context.getImageData(4, 4, 1, 1).data].slice(0, 3)
    })
}

/** The icons that a page has asked for, without those of its tab. */
function watchLogos(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/img\/.*(?:logo|48x48|72x72|144x144)/.test(pathname)) asked.push(pathname)
  })
  return asked
}

test('an administrator sees each logo on the ground it is for, in light and in dark', async () => {
  await choose('Logo', red)
  // Without one of its own, the dark ground has the usual one.
  expect(await logoColour(admin.page, '#dark-logo')).toEqual(red)
  await choose('Logo for dark mode', blue)
  for (const colorScheme of ['light', 'dark'] as const) {
    await admin.page.emulateMedia({ colorScheme })
    const groundOf = (panel: string) =>
      admin.page.evaluate(
        `getComputedStyle(document.querySelector('${panel} img')).backgroundColor`,
      )
    expect(await groundOf('#logo')).toBe('rgb(255, 255, 255)')
    expect(await groundOf('#dark-logo')).toBe('rgb(19, 30, 38)')
    expect(await logoColour(admin.page, '#logo')).toEqual(red)
    expect(await logoColour(admin.page, '#dark-logo')).toEqual(blue)
    expect(await findViolations(admin.page), colorScheme).toEqual([])
  }
})

test.each([
  ['light', red],
  ['dark', blue],
] as const)('a page that is %s loads the logo for it alone', async (colorScheme, colour) => {
  for (const javaScriptEnabled of [true, false]) {
    const { page, leave } = await journey.visit({ colorScheme, javaScriptEnabled })
    const asked = watchLogos(page)
    await page.goto('/auth/signIn')
    await page.locator('header img').waitFor()
    if (javaScriptEnabled) {
      await expect.poll(() => logoColour(page)).toEqual(colour)
      expect(await logoColour(page, 'main')).toEqual(colour)
    }
    await page.waitForLoadState('networkidle')
    expect(asked.length).toBeGreaterThan(0)
    for (const path of asked) expect(path.endsWith('-dark.png'), path).toBe(colorScheme === 'dark')
    await leave()
  }
})

test('who chooses other colors than their system has sees the logo for those, without a flash', async () => {
  const { page, leave } = await journey.visitAsMember({ colorScheme: 'light' })
  await page.goto('/account')
  await expect.poll(() => logoColour(page)).toEqual(red)
  const place = await page.locator('header img').boundingBox()
  await page.getByRole('radio', { name: 'Dark' }).locator('xpath=..').click()
  await expect.poll(() => logoColour(page)).toEqual(blue)
  expect(await page.locator('header img').boundingBox()).toEqual(place)
  const asked = watchLogos(page)
  await page.reload()
  await expect.poll(() => logoColour(page)).toEqual(blue)
  expect(asked.filter((path) => !path.endsWith('-dark.png'))).toEqual([])
  await page.getByText('System', { exact: true }).last().click()
  await expect.poll(() => logoColour(page)).toEqual(red)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => logoColour(page)).toEqual(blue)
  await leave()
})

test('once the dark logo is removed, the usual one is everywhere', async () => {
  await panelOf('Logo for dark mode').getByRole('button', { name: 'Remove' }).click()
  await admin.page.getByText('Logo for dark mode removed').waitFor()
  expect(await logoColour(admin.page, '#dark-logo')).toEqual(red)
  const { page, leave } = await journey.visit({ colorScheme: 'dark' })
  await page.goto('/auth/signIn')
  await expect.poll(() => logoColour(page)).toEqual(red)
  await leave()
})

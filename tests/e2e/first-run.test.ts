import { blackPng, colourPng, type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { download, hashFile, writeTree } from './harness/files.ts'
import type { Visitor } from './harness/journey.ts'
import { join, newPerson, signUp } from './harness/people.ts'
import { beginShare, finishShare, shareButton, shareOptions } from './harness/uploading.ts'
import { useOwnFloe } from './harness/use-journey.ts'

const journey = useOwnFloe({ isNew: true })
let admin: Visitor
/** These two keep one page open from the beginning, and only ever load it again. */
let stranger: Visitor
let member: Visitor
let smtp: SmtpCatcher

beforeAll(async () => {
  smtp = await startSmtpCatcher()
  admin = await journey.visit()
  stranger = await journey.visit()
  member = await journey.visit()
})

afterAll(() => smtp?.stop())

const brand = (page: Page) => page.getByRole('banner').getByRole('link').first()
const colour = [120, 30, 160] as const

/** Of the pixel in the middle of the logo in the bar, as it is on the screen. */
function logoColour(page: Page): Promise<unknown> {
  return page
    .getByRole('banner')
    .getByRole('img', { name: 'logo' })
    .evaluate(async (image) => {
      await Reflect.get(image, 'decode').call(image)
      const canvas = new (Reflect.get(globalThis, 'OffscreenCanvas'))(9, 9)
      const context = canvas.getContext('2d')
      context.drawImage(image, 0, 0, 9, 9)
      return [...context.getImageData(4, 4, 1, 1).data].slice(0, 3)
    })
}

async function saveConfig(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Configuration saved').first().waitFor()
}

async function setLimit(page: Page, label: string, amount: string, unit: string) {
  await page.getByLabel(`Unit of ${label}`).selectOption(unit)
  await page.getByLabel(label, { exact: true }).fill(amount)
}

async function chooseLogo(page: Page, buffer: Buffer): Promise<void> {
  const file = { name: 'logo.png', mimeType: 'image/png', buffer }
  await page.locator('#logo input[type=file]').setInputFiles(file)
  await page.getByRole('button', { name: 'Save logo' }).click()
}

test('the first account sets up name, address and registration, once', async () => {
  const { page } = admin
  await stranger.open('/')
  await signUp(page, newPerson())
  await page.getByRole('heading', { name: 'Welcome to Floe' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/admin/intro')
  await expect.poll(() => page.getByLabel('App URL').inputValue()).toBe(journey.floe.url)
  await expect.poll(() => page.getByLabel('Allow registration').isChecked()).toBe(true)

  // A visitor who leaves it alone finds it at home.
  await page.goto('/')
  await page.getByRole('heading', { name: 'Welcome to Floe' }).waitFor()

  await page.getByLabel('App URL').fill('nowhere')
  await expect
    .poll(() => page.getByRole('button', { name: 'Save and start sharing' }).isDisabled())
    .toBe(true)
  await page.getByLabel('App URL').fill(journey.floe.url)
  await page.getByLabel('App name').fill('Harbour')
  await page.getByRole('button', { name: 'Save and start sharing' }).click()
  await page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
  await expect.poll(() => brand(page).innerText()).toBe('Harbour')
  for (const path of ['/admin/intro', '/']) {
    await page.goto(path)
    await page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
  }

  await stranger.page.reload()
  await expect.poll(() => brand(stranger.page).innerText()).toBe('Harbour')
})

test('and makes a first share, which others can open', async () => {
  const { page } = admin
  await writeTree(journey.folder, { 'plan.txt': 'Cast off at nine.\n' })
  const path = `${journey.folder}/plan.txt`
  await beginShare(page, { files: [path], link: 'first-share' })
  const link = await finishShare(page)
  expect(link).toBe(`${journey.floe.url}/s/first-share`)
  const visitor = await journey.visit()
  await visitor.page.goto(link)
  const button = visitor.page.getByRole('link', { name: 'Download plan.txt' })
  expect((await download(visitor.page, button)).sha256).toBe(await hashFile(path))
  await visitor.leave()
})

test('a new name shows in an open browser once it is loaded again', async () => {
  const { page } = admin
  await page.goto('/admin/config/general')
  await page.getByLabel('App name').fill('Lighthouse')
  await saveConfig(page)
  await stranger.page.reload()
  await expect.poll(() => brand(stranger.page).innerText()).toBe('Lighthouse')
  await expect.poll(() => stranger.page.title()).toContain('Lighthouse')
})

test('a new logo shows in an open browser once it is loaded again, and so does the default', async () => {
  journey.problems.expectRefusals({ path: /^\/api\/configs\/admin\/logo$/, status: 400 })
  const { page } = admin
  const before = await logoColour(stranger.page)
  await page.goto('/admin/config/general')
  await chooseLogo(page, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  await page.getByText('It is not a PNG image.').waitFor()
  await chooseLogo(page, blackPng(300, 200))
  await page.getByText('It must be exactly as wide as it is high.').waitFor()
  await chooseLogo(page, colourPng(300, colour))
  await page.getByText('Logo saved').waitFor()

  await stranger.page.reload()
  await expect.poll(() => logoColour(stranger.page)).toEqual(colour)
  const icon = stranger.page.locator('link[rel="icon"][sizes="192x192"]')
  const href = (await icon.getAttribute('href')) ?? ''
  expect(href).toMatch(/\?v=[\w-]{16}$/)
  const response = await stranger.context.request.get(href)
  expect(response.headers()['content-type']).toBe('image/png')

  await page.getByRole('button', { name: 'Restore default' }).click()
  await page.getByText('Default logo restored').waitFor()
  await stranger.page.reload()
  await expect.poll(() => logoColour(stranger.page)).toEqual(before)
})

test('a test message tells what the mail server says, for it and against it', async () => {
  journey.problems.expectRefusals({ path: /^\/api\/configs\/admin\/testEmail$/, status: 400 })
  const { page } = admin
  await page.goto('/admin/config/smtp')
  const send = page.getByRole('button', { name: 'Send test message' })
  await expect.poll(() => send.isDisabled()).toBe(true)
  await page.getByLabel('Host').fill(smtp.host)
  await page.getByLabel('Port').fill(String(smtp.port))
  await page.getByLabel('Sender').fill('harbour@example.org')
  await page.getByLabel('Enabled').check()
  await saveConfig(page)

  await page.getByLabel('Recipient').fill('mate@example.org')
  await send.click()
  await page.getByText('The mail server accepted the message').waitFor()
  await page.getByText(/^250 /).waitFor()
  expect(smtp.messages).toHaveLength(1)
  expect(smtp.messages[0]).toMatchObject({ to: ['mate@example.org'], from: 'harbour@example.org' })

  smtp.refuse('for good')
  await send.click()
  await page.getByText('The message was not sent', { exact: true }).waitFor()
  await page.getByText(/550 No such mailbox here/).waitFor()
  await smtp.stop()
  await send.click()
  await page.getByText(/connect ECONNREFUSED 127/).waitFor()
  expect(smtp.messages).toHaveLength(1)
})

test('limits of shares hold in an open browser once it is loaded again', async () => {
  const { page } = member
  await join(member)
  await page.goto('/upload')
  await page.getByRole('heading', { name: 'Drop files or folders here' }).waitFor()
  await admin.page.goto('/admin/config/share')
  await setLimit(admin.page, 'Maximum size', '2', 'MB')
  await setLimit(admin.page, 'Maximum expiration', '2', 'Days')
  await saveConfig(admin.page)
  await page.reload()
  await page.getByText('Up to 2 MB in total.').waitFor()
  const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') }
  await page.getByLabel('Files to upload').setInputFiles(file)
  const options = shareOptions(page)
  await options.getByLabel('Expires in').fill('3')
  await shareButton(page).click()
  await options.getByText(/^Expiration exceeds maximum expiration date of /).waitFor()
  await options.getByLabel('Expires in').fill('2')
  await shareButton(page).click()
  await finishShare(page)
})

test('registration and the home page close in an open browser once it is loaded again', async () => {
  const { page } = admin
  const bar = stranger.page.getByRole('navigation', { name: 'Main' })
  await bar.getByRole('link', { name: 'Sign up' }).waitFor()
  await page.goto('/admin/config/share')
  await page.getByLabel('Allow registration').uncheck()
  await saveConfig(page)
  await stranger.page.reload()
  await bar.getByRole('link', { name: 'Sign in' }).waitFor()
  await expect.poll(() => bar.getByRole('link', { name: 'Sign up' }).count()).toBe(0)

  await page.goto('/admin/config/general')
  await page.getByLabel('Show home page').uncheck()
  await saveConfig(page)
  await stranger.page.reload()
  await stranger.page.getByRole('heading', { name: 'Welcome back' }).waitFor()
  await expect.poll(() => bar.getByRole('link', { name: 'Home' }).count()).toBe(0)
})

import { join } from 'node:path'
import { type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeTree } from '../harness/files.ts'
import { openEncrypting, pathOf } from '../harness/encrypted.ts'
import { linkOf, receive } from '../harness/messages.ts'
import { configure } from '../harness/people.ts'
import { finishShare, shareButton, shareOptions } from '../harness/uploading.ts'
import { useOwnFloe } from '../harness/use-journey.ts'

// A Floe of its own: it sends mail to recipients.
const journey = useOwnFloe()
const recipient = 'rosa@example.org'
let smtp: SmtpCatcher
let link: string

beforeAll(async () => {
  smtp = await startSmtpCatcher()
  const admin = await journey.visitAsAdministrator()
  await configure(admin, {
    'general.appUrl': journey.floe.url,
    'smtp.enabled': true,
    'smtp.host': smtp.host,
    'smtp.port': smtp.port,
    'smtp.email': 'floe@mail.test',
    'email.enableShareEmailRecipients': true,
  })
  await admin.leave()
})
afterAll(() => smtp?.stop())

async function readCode(count: number): Promise<string> {
  const { text, subject } = await receive(smtp, recipient, count)
  expect(subject).toBe('A code for your files')
  return /^(\d{6})$/m.exec(text)?.[1] ?? ''
}

async function askForCode(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'For recipients only' })
  await dialog.getByLabel('Email').fill(recipient)
  await dialog.getByRole('button', { name: 'Send code' }).click()
  await dialog.getByText('If this is the address of a recipient, a code is on its way.').waitFor()
}

const enterCode = (page: Page, code: string) =>
  page.getByRole('dialog').getByLabel('Digit 1 of 6').pressSequentially(code)

test('its creator says that only recipients can open a share', async () => {
  const owner = await journey.visitAsMember()
  const { page } = owner
  await writeTree(journey.folder, { 'plans.txt': 'the plans' })
  await page.goto('/upload')
  await page.getByLabel('Files to upload').setInputFiles([join(journey.folder, 'plans.txt')])
  const options = shareOptions(page)
  await options.getByRole('button', { name: 'Email recipients' }).click()
  const restrict = options.getByRole('switch', { name: 'Only recipients can open it' })
  expect(await restrict.isDisabled()).toBe(true)
  await options.getByRole('textbox', { name: 'Recipients' }).fill(recipient)
  await page.keyboard.press('Enter')
  await restrict.click()
  await shareButton(page).click()
  link = await finishShare(page)
  expect(linkOf(await receive(smtp, recipient))).toContain(link.split('/').at(-1))

  await page.goto(`${new URL(link).pathname.replace('/s/', '/share/')}/edit`)
  const kept = page.getByRole('switch', { name: 'Only recipients can open it' })
  await expect.poll(() => kept.isChecked()).toBe(true)
  await owner.leave()
})

test('a recipient opens it by a code that is sent to their address', async () => {
  journey.problems.expectRefusals({ path: /\/token$/, status: 403 })
  const visitor = await journey.visit()
  const { page } = visitor
  await visitor.open(link)
  await askForCode(page)
  const code = await readCode(2)
  await enterCode(page, code === '000000' ? '000001' : '000000')
  await page.getByRole('alert').getByText('This code is not valid').waitFor()
  await enterCode(page, code)
  await page.getByText('plans.txt').first().waitFor()
  // The visit goes on.
  await page.reload()
  await page.getByText('plans.txt').first().waitFor()
  await visitor.leave()
})

test('a recipient opens it without scripts', async () => {
  const visitor = await journey.visit({ javaScriptEnabled: false })
  const { page } = visitor
  await page.goto(link)
  await page.getByRole('heading', { name: 'For recipients only' }).waitFor()
  const [ask, enter] = [page.locator('form').nth(0), page.locator('form').nth(1)]
  await ask.getByLabel('Email').fill(recipient)
  await ask.getByRole('button', { name: 'Send code' }).click()
  await page.getByRole('status').waitFor()
  const code = await readCode(3)
  await enter.getByLabel('Email').fill(recipient)
  await enter.getByLabel('Code').fill(code)
  await enter.getByRole('button', { name: 'Open share' }).click()
  await page.getByRole('link', { name: 'plans.txt' }).waitFor()
  await visitor.leave()
})

test('one that is encrypted opens by the code and the whole link, which its creator mails', async () => {
  const owner = await journey.visitAsMember()
  await openEncrypting(owner.page)
  await owner.page.getByLabel('Files to upload').setInputFiles([join(journey.folder, 'plans.txt')])
  const options = shareOptions(owner.page)
  await options.getByRole('button', { name: 'Email recipients' }).click()
  await options.getByRole('textbox', { name: 'Recipients' }).fill(recipient)
  await owner.page.keyboard.press('Enter')
  await options.getByText('without its key', { exact: false }).waitFor()
  await options.getByRole('switch', { name: 'Only recipients can open it' }).click()
  await shareButton(owner.page).click()
  const dialog = owner.page.getByRole('dialog', { name: 'Your share is ready' })
  const email = dialog.getByRole('link', { name: 'Write an email' })
  const { protocol, pathname, searchParams } = new URL((await email.getAttribute('href')) ?? '')
  const whole = await finishShare(owner.page)
  expect([protocol, pathname, searchParams.get('body')]).toEqual(['mailto:', recipient, whole])
  await owner.leave()

  const mail = await receive(smtp, recipient, 4)
  expect(mail.text).toContain('The link in this message lacks its key.')
  const visitor = await journey.visit()
  await visitor.open(linkOf(mail))
  await visitor.page.getByText('The link lacks its key.', { exact: false }).waitFor()
  // Nobody is asked for a code that is of no use.
  expect(await visitor.page.getByRole('dialog').count()).toBe(0)
  await visitor.page.goto(pathOf(whole))
  await askForCode(visitor.page)
  await enterCode(visitor.page, await readCode(5))
  await visitor.page.getByText('plans.txt').first().waitFor()
  await visitor.leave()
})

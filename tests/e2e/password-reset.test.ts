import { type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Visitor } from './harness/journey.ts'
import { followButton, linkOf, receive } from './harness/messages.ts'
import { configure, join, nameOf, newPerson, signIn } from './harness/people.ts'
import { useJourney } from './harness/use-journey.ts'

const sender = 'floe@mail.test'
const login = { username: 'floe', password: 'what the mail server wants' }
const newPassword = 'another long enough password'

const journey = useJourney()
let smtp: SmtpCatcher
let admin: Visitor

beforeAll(async () => {
  smtp = await startSmtpCatcher({ login, offersTls: true })
  admin = await journey.visitAsAdministrator()
  await configure(admin, { 'general.appUrl': journey.floe.url })
  journey.problems.expectRefusals(
    { path: /^\/api\/auth\/signIn$/, status: 401 },
    { path: /^\/api\/auth\/resetPassword$/, status: 400 },
    // Of the browser whose session the new password ended.
    { path: /^\/api\/users\/me$/, status: 403 },
    { path: /^\/api\/auth\/token$/, status: 401 },
  )
})

afterAll(() => smtp?.stop())

const uploadPage = (page: Page) => page.getByRole('heading', { name: 'Upload', level: 1 })

async function choosePassword(page: Page, password: string): Promise<void> {
  await page.getByRole('heading', { name: 'Choose a password' }).waitFor()
  await page.getByLabel('New password').fill(password)
  await page.getByRole('button', { name: 'Save password' }).click()
}

test('an administrator enters the mail server, and links to a new password are offered', async () => {
  await configure(admin, { 'smtp.enabled': false, 'smtp.host': '', 'smtp.password': '' })
  const stranger = await journey.visit()
  const offer = stranger.page.getByRole('link', { name: 'Forgot password?' })
  await stranger.open('/auth/signIn')
  await stranger.page.getByRole('heading', { name: 'Welcome back' }).waitFor()
  await expect.poll(() => offer.count()).toBe(0)

  const { page } = admin
  await page.goto('/admin/config/smtp')
  await page.getByLabel('Enabled').check()
  await page.getByLabel('Host').fill(smtp.host)
  await page.getByLabel('Port').fill(String(smtp.port))
  await page.getByLabel('Sender').fill(sender)
  await page.getByLabel('Username').fill(login.username)
  const password = page.getByLabel('Password', { exact: true })
  await password.fill(login.password)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('Configuration saved').waitFor()
  // It is there, and not shown to anyone again.
  await page.getByPlaceholder('Set', { exact: true }).waitFor()
  await expect.poll(() => password.inputValue()).toBe('')

  await stranger.page.reload()
  await offer.waitFor()
  await stranger.leave()
})

test('a test message tells whether the mail server works, in its own words', async () => {
  journey.problems.expectRefusals({ path: /^\/api\/configs\/admin\/testEmail$/, status: 400 })
  await sendBy(smtp)
  const { page } = admin
  await page.goto('/admin/config/smtp')
  await page.getByLabel('Recipient').fill('postmaster@example.org')
  const send = page.getByRole('button', { name: 'Send test message' })
  await send.click()
  const sent = page.getByRole('alert').filter({ hasText: 'The mail server accepted the message' })
  await sent.getByText(/^250 /).waitFor()
  expect(await receive(smtp, 'postmaster@example.org')).toMatchObject({ from: sender })

  smtp.refuse('for good')
  await send.click()
  const failed = page.getByRole('alert').filter({ hasText: 'The message was not sent' })
  await failed.getByText(/550/).waitFor()
  smtp.refuse(null)
})

test('the link in a message sets a new password, once, and ends what the old one opened', async () => {
  await sendBy(smtp)
  const owner = await journey.visit()
  const person = await join(owner)
  const { page, leave } = await journey.visit()
  await page.goto('/auth/signIn')
  // Whether there is an account stays with those who read the inbox.
  for (const address of [newPerson().email, person.email]) {
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.getByRole('heading', { name: 'Reset your password' }).waitFor()
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByText('This field is required').waitFor()
    await page.getByLabel('Email').fill(address)
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
    await page
      .getByText(
        'If there is an account with this address, we have sent it an email with a link. The link is valid for one hour.',
      )
      .waitFor()
    await page.getByRole('link', { name: 'Back to sign in' }).click()
  }

  const message = await receive(smtp, person.email)
  expect(message).toMatchObject({ from: sender, subject: 'Reset your password' })
  expect(smtp.logins).toContainEqual(login)
  await followButton(page, message)
  expect(page.url()).toBe(linkOf(message))
  await choosePassword(page, newPassword)
  await page.getByRole('heading', { name: 'Password saved' }).waitFor()
  await page.getByRole('link', { name: 'Sign in' }).first().click()
  await signIn(page, person)
  await page.getByRole('alert').getByText('Wrong email, username or password').waitFor()
  await signIn(page, { ...person, password: newPassword })
  await uploadPage(page).waitFor()

  expect(await nameOf(owner)).toBeNull()
  await owner.open('/account')
  await owner.page.waitForURL('**/auth/signIn?redirect=%2Faccount')
  await owner.open(linkOf(message))
  await choosePassword(owner.page, 'yet another long password')
  await owner.page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
  await owner.page.getByRole('link', { name: 'Request a new link' }).click()
  await owner.page.getByRole('heading', { name: 'Reset your password' }).waitFor()
  expect(await nameOf({ context: page.context() })).toBe(person.username)
  await Promise.all([leave(), owner.leave()])
})

test('somebody an administrator invites chooses a first password', async () => {
  await sendBy(smtp)
  const { username, email } = newPerson()
  await admin.page.goto('/admin')
  await admin.page.getByRole('link', { name: 'User management' }).click()
  await admin.page.getByRole('button', { name: 'Create user' }).click()
  const dialog = admin.page.getByRole('dialog', { name: 'Create user' })
  await dialog.getByText('Otherwise the user gets an email with a link to choose one.').waitFor()
  await expect.poll(() => dialog.getByLabel('Set a password now').isChecked()).toBe(false)
  await expect.poll(() => dialog.getByLabel('Password', { exact: true }).count()).toBe(0)
  await dialog.getByLabel('Username').fill(username)
  await dialog.getByRole('textbox', { name: 'Email' }).fill(email)
  await dialog.getByRole('button', { name: 'Create user' }).click()
  await admin.page.getByRole('alert').getByText('User created').waitFor()
  const message = await receive(smtp, email)
  expect(message.subject).toBe('You have been invited')
  const { page, leave } = await journey.visit()
  await page.goto(linkOf(message))
  await choosePassword(page, 'short')
  await page.getByText('Must be at least 8 characters').waitFor()
  await choosePassword(page, newPassword)
  await uploadPage(page).waitFor()
  expect(await nameOf({ context: page.context() })).toBe(username)
  await leave()
})

/** Has messages leave by this server, whatever was entered before. */
function sendBy({ host, port }: SmtpCatcher): Promise<void> {
  return configure(admin, {
    'smtp.enabled': true,
    'smtp.host': host,
    'smtp.port': port,
    'smtp.email': sender,
    'smtp.username': login.username,
    'smtp.password': login.password,
    'smtp.allowUnauthorizedCertificates': true,
  })
}

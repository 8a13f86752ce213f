import { type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { followButton, linkOf, receive } from '../harness/messages.ts'
import { configure, join, newPerson, signIn } from '../harness/people.ts'
import { useJourney } from '../harness/use-journey.ts'

const journey = useJourney()
let smtp: SmtpCatcher

beforeAll(async () => {
  smtp = await startSmtpCatcher()
  const admin = await journey.visitAsAdministrator()
  await configure(admin, {
    'general.appUrl': journey.floe.url,
    'smtp.enabled': true,
    'smtp.host': smtp.host,
    'smtp.port': smtp.port,
    'smtp.email': 'floe@mail.test',
  })
  await admin.leave()
})

afterAll(() => smtp?.stop())

test('another address takes the password and a link sent there; the old one is told', async () => {
  journey.problems.expectRefusals(
    { path: /^\/api\/users\/me$/, status: 403 },
    { path: /^\/api\/auth\/verify$/, status: 400 },
  )
  const owner = await journey.visit()
  const person = await join(owner)
  const { email } = newPerson()
  const { page } = owner
  await page.goto('/account')
  const info = page.getByRole('region', { name: 'Account info' })
  await info.getByRole('textbox', { name: 'Email' }).fill(email)
  await info.getByRole('button', { name: 'Save' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change email address' })
  await dialog.getByText(`To use ${email} from now on, confirm that it is you.`).waitFor()
  const confirm = dialog.getByRole('button', { name: 'Change email address' })
  await dialog.getByLabel('Password', { exact: true }).fill('not my password')
  await confirm.click()
  await dialog.getByText('Invalid password').waitFor()
  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  await confirm.click()
  await page.getByRole('alert').getByText('Check your inbox').waitFor()
  const pending = info.getByText(`To confirm ${email}, open the link`)
  await pending.waitFor()
  await expect
    .poll(() => info.getByRole('textbox', { name: 'Email' }).inputValue())
    .toBe(person.email)
  await page.reload()
  await pending.waitFor()

  const notice = await receive(smtp, person.email)
  expect(notice.subject).toBe('Your email address is about to change')
  expect(notice.text).toContain(email)
  expect(linkOf(notice)).toBe(`${journey.floe.url}/account`)

  // On another device, where nobody is signed in.
  const message = await receive(smtp, email)
  expect(message.subject).toBe('Confirm your new email address')
  const phone = await journey.visit()
  await followButton(phone.page, message)
  await phone.page.getByRole('heading', { name: 'Confirm your email address' }).waitFor()
  await phone.page.getByRole('button', { name: 'Confirm' }).click()
  await phone.page.getByRole('heading', { name: 'Email address confirmed' }).waitFor()
  await phone.page.getByRole('link', { name: 'My account' }).click()
  await signIn(phone.page, { ...person, username: email })
  await phone.page.getByRole('heading', { name: 'My account' }).waitFor()

  // A link of earlier says so, also to those who are signed in.
  await owner.open(linkOf(message))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
  await page.getByRole('link', { name: 'My account' }).click()
  await expect.poll(() => info.getByRole('textbox', { name: 'Email' }).inputValue()).toBe(email)
  await expect.poll(() => pending.count()).toBe(0)
  await Promise.all([owner.leave(), phone.leave()])
})

import { type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { followButton, receive } from '../harness/messages.ts'
import { configure, newPerson, signUp } from '../harness/people.ts'
import { useOwnFloe } from '../harness/use-journey.ts'

// A Floe of its own: who signs up to it owes a proof.
const journey = useOwnFloe()
let smtp: SmtpCatcher

beforeAll(async () => {
  smtp = await startSmtpCatcher()
})
afterAll(() => smtp?.stop())

test('an administrator asks for proofs of addresses once there is mail', async () => {
  journey.problems.expectRefusals({ path: /^\/api\/configs\/admin$/, status: 400 })
  const admin = await journey.visitAsAdministrator()
  const { page } = admin
  const turnOn = async () => {
    await page.goto('/admin/config/general')
    await page.getByRole('switch', { name: 'Verify email addresses' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
  }
  await turnOn()
  await page.getByRole('alert').getByText('This setting requires email.').waitFor()
  await configure(admin, {
    'general.appUrl': journey.floe.url,
    'smtp.enabled': true,
    'smtp.host': smtp.host,
    'smtp.port': smtp.port,
    'smtp.email': 'floe@mail.test',
  })
  await turnOn()
  await page.getByText('Configuration saved').waitFor()
  await admin.leave()
})

test('who signs up opens the link that was sent, and shares then', async () => {
  const visitor = await journey.visit()
  const { page } = visitor
  const person = newPerson()
  await expect
    .poll(async () => {
      const response = await visitor.context.request.get('/api/configs')
      return (await response.json()) as unknown
    })
    .toContainEqual(
      expect.objectContaining({ key: 'general.requireEmailVerification', value: 'true' }),
    )
  await signUp(page, person)
  await page.getByRole('heading', { name: 'Confirm your email address' }).waitFor()
  await page.getByText(`We sent a link to ${person.email}.`).waitFor()
  await receive(smtp, person.email)
  await page.getByRole('button', { name: 'Send the link again' }).click()
  await page.getByRole('alert').getByText('Check your inbox').waitFor()
  const message = await receive(smtp, person.email, 2)
  expect(message.subject).toBe('Confirm your email address')
  await page.reload()
  await page.getByText(`We sent a link to ${person.email}.`).waitFor()

  const inbox = await visitor.context.newPage()
  await followButton(inbox, message)
  await inbox.getByRole('button', { name: 'Confirm' }).click()
  await inbox.getByRole('heading', { name: 'Email address confirmed' }).waitFor()
  await inbox.close()
  // Back in the first tab.
  await page.bringToFront()
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))')
  await page.getByRole('button', { name: 'Choose files' }).waitFor()
  await visitor.leave()
})

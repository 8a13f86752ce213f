import { type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { administrator } from '../harness/administrator.ts'
import { followButton } from '../harness/messages.ts'
import { waitForAccount } from '../harness/notices.ts'
import { configure, newPerson, signUp } from '../harness/people.ts'
import { useOwnFloe } from '../harness/use-journey.ts'

// A Floe of its own: it is started again, which runs what is due each hour.
const journey = useOwnFloe()
let smtp: SmtpCatcher

beforeAll(async () => {
  smtp = await startSmtpCatcher()
})
afterAll(() => smtp?.stop())

test('an administrator who wants to know of new accounts gets a message, which leads to them and to its switch', async () => {
  const admin = await journey.visitAsAdministrator()
  const { page } = admin
  await configure(admin, {
    'general.appUrl': journey.floe.url,
    'smtp.enabled': true,
    'smtp.host': smtp.host,
    'smtp.port': smtp.port,
    'smtp.email': 'floe@mail.test',
    // The disk of this machine may be full.
    'notices.storage': false,
  })
  await page.goto('/admin/config/notices')
  await page.getByText('Every administrator gets these messages by email.').waitFor()
  await page.getByRole('switch', { name: 'New accounts' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Configuration saved').waitFor()

  const visitor = await journey.visit()
  const person = newPerson()
  await signUp(visitor.page, person)
  await visitor.page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
  await visitor.leave()
  await waitForAccount(admin, person)
  await page.close()
  await journey.floe.restart()
  // Each full hour sends one too, of the accounts until then.
  const message = await vi.waitFor(() => {
    const found = smtp.messages.find(({ text }) => text.includes(person.username))
    if (!found) throw new Error(`no message of ${person.username}`)
    return found
  }, 60_000)
  expect(message.to).toEqual([administrator.email])
  expect(message.subject).toMatch(/^New accounts: /)
  const users = await admin.context.newPage()
  await followButton(users, message)
  await users.getByRole('heading', { name: 'User management' }).waitFor()
  await users.getByText(person.email).waitFor()

  const settings = await admin.context.newPage()
  await settings.setContent(message.html)
  await settings.getByRole('link', { name: /#notices\.newAccount$/ }).click()
  const focused = settings.locator(':focus')
  await expect.poll(() => focused.getAttribute('role')).toBe('switch')
  await settings.getByRole('switch', { name: 'New accounts', checked: true }).waitFor()
  expect(await settings.locator('[id="notices.newAccount"] :focus').count()).toBe(1)
  await admin.leave()
})

import { colourPng } from '@floe/testing'
import type { Visitor } from '../harness/journey.ts'
import { newPerson } from '../harness/people.ts'
import { makeShare } from '../harness/shares.ts'
import type { Tour } from './tour.ts'

/** The greeting, the overview, users, shares and the log. */
export async function tourAdministration(tour: Tour, admin: Visitor): Promise<void> {
  const { page, context } = admin
  const { journey, judge, button, heading, dialog, field, text } = tour
  journey.problems.expectRefusals({ path: /^\/api\/users$/, status: 400 })
  await page.goto('/admin/intro')
  await heading(page, 'intro.welcome', { appName: 'Floe' }).waitFor()
  await field(page, 'config.general.appUrl.label').fill('nowhere')
  await judge(page, 'greeting, with an error')
  await page.goto('/admin')
  await heading(page, 'overview.latest').waitFor()
  await judge(page, 'administration')

  const { username, email, password } = newPerson()
  const data = { username, email, password }
  await context.request.post('/api/users', { data })
  await page.goto('/admin/users')
  await button(page, 'admin.users.edit', { name: username }).waitFor()
  await judge(page, 'users')
  await button(page, 'admin.users.create').click()
  const create = dialog(page, 'admin.users.createTitle')
  await field(create, 'auth.fields.username').fill('a!')
  await button(create, 'admin.users.create').click()
  await text(create, 'validation.required').waitFor()
  await judge(page, 'dialog for a new user, with errors')
  await page.keyboard.press('Escape')
  await button(page, 'admin.users.edit', { name: username }).click()
  await dialog(page, 'admin.users.edit', { name: username }).waitFor()
  await judge(page, 'edit of a user')
  await page.keyboard.press('Escape')
  await button(page, 'admin.users.delete', { name: username }).click()
  const question = dialog(page, 'admin.users.deleteTitle', { name: username })
  await question.waitFor()
  await judge(page, 'question before a user is deleted')
  await button(question, 'common.delete').click()
  await text(page, 'admin.users.deleted').waitFor()
  await judge(page, 'notice of a deleted user')
  await page.goto('/admin/users?search=nobody-at-all')
  await text(page, 'admin.list.none').waitFor()
  await judge(page, 'no users')

  const files = { 'notes.txt': 'Notes' }
  for (const id of ['fjord', 'glacier']) await makeShare(context.request, { id, files })
  await context.request.delete('/api/shares/glacier/complete')
  await page.goto('/admin/shares')
  await field(page, 'admin.shares.choose', { name: 'fjord' }).check()
  await button(page, 'admin.shares.deleteChosen', { count: 1 }).waitFor()
  await judge(page, 'shares of everybody')
  await button(page, 'admin.shares.deleteChosen', { count: 1 }).click()
  await page.getByRole('dialog').waitFor()
  await judge(page, 'question before shares are deleted')
  await page.keyboard.press('Escape')

  await page.goto('/admin/audit')
  await page.getByRole('table').waitFor()
  await judge(page, 'audit log')
  await page.goto('/admin/audit?actor=nobody-at-all')
  await text(page, 'admin.list.none').waitFor()
  await judge(page, 'no entries in the log')
}

/** Every category of the configuration, with what can be tried there. */
export async function tourConfiguration(tour: Tour, { page }: Visitor): Promise<void> {
  const { journey, judge, button, dialog, field, text, say } = tour
  journey.problems.expectRefusals(
    { path: /^\/api\/configs\/admin\/logo$/, status: 400 },
    { path: /^\/api\/auth\/directory\/check$/, status: 400 },
    { path: /^\/api\/configs\/admin\/testEmail$/ },
    { path: /^\/api\/configs\/admin\/testEmail$/, status: 400 },
    { path: /^\/api\/configs\/admin\/testEmail$/, status: 500 },
    { path: /^\/api\/configs\/admin\/testEmail$/, status: 502 },
  )
  const show = async (category: string) => {
    await page.goto(`/admin/config/${category}`)
    await page
      .getByRole('heading', { name: say(`admin.categories.${category}`), level: 1 })
      .waitFor()
    await button(page, 'common.save').waitFor()
  }
  await show('general')
  await field(page, 'config.general.appUrl.label').fill('nowhere')
  await text(page, 'validation.format.base-url').waitFor()
  await judge(page, 'general settings, with an error')
  await field(page, 'config.general.appUrl.label').fill(journey.floe.url)
  await field(page, 'config.general.appName.label').fill('Floe ')
  const logo = (name: string, buffer: Buffer) =>
    page.locator('#logo input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer })
  await logo('broken.png', Buffer.from('no picture'))
  await button(page, 'admin.logo.save').click()
  await text(page, 'admin.logo.refused').waitFor()
  await judge(page, 'general settings, changed, with a refused logo')
  await logo('logo.png', colourPng(64, [120, 30, 160]))
  await button(page, 'admin.logo.save').click()
  await button(page, 'admin.logo.reset').waitFor()
  await button(page, 'common.save').click()
  await text(page, 'admin.saved').waitFor()
  await judge(page, 'general settings, saved')
  await show('share')
  await judge(page, 'settings of shares')
  await show('email')
  await judge(page, 'settings of messages')
  await page
    .getByRole('button', { name: say('admin.mailPreview.of', { label: '' }).trim() })
    .first()
    .click()
  await dialog(page, 'admin.mailPreview.title').locator('iframe').waitFor()
  await judge(page, 'preview of a message')
  await show('notices')
  await judge(page, 'settings of notices')
  await show('smtp')
  await button(page, 'admin.testMail.send').click()
  await text(page, 'admin.testMail.failed').waitFor()
  await judge(page, 'settings of the mail server, after a failed test')
  await show('ldap')
  await field(page, 'config.ldap.url.label').fill('nowhere')
  await text(page, 'validation.format.ldap-urls').waitFor()
  await button(page, 'admin.tryProvider.action', { provider: 'LDAP' }).click()
  await text(page, 'errors.directoryCheckIncomplete').waitFor()
  await judge(page, 'settings of the directory, with an error, tried')
  await field(page, 'config.ldap.url.label').fill('')
  await show('oauth')
  await button(page, 'admin.tryProvider.action', { provider: 'OpenID Connect' }).click()
  await text(page, 'admin.tryProvider.works', { provider: 'OpenID Connect' }).waitFor()
  await judge(page, 'settings of social sign-ins, one tried')
}

import { type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Member, Visitor } from './harness/journey.ts'
import { receive } from './harness/messages.ts'
import { configure } from './harness/people.ts'
import { makeShare } from './harness/shares.ts'
import { useJourney } from './harness/use-journey.ts'

const journey = useJourney()
let smtp: SmtpCatcher
let admin: Visitor
let sender: Member

beforeAll(async () => {
  smtp = await startSmtpCatcher()
  admin = await journey.visitAsAdministrator()
  sender = await journey.visitAsMember()
  await configure(admin, {
    'smtp.enabled': true,
    'smtp.host': smtp.host,
    'smtp.port': smtp.port,
    'smtp.email': 'floe@mail.test',
    'email.enableShareEmailRecipients': true,
  })
})
afterAll(() => smtp?.stop())

/** What a recipient of a new share gets. */
async function shareWith(recipient: string) {
  await makeShare(sender.context.request, { recipients: [recipient], files: { 'a.txt': 'a' } })
  return receive(smtp, recipient)
}

test('a reply reaches the sender until the administrator or the sender turns that off', async () => {
  const { username, email } = sender.person
  const first = await shareWith('ann@example.org')
  expect(first.headers.get('reply-to')).toBe(`${username} <${email}>`)

  const { page } = admin
  await page.goto('/admin/config/email')
  await page.getByLabel('Replies go to the sender').uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Configuration saved').waitFor()
  const second = await shareWith('ben@example.org')
  expect(second.subject).toContain(username)
  expect(second.source).not.toContain(email)

  await configure(admin, { 'email.shareRecipientsReplyToCreator': true })
  await sender.page.goto('/account')
  // Off until the account is known, and then as it was chosen.
  const shown = { name: 'Show my name on my shares', checked: true }
  await Promise.all([
    sender.page.waitForResponse((response) => response.request().method() === 'PATCH'),
    sender.page.getByRole('switch', shown).click(),
  ])
  const third = await shareWith('cleo@example.org')
  for (const secret of [username, email]) expect(third.source).not.toContain(secret)
})

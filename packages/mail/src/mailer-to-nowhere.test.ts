import { expect, test } from 'vitest'
import { createMailerToNowhere } from './mailer-to-nowhere.ts'
import type { SmtpSettings } from './mailer.ts'

const smtp: SmtpSettings = {
  // Nothing listens there: a connection would fail.
  ...{ host: '127.0.0.1', port: 1, username: '', password: '', tls: 'none' },
  ...{ senderAddress: 'a@b.test', senderName: 'A', allowsUnauthorizedCertificates: false },
}
const message = { to: 'c@d.test', subject: 'S', text: 'T', html: '<p>T</p>', id: '1' }

test('takes a message as a server would, and connects to none', async () => {
  const steps: string[] = []
  const handover = {
    begin: async () => void steps.push('begin'),
    written: () => void steps.push('written'),
  }
  const { reply } = await createMailerToNowhere().send(smtp, message, { handover })
  expect(steps).toEqual(['begin', 'written'])
  expect(reply).toContain('Not sent')
})

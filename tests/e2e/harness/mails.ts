import type { SmtpCatcher } from '@floe/testing'
import type { APIResponse } from 'playwright-core'
import type { Journey, Member, Visitor } from './journey.ts'
import { receive } from './messages.ts'
import { configure, newPerson } from './people.ts'
import { makeReverseShare, openReverseShare } from './reverse-shares.ts'
import { makeShare } from './shares.ts'

export interface Mail {
  subject: string
  html: string
  /** Beside the page; a preview has none. */
  text?: string
}

interface MailWorld {
  admin: Pick<Visitor, 'context'>
  smtp: SmtpCatcher
  /** Who shares, and is told of what happens. */
  member: Member
  note: string
  appUrl?: string
}

/** A message of every kind, as its recipient gets it, made by what people do. */
export async function collectMails(
  journey: Journey,
  { admin, smtp, member, note, appUrl = journey.floe.url }: MailWorld,
): Promise<Record<string, Mail>> {
  await configure(admin, {
    'general.appUrl': appUrl,
    'email.enableShareEmailRecipients': true,
    'smtp.enabled': true,
    'smtp.host': smtp.host,
    'smtp.port': smtp.port,
    'smtp.email': 'floe@mail.test',
    'smtp.username': '',
    'smtp.password': '',
  })
  const { request } = member.context
  const { email, password } = member.person
  const [recipient, reader, tester, invited, moved] = Array.from({ length: 5 }, newPerson).map(
    (person) => person.email,
  )
  if (!recipient || !reader || !tester || !invited || !moved) throw new Error('no address')

  const files = { 'Plan.txt': 'first floor' }
  await makeShare(request, { description: note, recipients: [recipient], files })
  await member.context.addCookies([{ name: 'language', value: 'ar', url: journey.floe.url }])
  await makeShare(request, { description: note, recipients: [reader], files })
  await member.context.clearCookies({ name: 'language' })

  // Each of these is the next message to the same person: one after the other.
  const own: Record<string, () => Promise<unknown>> = {
    received: async () => {
      const token = await makeReverseShare(request, { notify: true })
      const sender = await journey.visit()
      await openReverseShare(sender.page, token)
      await makeShare(sender.context.request, { files })
      await sender.leave()
    },
    downloaded: async () => {
      const id = await makeShare(request, { name: 'Harbour House', files })
      const data = { notifyOnDownload: true }
      await ok(request.patch(`/api/shares/${id}`, { data }))
      const visitor = await journey.visit()
      await ok(visitor.context.request.get(`/api/shares/${id}/files/zip`))
      await visitor.leave()
    },
    newPassword: () => ok(request.post(`/api/auth/resetPassword/${email}`)),
    emailChange: () => ok(request.patch('/api/users/me', { data: { email: moved, password } })),
  }
  const mails: Record<string, Mail> = {}
  for (const [index, [kind, cause]] of Object.entries(own).entries()) {
    await cause()
    mails[kind] = await receive(smtp, email, index + 1)
  }
  const { request: asAdmin } = admin.context
  const { username } = newPerson()
  await ok(asAdmin.post('/api/users', { data: { username, email: invited } }))
  await ok(asAdmin.post('/api/configs/admin/testEmail', { data: { email: tester } }))
  // It comes a day before the end.
  const draft = { template: 'shareReminder', subject: '', message: '' }
  const preview = await ok(asAdmin.post('/api/configs/admin/previewEmail', { data: draft }))
  mails['reminder'] = (await preview.json()) as Mail
  mails['share'] = await receive(smtp, recipient)
  mails['shareInArabic'] = await receive(smtp, reader)
  mails['invite'] = await receive(smtp, invited)
  mails['confirmEmail'] = await receive(smtp, moved)
  mails['test'] = await receive(smtp, tester)
  await configure(admin, { 'email.enableShareEmailRecipients': false })
  return mails
}

async function ok(pending: Promise<APIResponse>): Promise<APIResponse> {
  const response = await pending
  if (response.ok()) return response
  throw new Error(`${response.url()}: ${response.status()} ${await response.text()}`)
}

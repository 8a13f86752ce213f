import type { SmtpCatcher } from '@floe/testing'
import { expect, vi } from 'vitest'
import { administrator } from './administrator.ts'
import type { OwnJourney, Visitor } from './journey.ts'
import type { Mail } from './mails.ts'
import { configure, join, newPerson, type Person } from './people.ts'

interface NoticeWorld {
  admin: Pick<Visitor, 'context'>
  smtp: SmtpCatcher
}

/** Jobs wait for a busy machine. */
const MOST_MS = 30_000

/** Waits until the audit log knows of an account: there new ones are found. */
export async function waitForAccount(
  { context }: Pick<Visitor, 'context'>,
  { username }: Person,
): Promise<void> {
  const made = `/api/admin/audit?action=user.registered&target=${username}`
  await vi.waitFor(async () => {
    const response = await context.request.get(made)
    expect(await response.json()).toHaveLength(1)
  }, MOST_MS)
}

const subjects = {
  storageNotice: /^Storage is/,
  failedJobsNotice: /^Failed jobs/,
  newReleaseNotice: /^Version/,
  newAccountNotice: /^New accounts/,
}

/**
 * A message to the administrator of each kind, made by what happens, where mail is set up and a
 * newer release is out. They are owed at the start: jobs that are due each hour run then.
 */
export async function collectNotices(
  journey: OwnJourney,
  { admin, smtp }: NoticeWorld,
): Promise<Record<string, Mail>> {
  const { request } = admin.context
  const readOverview = async () =>
    (await (await request.get('/api/admin/overview')).json()) as {
      now: { storageBytes: number }
      jobs: { failed: unknown[] }
    }
  const { now } = await readOverview()
  await configure(admin, {
    'general.releaseRepository': 'floe/floe',
    'share.totalStorageLimit': Math.floor(now.storageBytes / 0.93),
    'notices.newAccount': true,
  })
  const visitor = await journey.visit()
  const newcomer = await join(visitor, { ...newPerson(), username: 'marit' })
  smtp.refuse('for good')
  await request.post(`/api/auth/resetPassword/${newcomer.email}`)
  await vi.waitFor(async () => expect((await readOverview()).jobs.failed).not.toEqual([]), MOST_MS)
  smtp.refuse(null)
  await waitForAccount(admin, newcomer)
  await visitor.leave()
  await journey.floe.restart()
  const find = (kind: string, subject: RegExp) => {
    const messages = smtp.messages.filter(({ to }) => to.includes(administrator.email))
    const message = messages.findLast((one) => subject.test(one.subject))
    if (!message) throw new Error(`no ${kind} among ${messages.map((one) => one.subject).join()}`)
    return message
  }
  // A full hour may have sent some of them before.
  const messages = Object.entries(subjects).map(async ([kind, subject]) => {
    return [kind, await vi.waitFor(() => find(kind, subject), 60_000)] as const
  })
  return Object.fromEntries(await Promise.all(messages))
}

import { randomUUID } from 'node:crypto'
import {
  type AuditAction,
  type AuthPort,
  type FilePort,
  type Language,
  type Settings,
} from '@floe/contracts'
import { isOutage } from '@floe/errors'
import { type Mailer, smtpSettings } from '@floe/mail'
import type { Configuration } from './configuration.ts'
import { noticeMail, noticeSettings } from './notice-mails.ts'
import { findNotices, type NoticeKind, type Observed } from './notice-rules.ts'
import type { QueuedJobs } from './overviews.ts'
import type { AuditStore, NoticeMail, NoticeStore } from './ports.ts'
import { createPartReader } from './read-part.ts'
import type { WebhookStore } from '../webhooks/ports.ts'
import type { Releases } from './releases.ts'

/** Messages to administrators about the installation. */
export interface Notices {
  /** Owes each administrator one message of each kind that there is something to tell of. */
  owe(): Promise<void>
  /** Unless it was sent, or is no longer wanted. Fails with mail_refused, mail_unavailable. */
  send(mail: NoticeMail): Promise<void>
  /** Messages to this administrator are in this language from now on; `null` changes nothing. */
  noteLanguage(userId: string, language: Language | null): Promise<void>
}

export interface NoticesDependencies {
  store: NoticeStore
  auditStore: Pick<AuditStore, 'list'>
  configuration: Pick<Configuration, 'settings'>
  jobs: Pick<QueuedJobs, 'counts' | 'listFailed'>
  releases: Releases
  auth: Pick<AuthPort, 'listAdministrators'>
  file: Pick<FilePort, 'measureStorage' | 'measureDisk' | 'scanReport'>
  webhooks: Pick<WebhookStore, 'wantedByInstance'>
  mailer: Mailer
  log: { warn(fields: object, message: string): void }
  clock: () => Date
}

const made: readonly AuditAction[] = ['user.registered', 'user.created']
/** The audit log may learn of an account as late as a day after it was made. */
const MADE_SINCE_MS = 2 * 24 * 60 * 60 * 1000
const MOST_ACCOUNTS = 1_000

export function createNotices(dependencies: NoticesDependencies): Notices {
  const { store, configuration, auth, webhooks, mailer, log, clock } = dependencies
  const observe = createObserver(dependencies)

  return {
    async owe() {
      const now = clock()
      const [settings, administrators] = await Promise.all([
        configuration.settings(),
        auth.listAdministrators({}),
      ])
      const receiverIds = administrators.map(({ id }) => id)
      const isMailed = (kind: NoticeKind) => receiverIds.length > 0 && isWanted(settings, kind)
      const hooked = await webhooks.wantedByInstance()
      const isTold = (kind: NoticeKind) => isMailed(kind) || hooked.has(kind)
      const observed = await observe(settings, { now, isTold })
      await store.record({ now, receiverIds }, (told) => {
        const { notices, over } = findNotices(observed, told, now)
        const mailIds = new Map<NoticeKind, string>()
        for (const { kind } of notices) {
          if (isMailed(kind) && !mailIds.has(kind)) mailIds.set(kind, randomUUID())
        }
        const recorded = notices
          .map((notice) => ({ notice, mailId: mailIds.get(notice.kind) ?? null }))
          // A state is told once somebody wants to know, an account that was made long ago is no news.
          .filter(({ notice: { kind } }) => isTold(kind) || kind === 'user.created')
        return { recorded, over }
      })
    },

    async send(mail) {
      const settings = await configuration.settings()
      const smtp = smtpSettings(settings)
      const notices = await store.findOwed(mail)
      const isStillWanted = notices.every(({ kind }) => isWanted(settings, kind))
      const administrators = await auth.listAdministrators({})
      const receiver = administrators.find(({ id }) => id === mail.userId)
      if (smtp !== null && receiver && isStillWanted && notices.length > 0) {
        const language = await store.languageOf(receiver.id)
        await mailer.send(smtp, {
          ...noticeMail(settings, { notices, language }),
          to: receiver.email,
          id: `notice-${mail.mailId}-${receiver.id}`,
        })
      }
      await store.settle(mail)
    },

    async noteLanguage(userId, language) {
      if (language === null) return
      try {
        await store.noteLanguage(userId, language)
      } catch (error) {
        // Nobody asked for it: the page is shown as well without.
        if (!isOutage(error)) throw error
        log.warn({ err: error }, 'could not note the language of an administrator')
      }
    },
  }
}

function isWanted(settings: Settings, kind: NoticeKind): boolean {
  return settings['smtp.enabled'] && settings[noticeSettings[kind]]
}

function createObserver({
  auditStore,
  jobs,
  releases,
  file,
  log,
}: NoticesDependencies): (
  settings: Settings,
  asked: { now: Date; isTold: (kind: NoticeKind) => boolean },
) => Promise<Observed> {
  const readPart = createPartReader(log)

  async function readAccounts(now: Date): Promise<Observed['accounts']> {
    const from = new Date(now.getTime() - MADE_SINCE_MS)
    const lists = made.map((action) =>
      auditStore.list({ action, from, limit: MOST_ACCOUNTS, offset: 0 }),
    )
    return (await Promise.all(lists))
      .flatMap(({ entries }) => entries)
      .map(({ id, target }) => ({ id, username: target?.name ?? '' }))
  }

  async function readFailedJobs(): Promise<Observed['failedJobs']> {
    const [counts, [latest]] = await Promise.all([jobs.counts(), jobs.listFailed(1)])
    if (!latest) return null
    const count = counts.reduce((sum, { failed }) => sum + failed, 0)
    return { count, latestAt: latest.failedAt }
  }

  return async (settings, { now, isTold }) => {
    const limitBytes = settings['share.totalStorageLimit']
    const [accounts, stored, disk, failedJobs, scanned, release] = await Promise.all([
      readAccounts(now),
      limitBytes === 0 ? null : readPart('storage', () => file.measureStorage({})),
      readPart('disk', () => file.measureDisk({})),
      readPart('jobs', readFailedJobs),
      readPart('antivirus', () => file.scanReport({})),
      // Another server is asked on behalf of those who want to know.
      isTold('release.published') ? releases.latest() : null,
    ])
    const limited = stored && { usedBytes: stored.sizeBytes, totalBytes: limitBytes }
    const scans = scanned?.report ?? null
    return { accounts, spaces: [limited, disk], failedJobs, release, scans }
  }
}

import type { AdminPort, AuthPort, FilePort, Settings } from '@floe/contracts'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError, isOutage } from '@floe/errors'
import { type Mailer, type MailMessage, type RenderedMail, smtpSettings } from '@floe/mail'
import type { ShareMailStore, ShareStore } from './ports.ts'
import { grantWorkingRead } from './read-grant.ts'
import { isExpired, type Share } from './share.ts'
import type { ShareMail } from './share-mail.ts'
import {
  downloadedMail,
  infectedMail,
  receivedMail,
  recipientMail,
  reminderMail,
  type Sender,
} from './share-messages.ts'

export interface MailDelivery {
  /**
   * Sends a message that a share owes, unless that was done or nobody wants it any more. When this
   * process dies over it, the message is sent again, by the same Message-ID, unless it was recorded
   * that all of it was on its way to the mail server.
   * Fails with mail_refused, mail_unavailable.
   */
  send(mailId: string): Promise<void>
}

export interface MailDeliveryDeps {
  shares: ShareStore
  mails: ShareMailStore
  mailer: Mailer
  files: Pick<FilePort, 'listFiles'>
  auth: AuthPort
  admin: AdminPort
  clock: () => Date
}

type Letter = RenderedMail & Pick<MailMessage, 'to' | 'replyTo'>

/** How long to wait for an unreachable database, and how often to try it. */
const RELEASE_LIMIT_MS = 10_000
const RELEASE_RETRY_MS = 100
/** A process that looks dead for longer than it would wait for the database is dead. */
const LONGEST_GAP_MS = RELEASE_LIMIT_MS + 5_000

export function createMailDelivery(deps: MailDeliveryDeps): MailDelivery {
  const { mails, mailer, admin, clock } = deps
  /** Taken by the server, and not yet recorded because the database was away. */
  const unnoted = new Set<string>()
  /** A claim tells this process from others, not one run from another here. */
  const inHand = new Set<string>()

  async function noteSent(mailId: string) {
    unnoted.add(mailId)
    await mails.markSent(mailId, clock())
    unnoted.delete(mailId)
  }

  /**
   * All of it may have been written and recorded though the mail server did not take it: should this
   * process die before it has said so, the message would count as sent for ever.
   */
  async function release(mailId: string) {
    const deadline = performance.now() + RELEASE_LIMIT_MS
    for (;;) {
      try {
        return await mails.release(mailId)
      } catch (error) {
        if (!isOutage(error) || performance.now() > deadline) throw error
        await delay(RELEASE_RETRY_MS)
      }
    }
  }

  async function deliver(mail: ShareMail) {
    const settings = await admin.settings({})
    const smtp = smtpSettings(settings)
    const letter = smtp === null ? null : await write(deps, mail, settings)
    if (smtp === null || letter === null) return mails.drop(mail.id)
    const message = { ...letter, id: `share-${mail.id}` }
    let isRecorded: Promise<unknown> | undefined
    const begin = async () => {
      // Others took this process for dead: the message is theirs.
      if (!(await mails.beginHandover(mail.id, clock()))) throw heldElsewhere()
    }
    const written = () => {
      // Failing it costs at most a repetition; the next write reports what is wrong.
      isRecorded = mails.recordHandedOver(mail.id, clock()).catch((error: unknown) => error)
    }
    try {
      await mailer.send(smtp, message, { handover: { begin, written } })
    } finally {
      // It would be taken for one of the next attempt.
      await isRecorded
    }
    await noteSent(mail.id)
  }

  async function sendInHand(mailId: string) {
    if (unnoted.has(mailId)) return noteSent(mailId)
    const mail = await mails.claim(mailId, new Date(clock().getTime() - LONGEST_GAP_MS))
    if (mail === null) return
    if (mail === 'held') throw heldElsewhere()
    try {
      await deliver(mail)
    } catch (error) {
      await release(mailId)
      throw error
    }
  }

  return {
    send: async (mailId) => {
      if (inHand.has(mailId)) throw heldElsewhere()
      inHand.add(mailId)
      try {
        await sendInHand(mailId)
      } finally {
        inHand.delete(mailId)
      }
    },
  }
}

/** Tried again later: by then it is sent, or the process that had it is gone. */
function heldElsewhere(): AppError {
  return new AppError('mail_unavailable', { detail: 'This message is being sent already' })
}

/** `null` when there is nobody to write to, or nothing to say any more. */
async function write(
  deps: MailDeliveryDeps,
  mail: ShareMail,
  settings: Settings,
): Promise<Letter | null> {
  const { shares, clock } = deps
  const now = clock()
  const share = await shares.findByUid(mail.shareUid)
  const isGone = share === null || isExpired(share, now) || share.removedReason !== null
  if (isGone) return null
  if (mail.kind === 'infected') return writeAboutInfected(deps, { mail, settings, share })
  if (share.state === 'open') return null
  switch (mail.kind) {
    case 'recipient':
      return writeToRecipient(deps, { mail, settings, share, now })
    case 'received':
      return writeTo(deps, share.receiverId, async () => {
        const sender = await findSender(deps, share)
        return { ...receivedMail(settings, { share, sender }), replyTo: replyTo(sender) }
      })
    case 'downloaded':
      return writeTo(deps, share.creatorId, () => downloadedMail(settings, { share }))
    case 'reminder':
      return writeTo(deps, share.creatorId, () => reminderMail(settings, { share, now }))
  }
}

async function writeToRecipient(
  deps: MailDeliveryDeps,
  { mail, settings, share, now }: { mail: ShareMail; settings: Settings; share: Share; now: Date },
): Promise<Letter | null> {
  if (!settings['email.enableShareEmailRecipients'] || share.isPrivate) return null
  const to = await deps.mails.findRecipient(share.uid, mail.occasion)
  if (to === null) return null
  // A name anybody could make up is none to introduce somebody by, and recipients are visitors:
  // they learn of nobody who wishes not to be shown to them.
  const { showsName, ...account } = await findAccount(deps, share.creatorId)
  const sender = showsName ? account : { name: null, email: null }
  const letter = { to, ...recipientMail(settings, { share, now, sender }) }
  if (!settings['email.shareRecipientsReplyToCreator']) return letter
  return { ...letter, replyTo: replyTo(sender) }
}

/** To its maker, or to the receiver of what was sent without an account. */
async function writeAboutInfected(
  deps: MailDeliveryDeps,
  { mail, settings, share }: { mail: ShareMail; settings: Settings; share: Share },
): Promise<Letter | null> {
  const listed = await deps.files.listFiles({ grant: grantWorkingRead(share) })
  const file = listed.find(({ id }) => id === mail.occasion)
  if (file?.scan?.state !== 'infected') return null
  const { name, scan } = file
  return writeTo(deps, share.creatorId ?? share.receiverId, () =>
    infectedMail(settings, { share, file: { name, threat: scan.threat ?? '' } }),
  )
}

async function writeTo(
  deps: MailDeliveryDeps,
  userId: string | null,
  render: () => RenderedMail | Promise<Omit<Letter, 'to'>>,
): Promise<Letter | null> {
  const { email } = await findAccount(deps, userId)
  return email === null ? null : { to: email, ...(await render()) }
}

async function findSender(deps: MailDeliveryDeps, share: Share): Promise<Sender> {
  const { name, email } = await findAccount(deps, share.creatorId)
  return { name: name ?? share.senderName, email }
}

function replyTo({ name, email }: Sender): MailMessage['replyTo'] {
  return email === null ? undefined : { name: name ?? '', address: email }
}

async function findAccount(
  { auth }: MailDeliveryDeps,
  userId: string | null,
): Promise<Sender & { showsName: boolean }> {
  const [user] = userId === null ? [] : await auth.findUsers({ ids: [userId] })
  const showsName = user?.showsName === true
  return { name: user?.username ?? null, email: user?.email ?? null, showsName }
}

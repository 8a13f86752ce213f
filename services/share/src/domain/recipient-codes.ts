import { createHmac, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import type { AdminPort, Language } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { type Mailer, smtpSettings } from '@floe/mail'
import type { Attempts } from './attempts.ts'
import type { ShareCodeStore, ShareMailStore, ShareStore } from './ports.ts'
import { isExpired, type Share } from './share.ts'
import type { ShareKey } from './share-key.ts'
import { mailboxOf } from './share-mail.ts'
import { codeMail } from './share-messages.ts'

export const CODE_TTL_MS = 10 * 60_000
/** With a million codes, this many tries and ten requests an hour leave guessing hopeless. */
const MAX_TRIES = 5
const PURGE_AFTER_MS = 24 * 3_600_000

/** A code that was right, and still has to be used up. */
export interface TakenCode {
  mailbox: string
  /** Fails with invalid_share_code when it was used meanwhile. */
  use(): Promise<void>
}

/** One-time codes sent to the recipients of a share. */
export interface RecipientCodes {
  /**
   * The same work for every address: whether it is a recipient's is looked up by the job.
   * Fails with too_many_requests.
   */
  request(
    share: Share,
    asked: { email: string; clientAddress: string; language: Language | null },
  ): Promise<void>
  /** Sends the code that was asked for, unless no recipient has the address, or nobody waits. */
  send(requestId: string): Promise<void>
  /** Fails with invalid_share_code, too_many_requests. */
  check(
    share: Share,
    given: { email: string; code: string; clientAddress: string },
  ): Promise<TakenCode>
  purge(): Promise<void>
}

export interface RecipientCodesDeps {
  codes: ShareCodeStore
  shares: Pick<ShareStore, 'findByUid'>
  mails: Pick<ShareMailStore, 'findRecipient'>
  attempts: Attempts
  mailer: Mailer
  admin: AdminPort
  key: ShareKey
  log: { warn(fields: object, message: string): void }
  clock: () => Date
}

export function createRecipientCodes(deps: RecipientCodesDeps): RecipientCodes {
  const { codes, attempts, key, clock } = deps

  /** Keyed and bound to the request: six digits are quickly tried. */
  async function hash(requestId: string, code: string): Promise<string> {
    return createHmac('sha256', await key())
      .update(`share-code\0${requestId}\0${code}`)
      .digest('base64url')
  }

  return {
    request: async ({ uid: shareUid }, { email, clientAddress, language }) => {
      const mailbox = mailboxOf(email)
      await attempts.countCodeRequest({ subject: `${shareUid} ${mailbox}`, clientAddress })
      await codes.record({ id: randomUUID(), shareUid, mailbox, language, createdAt: clock() })
    },

    send: (requestId) => sendCode(deps, requestId, hash),

    check: async ({ uid: shareUid }, { email, code, clientAddress }) => {
      const mailbox = mailboxOf(email)
      const subject = `${shareUid} ${mailbox}`
      let taken: { id: string; hash: string } | null = null
      await attempts.checkCode({ subject, clientAddress }, async () => {
        taken = await codes.take({ shareUid, mailbox, now: clock(), maxTries: MAX_TRIES })
        return taken !== null && isSame(await hash(taken.id, code), taken.hash)
      })
      return {
        mailbox,
        use: async () => {
          if (taken && (await codes.use(taken.id, clock()))) return
          throw new AppError('invalid_share_code')
        },
      }
    },

    purge: () => codes.purge(new Date(clock().getTime() - PURGE_AFTER_MS)),
  }
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

async function sendCode(
  { codes, shares, mails, mailer, admin, log, clock }: RecipientCodesDeps,
  requestId: string,
  hash: (requestId: string, code: string) => Promise<string>,
): Promise<void> {
  const request = await codes.find(requestId)
  const now = clock()
  if (!request || now.getTime() - request.createdAt.getTime() > CODE_TTL_MS) return
  const share = await shares.findByUid(request.shareUid)
  if (!share?.restrictsToRecipients || isExpired(share, now)) return
  const to = await mails.findRecipient(share.uid, request.mailbox)
  if (to === null) return
  const settings = await admin.settings({})
  const smtp = smtpSettings(settings)
  if (!smtp) {
    log.warn({ shareUid: share.uid }, 'email is disabled; code for a recipient not sent')
    return
  }
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const expiresAt = new Date(now.getTime() + CODE_TTL_MS)
  await codes.attach(requestId, { hash: await hash(requestId, code), expiresAt })
  const letter = codeMail(settings, { share, code, language: request.language })
  await mailer.send(smtp, { id: `share-code-${requestId}`, to, ...letter })
}

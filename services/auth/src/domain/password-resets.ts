import { randomUUID } from 'node:crypto'
import type { AdminPort, Language, ResetPasswordInput } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { type Mailer, smtpSettings } from '@floe/mail'
import type { Passwords } from '@floe/secrets'
import { resetPasswordMail } from './account-mails.ts'
import type { Attempts } from './attempts.ts'
import { createOpaqueToken, hashOpaqueToken } from './opaque-token.ts'
import type { LinkStore, UserStore } from './ports.ts'
import type { SecurityLog } from './sessions.ts'
import { requirePasswords, type SignedIn, type SignIns } from './sign-in.ts'
import { type Client, hasSecondFactor } from './user.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
export const RESET_LINK_TTL_MS = hourMs
const MAX_LINKS_AN_HOUR = 5
/** Kept this long, so that an expired login token is told from an unknown one. */
const PURGE_ENDED_AFTER_MS = dayMs
/** Longer than the job tries to send. */
const PURGE_REQUESTS_AFTER_MS = 3 * dayMs

export interface PasswordResets {
  /**
   * Records a request from this address. The same work for every e-mail address: whether
   * an account has it is looked up by the job. Fails with too_many_requests.
   */
  request(
    email: string,
    client: { address: string; language: Language | null; requestId: string | null },
  ): Promise<void>
  /** Handles a request: at most five messages an hour for one account, silently fewer. */
  sendLink(requestId: string): Promise<void>
  /**
   * Sets the password; every session and every other link of the user ends. Who chooses the first
   * password of an account is in with it, unless there is a second factor; `null` for all others,
   * who have signed in before and do so again.
   * Fails with invalid_reset_token, password_too_short, password_too_common, too_many_requests.
   */
  reset(input: ResetPasswordInput, client: Client): Promise<SignedIn | null>
  /** One-time tokens of every kind that ended, and requests that stayed without a response. */
  purge(): Promise<void>
}

export interface PasswordResetDependencies {
  users: UserStore
  links: LinkStore
  passwords: Passwords
  attempts: Attempts
  signIns: SignIns
  mailer: Mailer
  admin: AdminPort
  log: SecurityLog
  clock: () => Date
}

export function createPasswordResets(dependencies: PasswordResetDependencies): PasswordResets {
  const { links, passwords, attempts, signIns, admin, clock } = dependencies
  return {
    async request(email, { address, language, requestId }) {
      await attempts.countResetRequest(address)
      await requirePasswords(admin)
      await links.recordRequest(
        { id: randomUUID(), email, language, createdAt: clock() },
        requestId,
      )
    },

    sendLink: (requestId) => sendLink(dependencies, requestId),

    reset: ({ token, password }, client) =>
      attempts.resetPassword(client.address, async () => {
        const tokenHash = hashOpaqueToken(token)
        const isOpen = await links.isOpen(tokenHash, clock())
        if (!isOpen) throw new AppError('invalid_reset_token')
        const passwordHash = await passwords.hashForAccount(password)
        const reset = { tokenHash, passwordHash, now: clock(), origin: client }
        const user = await links.resetPassword(reset)
        if (!user) throw new AppError('invalid_reset_token')
        if (user.hasPassword || hasSecondFactor(user)) return null
        return signIns.enterByPassword(user, client, passwordHash)
      }),

    purge() {
      const now = clock().getTime()
      return links.purge({
        endedBefore: new Date(now - PURGE_ENDED_AFTER_MS),
        requestedBefore: new Date(now - PURGE_REQUESTS_AFTER_MS),
      })
    },
  }
}

async function sendLink(
  { users, links, mailer, admin, log, clock }: PasswordResetDependencies,
  requestId: string,
): Promise<void> {
  const request = await links.findRequest(requestId)
  if (request === null) return
  const settings = await admin.settings({})
  const smtp = smtpSettings(settings)
  if (!smtp) {
    log.warn({ resetRequestId: requestId }, 'email is disabled; password reset link not sent')
    return links.forgetRequest(requestId)
  }
  const login = await users.findLogin(request.email)
  // The directory has the password of the others.
  if (!login || login.user.directoryId !== null) return links.forgetRequest(requestId)
  const { user } = login

  const { token, hash } = createOpaqueToken()
  const createdAt = clock()
  const isIssued = await links.issue(
    {
      hash,
      userId: user.id,
      purpose: 'password-reset',
      createdAt,
      expiresAt: new Date(createdAt.getTime() + RESET_LINK_TTL_MS),
    },
    { maxRecent: MAX_LINKS_AN_HOUR, recentSince: new Date(createdAt.getTime() - hourMs) },
  )
  if (isIssued) {
    const message = resetPasswordMail(settings, {
      id: `password-reset-${requestId}`,
      // The account's own spelling: what was typed came from anybody.
      to: user.email,
      language: request.language,
      token,
    })
    try {
      await mailer.send(smtp, message)
    } catch (error) {
      // Nobody has this link, and the next try makes another.
      await links.withdraw(hash)
      throw error
    }
  }
  await links.forgetRequest(requestId)
}

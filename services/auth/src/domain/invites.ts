import { randomBytes } from 'node:crypto'
import type { AdminPort, Language, Settings } from '@floe/contracts'
import { type Mailer, type SmtpSettings, smtpSettings } from '@floe/mail'
import type { Passwords } from '@floe/secrets'
import { inviteMail, invitesByPassword } from './account-mails.ts'
import { createOpaqueToken } from './opaque-token.ts'
import type { LinkStore, UserStore } from './ports.ts'
import type { SecurityLog } from './sessions.ts'
import type { User } from './user.ts'

export const INVITE_LINK_TTL_MS = 7 * 24 * 60 * 60 * 1000

export interface Invites {
  /** Sends a new user the way in, unless there is a password by now. */
  send(userId: string, language: Language | null): Promise<void>
}

export interface InviteDependencies {
  users: UserStore
  links: LinkStore
  passwords: Passwords
  mailer: Mailer
  admin: AdminPort
  log: SecurityLog
  clock: () => Date
}

export function createInvites(dependencies: InviteDependencies): Invites {
  const { users, admin, log } = dependencies
  return {
    async send(userId, language) {
      const [user] = await users.findUsers([userId])
      if (!user || user.hasPassword) return
      const settings = await admin.settings({})
      const smtp = smtpSettings(settings)
      if (!smtp) {
        log.warn({ userId }, 'email is disabled; invitation not sent')
      } else if (invitesByPassword(settings)) {
        await sendPassword(dependencies, { user, settings, smtp, language })
      } else {
        await sendLink(dependencies, { user, settings, smtp, language })
      }
    },
  }
}

interface Invitation {
  user: User
  settings: Settings
  smtp: SmtpSettings
  /** The language of the administrator who invites. */
  language: Language | null
}

async function sendLink(
  { links, mailer, clock }: InviteDependencies,
  { user, settings, smtp, language }: Invitation,
): Promise<void> {
  const { token, hash } = createOpaqueToken()
  const createdAt = clock()
  const expiresAt = new Date(createdAt.getTime() + INVITE_LINK_TTL_MS)
  const link = { hash, userId: user.id, purpose: 'invite', createdAt, expiresAt } as const
  if (!(await links.issue(link))) return
  try {
    await mailer.send(smtp, inviteMail(settings, { ...receiver(user), language, token }))
  } catch (error) {
    await links.withdraw(hash)
    throw error
  }
}

/** Sent first: a password that was stored and then lost would keep its user out. */
async function sendPassword(
  { users, passwords, mailer }: InviteDependencies,
  { user, settings, smtp, language }: Invitation,
): Promise<void> {
  const password = randomBytes(12).toString('base64url')
  const passwordHash = await passwords.hash(password)
  await mailer.send(smtp, inviteMail(settings, { ...receiver(user), language, password }))
  await users.addPassword(user.id, passwordHash)
}

function receiver(user: User): { id: string; to: string } {
  return { id: `invite-${user.id}`, to: user.email }
}

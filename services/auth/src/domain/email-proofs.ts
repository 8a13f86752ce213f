import { randomUUID } from 'node:crypto'
import {
  type AdminPort,
  type EmailStanding,
  type Language,
  mustVerifyEmail,
  type Settings,
} from '@floe/contracts'
import type { Attempts } from './attempts.ts'
import type { EmailChangeStore, EmailProof } from './ports.ts'

export const EMAIL_LINK_TTL_MS = 24 * 60 * 60 * 1000

interface Account {
  id: string
  isAdmin: boolean
  emailStanding: EmailStanding
}

/** Proofs that an address belongs to its account: links sent there, before the first share. */
export interface EmailProofs {
  mustVerify(user: Account): Promise<boolean>
  /** Sends the link again, if it is still owed. Fails with too_many_requests. */
  sendAgain(user: Account, language: Language | null): Promise<void>
}

export function createEmailProofs({
  emailChanges,
  attempts,
  admin,
  clock,
}: {
  emailChanges: EmailChangeStore
  attempts: Attempts
  admin: AdminPort
  clock: () => Date
}): EmailProofs {
  const mustVerify = async (user: Account) => mustVerifyEmail(user, await admin.settings({}))
  return {
    mustVerify,
    async sendAgain(user, language) {
      if (!(await mustVerify(user))) return
      await attempts.countEmailChange(user.id)
      await emailChanges.requestProof(user.id, newEmailProof(language, clock()))
    },
  }
}

/** What somebody who signs up owes under these settings; `null` is nothing. */
export function owedProof(
  settings: Settings,
  language: Language | null,
  now: Date,
): EmailProof | null {
  const signedUp = { isAdmin: false, emailStanding: 'owed' } as const
  return mustVerifyEmail(signedUp, settings) ? newEmailProof(language, now) : null
}

function newEmailProof(language: Language | null, createdAt: Date): EmailProof {
  const expiresAt = new Date(createdAt.getTime() + EMAIL_LINK_TTL_MS)
  return { id: randomUUID(), language, createdAt, expiresAt }
}

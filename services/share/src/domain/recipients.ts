import type { Identity } from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { ShareMailStore } from './ports.ts'
import type { RecipientCodes } from './recipient-codes.ts'
import { closed, type Share } from './share.ts'
import { mailboxOf } from './share-mail.ts'

/** How somebody comes into a share. */
export interface Admission {
  /** As which recipient; `null` where the share opens for everybody. */
  recipient: string | null
  /** Uses up what let them in. Fails with invalid_share_code. */
  use(): Promise<void>
}

interface Applicant {
  identity: Identity | null
  email: string | undefined
  code: string | undefined
  clientAddress: string
}

/** Tells who may open a share that opens for its recipients alone. */
export interface Recipients {
  /**
   * Whether no code has to be asked for: the share opens for everybody, or the account's address is
   * known to be its own, and on the list.
   */
  isInvited(share: Share, identity: Identity | null): Promise<boolean>
  /** Whether a visit that began as this recipient goes on. */
  isStillOne(share: Share, recipient: string | null): Promise<boolean>
  /** Fails with share_recipient_required, invalid_share_code, too_many_requests. */
  admit(share: Share, applicant: Applicant): Promise<Admission>
}

export function createRecipients({
  mails,
  codes,
}: {
  mails: Pick<ShareMailStore, 'findRecipient'>
  codes: RecipientCodes
}): Recipients {
  const isListed = async ({ uid }: Share, mailbox: string) =>
    (await mails.findRecipient(uid, mailbox)) !== null

  async function isRecipient(share: Share, identity: Identity | null) {
    if (identity === null || identity.emailStanding !== 'verified') return false
    return isListed(share, mailboxOf(identity.email))
  }

  return {
    isInvited: async (share, identity) =>
      !share.restrictsToRecipients || isRecipient(share, identity),

    isStillOne: async (share, recipient) => {
      if (!share.restrictsToRecipients) return true
      return recipient !== null && isListed(share, recipient)
    },

    admit: async (share, { identity, email, code, clientAddress }) => {
      const admitted = (recipient: string | null) => ({ recipient, use: async () => undefined })
      if (!share.restrictsToRecipients) return admitted(null)
      if (identity && (await isRecipient(share, identity))) {
        return admitted(mailboxOf(identity.email))
      }
      if (!email || !code) throw closed(share, 'share_recipient_required')
      const { mailbox, use } = await codes.check(share, { email, code, clientAddress })
      // Taken off the list since it was sent.
      if (!(await isListed(share, mailbox))) throw new AppError('invalid_share_code')
      return { recipient: mailbox, use }
    },
  }
}

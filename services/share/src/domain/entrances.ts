import type { AdminPort } from '@floe/contracts'
import { AppError, type RateLimitUsage } from '@floe/errors'
import type { Passwords } from '@floe/secrets'
import type { Attempts } from './attempts.ts'
import type { ReverseShareStore } from './ports.ts'
import { isClosed, mayTake, type ReverseShare } from './reverse-share.ts'
import type { VisitTokens } from './visit-tokens.ts'

/** The cookie that proves the password of a reverse share, by the share's token. */
export type AccessOf = (token: string) => string | null

/** Lets senders in through reverse shares. */
export interface Entrances {
  /**
   * The reverse share that takes files under this token; misses count.
   * Fails with reverse_share_not_found, reverse_shares_disabled, too_many_requests.
   */
  find(token: string, clientAddress: string): Promise<ReverseShare>
  /** No password is needed, or it was given. */
  isUnlocked(reverseShare: ReverseShare, accessOf: AccessOf): Promise<boolean>
  /**
   * `access` is what proves it from then on, `null` where no password is needed. Fails like `find`,
   * and with reverse_share_password_required, wrong_password.
   */
  unlock(token: string, attempt: UnlockAttempt): Promise<Unlocked>
}

export interface UnlockAttempt {
  password: string | undefined
  clientAddress: string
}

export interface Unlocked {
  access: string | null
  rateLimit: RateLimitUsage | null
}

export interface EntrancesDeps {
  reverseShares: ReverseShareStore
  tokens: VisitTokens
  passwords: Passwords
  attempts: Attempts
  admin: AdminPort
  clock: () => Date
}

export function createEntrances(deps: EntrancesDeps): Entrances {
  const { reverseShares, tokens, passwords, attempts, admin, clock } = deps

  async function find(token: string, clientAddress: string) {
    const found = await attempts.followLink(clientAddress, async () => {
      const reverseShare = await reverseShares.findByToken(token)
      return reverseShare === null || isClosed(reverseShare, clock()) ? null : reverseShare
    })
    if (found === null) throw new AppError('reverse_share_not_found')
    const settings = await admin.settings({})
    const { 'share.reverseShares': mode } = settings
    if (mode === 'off' || !mayTake(found, settings)) throw new AppError('reverse_shares_disabled')
    return { ...found, isSimplified: found.isSimplified || mode === 'simple' }
  }

  return {
    find,

    isUnlocked: async (reverseShare, accessOf) => {
      if (reverseShare.passwordHash === null) return true
      const access = accessOf(reverseShare.token)
      return access !== null && tokens.verify(access, subjectOf(reverseShare))
    },

    unlock: async (token, { password, clientAddress }) => {
      const reverseShare = await find(token, clientAddress)
      const { id, passwordHash } = reverseShare
      if (passwordHash === null) return { access: null, rateLimit: null }
      if (!password) throw new AppError('reverse_share_password_required')
      const rateLimit = await attempts.checkPassword({ subject: id, clientAddress }, () =>
        passwords.verify(passwordHash, password),
      )
      return { access: await tokens.issue(subjectOf(reverseShare)), rateLimit }
    },
  }
}

function subjectOf({ id, createdAt, expiresAt, passwordHash }: ReverseShare) {
  return { uid: id, createdAt, expiresAt, passwordHash }
}

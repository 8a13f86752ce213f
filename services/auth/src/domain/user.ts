import type { EmailStanding, SharingExceptions } from '@floe/contracts'

export interface User {
  id: string
  username: string
  email: string
  isAdmin: boolean
  hasPassword: boolean
  /** A second factor is asked for; one that is only being set up does not count. */
  totpVerified: boolean
  hasPasskeys: boolean
  /** Bytes; `null` leaves it to the setting, 0 is no limit. */
  storageLimit: number | null
  /** Bytes of one share; as `storageLimit`. */
  shareSizeLimit: number | null
  sharingExceptions: SharingExceptions
  /** Visitors of this user's shares are told the username. */
  showsName: boolean
  emailStanding: EmailStanding
  /** The id of the person's entry in the directory, which lets them in; `null`: a local account. */
  directoryId: string | null
  /** For an administrator's approval: until then no session begins. */
  isWaiting: boolean
}

/** Whether a password alone, or a provider, lets nobody in. */
export function hasSecondFactor({ totpVerified, hasPasskeys }: User): boolean {
  return totpVerified || hasPasskeys
}

/** A session that is alive, with the user it belongs to as stored right now. */
export interface ActiveSession {
  sessionId: string
  /** When somebody signed in: renewing it changes nothing. */
  startedAt: Date
  user: User
  /** What a token allows of it; `null` for somebody who signed in. */
  tokenCaps: TokenCaps | null
}

/** Of shares that are made with a token; `null` leaves it to what its owner may. */
export interface TokenCaps {
  maxShareBytes: number | null
  maxExpirationHours: number | null
}

/** Where a session began; shown to its user, never used to decide anything. */
export interface SessionOrigin {
  address: string
  userAgent: string
}

/** The client that tries to sign in. */
export interface Client extends SessionOrigin {
  /** As the browser sent it: `devices` decides what it is worth. */
  deviceToken: string | null
}

import type { Language, Receiver, Settings } from '@floe/contracts'

/** A link that others send shares through, to the one who made it. */
export interface ReverseShare {
  id: string
  /** The public end of the link. */
  token: string
  creatorId: string
  createdAt: Date
  /** Its purpose, as the owner wrote it. */
  name: string | null
  expiresAt: Date
  /** The limit of each share sent through it. */
  maxSizeBytes: number
  remainingUses: number
  passwordHash: string | null
  /** Mails its owner about each share. */
  sendsNotice: boolean
  /** Senders without an account give their name. */
  asksSenderName: boolean
  /** Otherwise its owner alone reads what was sent. */
  isPublic: boolean
  isSimplified: boolean
  /** To whom all that is sent is encrypted; `null` where it is not. */
  receiver: Receiver | null
  /** The owner's language; `null` in rows from before it was stored. */
  language: Language | null
}

/** Tokens that would collide with a route of the API. */
const reservedTokens: ReadonlySet<string> = new Set(['isReverseShareTokenAvailable'])

export function isReservedToken(token: string): boolean {
  return reservedTokens.has(token)
}

/** Senders who may be at it beyond those whose shares could still be completed. */
const SPARE_OPEN_SHARES = 20

/**
 * How many shares may be on their way through it at once, completed by nobody yet. Without a
 * limit anybody with the link could fill the tables, as an open share takes no use.
 */
export function mayBeOpen({ remainingUses }: Pick<ReverseShare, 'remainingUses'>): number {
  return remainingUses + SPARE_OPEN_SHARES
}

/** Where all that is sent must be encrypted, or must not be, one of the other kind is off. */
export function mayTake(
  { receiver }: Pick<ReverseShare, 'receiver'>,
  { 'share.encryption': encryption }: Pick<Settings, 'share.encryption'>,
): boolean {
  return encryption !== (receiver === null ? 'required' : 'off')
}

/** Takes no further share: for senders it is as if it did not exist. */
export function isClosed({ expiresAt, remainingUses }: ReverseShare, now: Date): boolean {
  return expiresAt <= now || remainingUses <= 0
}

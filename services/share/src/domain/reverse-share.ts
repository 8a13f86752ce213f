/** A link that others send shares through, to the one who made it. */
export interface ReverseShare {
  id: string
  /** The public end of the link. */
  token: string
  creatorId: string
  createdAt: Date
  /** What it is for. */
  name: string | null
  expiresAt: Date
  /** Of one share. */
  maxSizeBytes: number
  remainingUses: number
  passwordHash: string | null
  /** Mails its owner about each share. */
  sendsNotice: boolean
  /** Of senders without an account. */
  asksSenderName: boolean
  /** Otherwise its owner alone reads what was sent. */
  isPublic: boolean
  isSimplified: boolean
}

/** What `isReverseShareTokenAvailable` would be mistaken for. */
const reservedTokens: ReadonlySet<string> = new Set(['isReverseShareTokenAvailable'])

export function isReservedToken(token: string): boolean {
  return reservedTokens.has(token)
}

/** Takes no further share: for senders it is as if it did not exist. */
export function isClosed({ expiresAt, remainingUses }: ReverseShare, now: Date): boolean {
  return expiresAt <= now || remainingUses <= 0
}

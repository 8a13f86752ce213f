import type { EmailStanding, LogoVariant, Receiver } from '@floe/contracts'
import type { ObjectReader } from '@floe/storage'

/** Products whose data can be imported. */
export const products = ['pingvin', 'palmr', 'gokapi', 'floe'] as const
export type Product = (typeof products)[number]

/** What an installation of another product holds, in our terms. Nothing of it is written to. */
export interface ImportSource {
  key: Product
  /** For people, such as `Pingvin Share 1.13`. */
  product: string
  users(): SourceUser[]
  reverseShares(): SourceReverseShare[]
  settings(): SourceSetting[]
  /** A PNG; null where there is none. */
  logo(variant: LogoVariant): Promise<Buffer | null>
  /** In the order in which they were made, so many at a time. */
  shares(atOnce: number): AsyncIterable<SourceShare[]>
  hasShare(id: string): boolean
  /** What it does not bring, a line for each; complete once all shares were read. */
  losses(): string[]
  close(): Promise<void>
}

export interface SourceUser {
  id: string
  createdAt: Date
  username: string
  email: string
  /** Argon2id in PHC form; null where there is no password. */
  passwordHash: string | null
  isAdmin: boolean
  /** Base32, of a second factor that is in use. */
  totpSecret: string | null
  identities: SourceIdentity[]
  sessions: SourceSession[]
  /** 0 is none. */
  storageLimitBytes: number | null
  showsName: boolean
  emailStanding: EmailStanding
  /** Of one share; 0 is none. */
  shareSizeLimitBytes: number | null
  /** Of the entry of a directory account, or `dn:` and its DN; null for a local account. */
  directoryId: string | null
}

/** An account at a provider of sign-ins. */
export interface SourceIdentity {
  provider: string
  /** Whose id `subject` is; absent where the settings say so. */
  issuer?: string
  subject: string
  username: string
}

/** A browser that is signed in. */
export interface SourceSession {
  refreshToken: string
  createdAt: Date
  expiresAt: Date
}

/** What an administrator changed. */
export interface SourceSetting {
  /** Such as `general.appName`. */
  key: string
  value: string
}

export interface SourceReverseShare {
  id: string
  createdAt: Date
  token: string
  name: string | null
  expiresAt: Date
  passwordHash: string | null
  maxBytes: number
  remainingUses: number
  sendsNotice: boolean
  asksSenderName: boolean
  isSimplified: boolean
  isPublic: boolean
  /** To whom its shares are encrypted. */
  receiver: Receiver | null
  creatorId: string
}

export interface SourceShare {
  id: string
  createdAt: Date
  name: string | null
  description: string | null
  /** Null is never. */
  expiresAt: Date | null
  views: number
  maxViews: number | null
  passwordHash: string | null
  removedReason: string | null
  /** False while its files are still uploaded. */
  isCompleted: boolean
  creatorId: string | null
  reverseShareId: string | null
  /** Whose reverse share it came through, if that is gone. */
  receiverId: string | null
  /** Only its creator and its receiver may read, whatever its reverse share says now. */
  isPrivate: boolean
  senderName: string | null
  recipients: string[]
  /** Opens for them alone. */
  restrictsToRecipients: boolean
  /** End to end, so that its files are ciphertexts. */
  isEncrypted: boolean
  /** Its key, for the receiver of its reverse share alone. */
  sealedKey: string | null
  files: SourceFile[]
}

/** A whole share, of a product that has nothing of this. */
export const bareShare = {
  description: null,
  removedReason: null,
  isCompleted: true,
  creatorId: null,
  reverseShareId: null,
  receiverId: null,
  isPrivate: false,
  senderName: null,
  recipients: [],
  restrictsToRecipients: false,
  isEncrypted: false,
  sealedKey: null,
} satisfies Partial<SourceShare>

export interface SourceFile {
  /** As in addresses, in any form. */
  id: string
  createdAt: Date
  name: string
  /** Of the row; the file may have another. */
  sizeBytes: number
  /** Null where its bytes are missing. */
  content: SourceContent | null
}

/** The bytes of a file, wherever they are. */
export interface SourceContent {
  sizeBytes: number
  /** Of a file on this machine; null for one that can only be read. */
  path: string | null
  open(): Promise<ObjectReader>
}

/** Why a source cannot be read at all: one sentence for the operator. */
export class SourceError extends Error {}

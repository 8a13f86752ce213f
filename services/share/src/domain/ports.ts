import type { Share } from './share.ts'

export interface NewShare {
  share: Share
  recipients: readonly string[]
}

export type ShareChanges = Partial<
  Pick<
    Share,
    'name' | 'description' | 'expiresAt' | 'passwordHash' | 'maxViews' | 'notifyOnDownload'
  >
>

export interface ExpiryRule {
  now: Date
  /** Shares never completed and idle since before this are deleted too. */
  abandonedBefore: Date
  limit: number
}

/** Every change is one statement or one transaction; events are part of it. */
export interface ShareStore {
  /** `false` when the id is taken. */
  insert(share: NewShare): Promise<boolean>
  findById(id: string): Promise<Share | null>
  findByUid(uid: string): Promise<Share | null>
  /** Published and unexpired, newest expiry first; "never" is the newest. */
  listPublishedByCreator(userId: string, now: Date): Promise<Share[]>
  /** Every share, newest first. */
  listAll(): Promise<Share[]>
  /** Recipients by share; shares without any are left out. */
  listRecipients(shareUids: readonly string[]): Promise<Map<string, string[]>>
  existing(shareUids: readonly string[]): Promise<string[]>
  publishedEditions(shareUids: readonly string[]): Promise<{ shareUid: string; edition: number }[]>
  /** `null` when the share is gone. */
  update(uid: string, changes: ShareChanges): Promise<Share | null>
  /** Publishes the next edition and records share.completed. `null` when the share is completed already, or gone. */
  complete(uid: string, now: Date): Promise<Share | null>
  /** Leaves an open share open. `null` when the share is gone. */
  reopen(uid: string, now: Date): Promise<Share | null>
  recordActivity(uid: string, now: Date): Promise<void>
  /** Records share.deleted. `false` when the share is gone. */
  remove(uid: string): Promise<boolean>
  /** Records share.deleted for each; returns how many. */
  removeExpired(rule: ExpiryRule): Promise<number>
  /** Records share.deleted for each; returns how many, at most `limit`. */
  removeByCreator(userId: string, limit: number): Promise<number>
  /** Counts one view unless the limit is reached or the password is no longer `passwordHash`. */
  countView(share: Pick<Share, 'uid' | 'passwordHash'>): Promise<boolean>
}

export interface Visit {
  shareUid: string
  visitorHash: string
  now: Date
  expiresAt: Date
}

export interface VisitStore {
  isUnderWay(visit: Omit<Visit, 'expiresAt'>): Promise<boolean>
  /**
   * Begins a visit of a share without password and counts one view, or finds that a parallel
   * request just did. `false` when the limit is reached, or a password was set, or it is gone.
   */
  begin(visit: Visit): Promise<boolean>
  prune(now: Date): Promise<void>
}

export interface SecretStore {
  /** The stored value, or `candidate` if there was none: the same for every process. */
  findOrInsert(name: string, candidate: string): Promise<string>
}

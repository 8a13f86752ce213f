import type { Announcement, AuditEvent, Language, ShareListQuery } from '@floe/contracts'
import type { Kept } from './retention.ts'
import type { ReverseShare } from './reverse-share.ts'
import type { Share } from './share.ts'
import type { ShareMail } from './share-mail.ts'

export interface NewShare {
  share: Share
  recipients: readonly string[]
  /** Open shares of the same maker that have files: they do not count as empty. */
  filled: readonly string[]
}

export type ShareChanges = Partial<
  Pick<
    Share,
    | 'name'
    | 'description'
    | 'expiresAt'
    | 'passwordHash'
    | 'maxViews'
    | 'restrictsToRecipients'
    | 'notifyOnDownload'
    | 'senderName'
  >
>

/** `recipients` replaces the list. */
export interface ShareUpdate {
  changes: ShareChanges
  recipients?: readonly string[]
  now: Date
  auditEvents: readonly AuditEvent[]
}

export type Insertion =
  'inserted' | 'id taken' | 'reverse share changed' | 'reverse share busy' | 'too many empty'

/** `owesNotice`: the owner of its reverse share is to be told. */
export type Completion =
  { share: Share; owesNotice: boolean } | 'completed already' | 'used up' | 'id taken' | 'gone'

export interface InfectedFile {
  id: string
  name: string
  threat: string
}

/** The edition that a completion publishes. */
export interface NewEdition {
  now: Date
  archiveLevel: number
  terms: FirstTerms
  /** Visitors do not see it before its files were scanned, and nobody is told of it. */
  isHeld: boolean
}

/** What the first completion decides; later ones decide nothing. `recipients` replaces the list. */
export interface FirstTerms {
  id?: string
  changes: ShareChanges
  recipients?: readonly string[]
}

/** A share that is opened while its files are uploaded. */
export interface EarlyOpening extends NewEdition {
  announced: Announcement | null
}

export interface ExpiryRule extends Kept {
  /** Shares never completed and idle since before this are deleted too. */
  abandonedBefore: Date
  limit: number
}

/** Every change is one statement or one transaction; events are part of it. */
export interface ShareListing extends Omit<ShareListQuery, 'search'> {
  /** Text in the link or the name, or the makers' ids. */
  search?: { text: string; creatorIds: readonly string[] }
}

export interface ShareStore {
  /**
   * `reverse share changed` when what the share has from its reverse share no longer holds, or that
   * one is gone; `reverse share busy` when as many are open as `mayBeOpen` says; `too many empty`
   * when its maker has as many open ones, beside the filled, as there may be without files.
   */
  insert(share: NewShare): Promise<Insertion>
  /** The uids of those that were never completed, opened or not. */
  listOpenByCreator(userId: string): Promise<string[]>
  findById(id: string): Promise<Share | null>
  findByUid(uid: string): Promise<Share | null>
  /**
   * Published and unexpired, newest expiry first; "never" is the newest. Then those that are kept,
   * unless they ended with their reverse share: that one's owner alone may prolong them.
   */
  listPublishedByCreator(userId: string, kept: Kept): Promise<Share[]>
  /** Every share, the newest first unless told otherwise, and how many match in all. */
  listAll(query: ShareListing): Promise<{ shares: Share[]; total: number }>
  /** Recipients by share; shares without any are left out. */
  listRecipients(shareUids: readonly string[]): Promise<Map<string, string[]>>
  /** Completed ones that have not ended. */
  countLive(now: Date): Promise<number>
  existing(shareUids: readonly string[]): Promise<string[]>
  publishedEditions(
    shareUids: readonly string[],
  ): Promise<{ shareUid: string; edition: number; archiveLevel: number | null }[]>
  /** Ordered by uid. */
  publishedShares(page: {
    after: string | null
    limit: number
  }): Promise<{ shareUid: string; shareId: string; edition: number }[]>
  /** Owes a published share's new recipients their mail. `null` when the share is gone. */
  update(uid: string, update: ShareUpdate): Promise<Share | null>
  /**
   * Publishes the next edition of a share that was found open or reopened, records share.completed,
   * and owes recipients and receiver their mails, or leaves that to `release`. The first time it takes a use of the reverse
   * share, or is `used up` when none is left; `id taken` when another share has the new link.
   */
  complete(found: Share, edition: NewEdition): Promise<Completion>
  /** Held ones, in the order of `uid`. */
  listHeld(page: { after: string | null; limit: number }): Promise<Share[]>
  /** Lets visitors see the edition that was completed, unless there is another one by now. */
  release(held: Share, now: Date): Promise<void>
  /** Sets the level of all shares published before levels were stored. */
  settleArchiveLevels(level: number): Promise<void>
  /**
   * Shows an open share to visitors as its first edition, which uploads go on into, and owes
   * recipients their mails; fails like `complete`.
   */
  openEarly(found: Share, opening: EarlyOpening): Promise<Share | Exclude<Completion, object>>
  /** Replaces what was announced of a share that is uploading. */
  announce(uid: string, announced: Announcement): Promise<void>
  /** By share; left out where nothing is announced. */
  listAnnounced(shareUids: readonly string[]): Promise<Map<string, Announcement>>
  /** Opened early, and without activity since then. */
  listStalled(idleSince: Date, limit: number): Promise<Share[]>
  /** Leaves a share open that was never completed. `null` when the share is gone. */
  reopen(uid: string, now: Date): Promise<Share | null>
  /** Ends an edit as the last completion left the share. `null` when there is none to go back to. */
  closeEdit(uid: string, now: Date): Promise<Share | null>
  recordActivity(uid: string, now: Date): Promise<void>
  /** For what changes nothing; every change records its own. */
  recordAuditEvents(auditEvents: readonly AuditEvent[]): Promise<void>
  /** Forgets the addresses of shares made before then. */
  forgetCreatorAddresses(createdBefore: Date): Promise<void>
  /** Records share.deleted. `false` when the share is gone. */
  remove(uid: string, auditEvents: readonly AuditEvent[]): Promise<boolean>
  /** Tells webhooks of shares that have ended; returns how many. */
  tellExpired(now: Date, limit: number): Promise<number>
  /** Records share.deleted for each; returns how many. */
  removeExpired(rule: ExpiryRule): Promise<number>
  /** Records share.deleted for each; returns how many, at most `limit`. */
  removeByCreator(userId: string, limit: number): Promise<number>
  /** Counts one view unless the limit is reached or the password is no longer `passwordHash`. */
  countView(share: Pick<Share, 'uid' | 'passwordHash'>, now: Date): Promise<boolean>
  /** Views by the hour that begins then, oldest first. */
  viewHours(uid: string, since: Date): Promise<{ hour: Date; count: number }[]>
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

export interface ShareCodeRequest {
  id: string
  shareUid: string
  /** Who asks to be let in, in lower case; whether a recipient has it is looked up by the job. */
  mailbox: string
  /** The language of the one who asks. */
  language: Language | null
  createdAt: Date
}

/** One-time codes for recipients of a share. */
export interface ShareCodeStore {
  /** Records `share-code.requested` with it. */
  record(request: ShareCodeRequest): Promise<void>
  find(id: string): Promise<ShareCodeRequest | null>
  /** An earlier code of the request ends. */
  attach(id: string, code: { hash: string; expiresAt: Date }): Promise<void>
  /**
   * The latest code of this mailbox that still counts, one of its `maxTries` being used up by this;
   * `null` where there is none.
   */
  take(of: {
    shareUid: string
    mailbox: string
    now: Date
    maxTries: number
  }): Promise<{ id: string; hash: string } | null>
  /** `false` when it was used meanwhile. */
  use(id: string, now: Date): Promise<boolean>
  purge(requestedBefore: Date): Promise<void>
}

export interface SecretStore {
  /** The stored value, or `candidate` if there was none: the same for every process. */
  findOrInsert(name: string, candidate: string): Promise<string>
}

export type ReverseShareChanges = Partial<
  Omit<ReverseShare, 'id' | 'token' | 'creatorId' | 'createdAt'>
>

/** Every change is one statement or one transaction; events are part of it. */
export interface ReverseShareStore {
  /** `false` when the token is taken. */
  insert(reverseShare: ReverseShare): Promise<boolean>
  findById(id: string): Promise<ReverseShare | null>
  findByToken(token: string): Promise<ReverseShare | null>
  /** Unexpired or with shares that are kept, newest expiry first. */
  listByCreator(userId: string, kept: Kept): Promise<ReverseShare[]>
  /** Shares sent through these, newest first: published, unexpired or kept since it ended. */
  listShares(ids: readonly string[], kept: Kept): Promise<Share[]>
  /** Changes with it who may read its shares and when they end. `null` when it is gone. */
  update(id: string, changes: ReverseShareChanges): Promise<ReverseShare | null>
  /** Removes its shares too; records reverse-share.deleted, and share.deleted for each. */
  remove(id: string): Promise<boolean>
  /** As `remove`; `false` when the user has none. */
  removeOneByCreator(userId: string): Promise<boolean>
  /** Those that have ended and hold no share any more. */
  removeExpired(now: Date): Promise<void>
}

export interface DueReminders {
  now: Date
  /** Shares that end before this and were published longer than that before their end. */
  before: Date
  limit: number
}

/** Messages that shares owe. They are recorded where they become due; see `ShareStore`. */
export interface ShareMailStore {
  /**
   * Takes a message in hand, for as long as this process lives or until it is released.
   * `held` while another process has it; `null` when it is sent or no longer due. One that a
   * process died over counts as sent if all of it was on its way to the mail server, and is to be
   * sent again if not. Either is decided only if its handover lies before `deadSince`: a process
   * that lost the database for a moment looks dead, and may still tell how it went.
   */
  claim(mailId: string, deadSince: Date): Promise<ShareMail | 'held' | null>
  /** The mail server is about to get it. `false` when another process has it by now. */
  beginHandover(mailId: string, now: Date): Promise<boolean>
  /** All of it is on its way there. */
  recordHandedOver(mailId: string, now: Date): Promise<void>
  release(mailId: string): Promise<void>
  markSent(mailId: string, now: Date): Promise<void>
  /** Forgets a message that is not to be sent: it may become due again. */
  drop(mailId: string): Promise<void>
  /** The address as its share's owner wrote it; `null` when it is no longer on the list. */
  findRecipient(shareUid: string, mailbox: string): Promise<string | null>
  /**
   * Remembers the first download, and owes the creator a message if wanted and none became due
   * since `quietSince`.
   */
  recordDownload(shareUid: string, times: { now: Date; quietSince: Date }): Promise<void>
  /** Owes its owner a message about the file, tells webhooks and administrators; once for a file. */
  recordInfected(share: Share, file: InfectedFile, now: Date): Promise<void>
  /** Owes the creators of shares with recipients that nobody downloaded a reminder; how many. */
  oweReminders(due: DueReminders): Promise<number>
}

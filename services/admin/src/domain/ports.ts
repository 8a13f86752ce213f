import type {
  AuditEvent,
  AuditEntry,
  AuditFilter,
  AuditQuery,
  DailyMetrics,
  Language,
  LogoVariant,
  LogoVersions,
  RecordedAuditEvent,
} from '@floe/contracts'
import type { Icon } from '@floe/pictures'
import type { ConfigChange, StoredValue } from './config-values.ts'
import type { Notice, NoticeKind, ToldNotice } from './notice-rules.ts'

export interface ConfigStore {
  list(): Promise<StoredValue[]>
  /** Applies all changes together or none, and records the audit events with them. */
  apply(
    changes: readonly ConfigChange[],
    options: { now: Date; auditEvents: readonly AuditEvent[] },
  ): Promise<void>
}

/** One record for each day: the last of that day. */
export interface MetricsStore {
  record(day: string, metrics: DailyMetrics): Promise<void>
  /** From this day on, the oldest first. */
  listSince(day: string): Promise<({ day: string } & DailyMetrics)[]>
}

/** The position after which a page of the log begins: entries come the latest first. */
export type AuditPosition = Pick<AuditEntry, 'id' | 'at'>

export interface AuditStore {
  /** Once, however often it is asked for. */
  add(auditEvent: RecordedAuditEvent): Promise<void>
  list(query: AuditQuery): Promise<{ entries: AuditEntry[]; total: number }>
  /** Those after a position, `null` for the first. */
  listAfter(
    position: AuditPosition | null,
    options: { filter: AuditFilter; limit: number },
  ): Promise<AuditEntry[]>
  /** Removes at most `limit` entries from before; how many. */
  removeBefore(moment: Date, limit: number): Promise<number>
  /** For audit events that no other change records. */
  record(auditEvents: readonly AuditEvent[]): Promise<void>
}

/** Icons of each logo, all of them or none, the same for every replica. */
export interface LogoStore {
  /** Which logos there are. */
  versions(): Promise<LogoVersions>
  /** The icons of this logo; `null` when there is another by now, or none. */
  icons(version: string): Promise<Icon[] | null>
  /** Records the audit event with it, as `remove` does if there was a logo. */
  replace(
    logo: { variant: LogoVariant; version: string; icons: readonly Icon[] },
    options: { now: Date; auditEvent: AuditEvent },
  ): Promise<void>
  remove(variant: LogoVariant, auditEvent: AuditEvent): Promise<void>
}

/** A message to one administrator; what it tells of has the same `mailId` for all of them. */
export interface NoticeMail {
  mailId: string
  userId: string
}

/** What administrators were told, or are about to be. */
export interface NoticeStore {
  /**
   * Records what `decide` finds, given what was told before, and owes each receiver the messages
   * that it names: all in one transaction, and never beside another.
   */
  record(
    options: { now: Date; receiverIds: readonly string[] },
    decide: (told: readonly ToldNotice[]) => {
      /** `mailId` null: not to be told. */
      recorded: readonly { notice: Notice; mailId: string | null }[]
      over: readonly NoticeKind[]
    },
  ): Promise<void>
  /** What a message tells of; empty once that is over, or the message was settled. */
  findOwed(mail: NoticeMail): Promise<Notice[]>
  /** It was sent, or is not to be. */
  settle(mail: NoticeMail): Promise<void>
  /** `null` where it is unknown. */
  languageOf(userId: string): Promise<Language | null>
  noteLanguage(userId: string, language: Language): Promise<void>
}

/** Whether this installation has been set up, once and for all. */
export interface SetupStore {
  isFinished(): Promise<boolean>
  /** However often. */
  finish(now: Date): Promise<void>
}

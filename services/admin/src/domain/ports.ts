import type {
  Act,
  AuditEntry,
  AuditFilter,
  AuditQuery,
  Figures,
  RecordedAct,
} from '@floe/contracts'
import type { ConfigChange, StoredValue } from './config-values.ts'

export interface ConfigStore {
  list(): Promise<StoredValue[]>
  /** Applies all changes together or none, and records the acts with them. */
  apply(
    changes: readonly ConfigChange[],
    options: { now: Date; acts: readonly Act[] },
  ): Promise<void>
}

/** Of each day the last that was noted. */
export interface FigureStore {
  note(day: string, figures: Figures): Promise<void>
  /** From this day on, the oldest first. */
  listSince(day: string): Promise<({ day: string } & Figures)[]>
}

/** Where a page of the log goes on: entries come the latest first. */
export type AuditPosition = Pick<AuditEntry, 'id' | 'at'>

export interface AuditStore {
  /** Once, however often it is asked for. */
  add(act: RecordedAct): Promise<void>
  list(query: AuditQuery): Promise<{ entries: AuditEntry[]; total: number }>
  /** Those after a position, `null` for the first. */
  listAfter(
    position: AuditPosition | null,
    options: { filter: AuditFilter; limit: number },
  ): Promise<AuditEntry[]>
  /** Removes at most `limit` entries from before; how many. */
  removeBefore(moment: Date, limit: number): Promise<number>
  /** For acts of this service that nothing else records. */
  record(acts: readonly Act[]): Promise<void>
}

import type {
  AuditEntry,
  AuditFilter,
  AuditQuery,
  Actor,
  RecordedAuditEvent,
} from '@floe/contracts'
import type { Configuration } from './configuration.ts'
import { csvRow } from './csv.ts'
import type { AuditPosition, AuditStore } from './ports.ts'

const dayMs = 24 * 60 * 60 * 1000
const exportedAtOnce = 1_000
const removedAtOnce = 10_000

export interface AuditLog {
  /** Safe to repeat. */
  add(auditEvent: RecordedAuditEvent): Promise<void>
  /** The latest first, and how many match in all. */
  list(query: AuditQuery): Promise<{ entries: AuditEntry[]; total: number }>
  /** Records that somebody took the log, then yields it piece by piece as CSV, the latest first. */
  exportCsv(filter: AuditFilter, actor: Actor): AsyncGenerator<string>
  /** Removes what is older than the settings say, unless the signal tells to stop. */
  purge(signal: AbortSignal): Promise<void>
}

export function createAuditLog({
  store,
  configuration,
  clock,
}: {
  store: AuditStore
  configuration: Pick<Configuration, 'settings'>
  clock: () => Date
}): AuditLog {
  return {
    add: (auditEvent) => store.add(auditEvent),
    list: (query) => store.list(query),

    async *exportCsv(filter, actor) {
      await store.record([{ action: 'audit.exported', actor, target: null }])
      // Without the mark some spreadsheets take UTF-8 for something else.
      yield `\ufeff${csvRow(columns.map(({ title }) => title))}`
      let position: AuditPosition | null = null
      for (;;) {
        const entries: AuditEntry[] = await store.listAfter(position, {
          filter,
          limit: exportedAtOnce,
        })
        if (entries.length > 0) yield entries.map(toCsv).join('')
        position = entries.at(-1) ?? null
        if (entries.length < exportedAtOnce || position === null) return
      }
    },

    async purge(signal) {
      const { 'general.auditRetention': days } = await configuration.settings()
      if (days === 0) return
      const moment = new Date(clock().getTime() - days * dayMs)
      let removed: number
      do {
        signal.throwIfAborted()
        removed = await store.removeBefore(moment, removedAtOnce)
      } while (removed === removedAtOnce)
    },
  }
}

const columns: readonly { title: string; read(entry: AuditEntry): string | null | undefined }[] = [
  { title: 'time', read: ({ at }) => at },
  { title: 'action', read: ({ action }) => action },
  { title: 'actor', read: ({ actor }) => actor.name },
  { title: 'actor id', read: ({ actor }) => actor.id },
  { title: 'target type', read: ({ target }) => target?.type },
  { title: 'target', read: ({ target }) => target?.name },
  { title: 'target id', read: ({ target }) => target?.id },
  { title: 'address', read: ({ actor }) => actor.address },
  { title: 'user agent', read: ({ actor }) => actor.userAgent },
  {
    title: 'details',
    read: ({ details }) =>
      Object.entries(details)
        .map(([name, value]) => `${name}: ${value}`)
        .join(', '),
  },
]

function toCsv(entry: AuditEntry): string {
  return csvRow(columns.map(({ read }) => read(entry) ?? ''))
}

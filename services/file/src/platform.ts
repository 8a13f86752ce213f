import type { Database, Presence } from '@floe/db'
import type { Log } from '@floe/log'
import type { ObjectStore } from '@floe/storage'
import type { TransferMemory } from '@floe/transfer'
import type { ClamdAddress } from './antivirus/scanner/clamd.ts'
import type { TransferMeter } from './transfers/domain/transfer-meter.ts'

/** What the process gives the service. */
export interface FilePlatform {
  database: Database
  presence: Presence
  objects: ObjectStore
  /** One for the whole process: it bounds the memory of all transfers together. */
  memory: TransferMemory
  /** Null scans nothing for viruses. */
  clamav: ClamdAddress | null
  log: Log
  clock: () => Date
  metrics?: TransferMeter
  /** Names this run of the machine; asked of the system when absent. */
  bootId?: string
}

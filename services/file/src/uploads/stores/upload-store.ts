import type { Database } from '@floe/db'
import type { UploadStore } from '../domain/upload-ports.ts'
import { createUploadProgress } from './upload-progress-rows.ts'
import { createUploadRecords } from './upload-record-rows.ts'
import { createUploadReservations } from './upload-reservation-rows.ts'

export interface UploadStoreOptions {
  database: Database
  clock: () => Date
  bootId: string
  /** Key of this process; a lease counts for as long as its holder is present. */
  instanceKey: number
  /** Without asking whether that may be: the store does, in the transaction it calls it from. */
  removeObject(key: string): Promise<void>
}

export function createUploadStore(options: UploadStoreOptions): UploadStore {
  return {
    ...createUploadRecords(options),
    ...createUploadProgress(options),
    ...createUploadReservations(options),
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import type { SharePort } from '@floe/contracts'
import type { Database } from '@floe/db'
import type { ObjectStore } from '@floe/storage'
import { readBootId } from '../domain/boot-id.ts'
import { createFileStore } from '../stores/file-store.ts'
import { createObjectRegister } from '../stores/object-register.ts'
import { createShareRemovalStore } from '../stores/share-removal-store.ts'
import { createStorageUsage } from '../stores/storage-usage-store.ts'
import { createIntegrityCheck, type IntegrityCheck } from './integrity-check.ts'

export type { Difference } from './differences.ts'
export type { CheckReport, IntegrityCheck } from './integrity-check.ts'

export interface OpenIntegrityCheckOptions {
  database: Database
  objects: ObjectStore
  shares: Pick<SharePort, 'existing' | 'publishedEditions' | 'publishedShares'>
  /** Names this run of the machine; asked of the system when absent. */
  bootId?: string
  clock?: () => Date
  /** Between the looks at what differs; a second unless it says otherwise. */
  pauseMs?: number
}

/** The check of an installation, beside the service and without it. */
export async function openIntegrityCheck({
  database,
  objects,
  shares,
  bootId,
  clock = () => new Date(),
  pauseMs = 1_000,
}: OpenIntegrityCheckOptions): Promise<IntegrityCheck> {
  return createIntegrityCheck({
    register: createObjectRegister({ database, bootId: bootId ?? (await readBootId()) }),
    objects,
    files: createFileStore(database),
    // Asked only what is under way: it holds nothing.
    removals: createShareRemovalStore({ database, clock, instanceKey: 0 }),
    usage: createStorageUsage(database),
    clock,
    shares,
    pause: () => delay(pauseMs),
  })
}

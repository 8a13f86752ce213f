import { setTimeout as delay } from 'node:timers/promises'
import type { SharePort } from '@floe/contracts'
import { appendEventSql, type Database, type Knex } from '@floe/db'
import type { ObjectStore } from '@floe/storage'
import { readBootId } from '../uploads/domain/boot-id.ts'
import { objectOwners, type RegisteredObject } from './domain/object-register.ts'
import { createFileRows } from '../files/stores/file-rows.ts'
import { guardObjects } from './stores/guarded-objects.ts'
import { createObjectRegister } from './stores/object-register-rows.ts'
import { createSegmentStore } from '../archive/stores/segment-store.ts'
import { createShareRemovalStore } from '../removals/stores/share-removal-store.ts'
import { createStorageUsage } from '../quotas/stores/storage-usage-store.ts'
import { createThumbnailStore } from '../thumbnails/stores/thumbnail-store.ts'
import { createUploadStore } from '../uploads/stores/upload-store.ts'
import { createIntegrityCheck, type IntegrityCheck } from './domain/integrity-check.ts'
import { pagesOf } from './domain/pages.ts'
import {
  createIntegrityRepair,
  type IntegrityRepair,
  type RepairableShares,
} from './domain/repair.ts'

export type { Difference } from './domain/differences.ts'
export type { CheckReport, IntegrityCheck } from './domain/integrity-check.ts'
export type { IntegrityRepair } from './domain/repair.ts'

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

/** Puts right what the check found, beside the service and without it. */
export function openIntegrityRepair({
  database,
  objects,
  shares,
}: {
  database: Database
  objects: ObjectStore
  shares: RepairableShares
}): IntegrityRepair {
  return createIntegrityRepair({
    objects: guardObjects({ database, objects }),
    shares,
    usage: createStorageUsage(database),
    files: createFileRows(database),
    uploads: createUploadStore({
      database,
      clock: () => new Date(),
      bootId: '',
      instanceKey: 0,
      removeObject: (key) => objects.remove([key]),
    }),
    segments: createSegmentStore({ database, clock: () => new Date(), instanceKey: 0 }),
    thumbnails: createThumbnailStore({ database, clock: () => new Date(), instanceKey: 0 }),
  })
}

/** Every object that a row owns, as the transaction behind `query` sees them. */
export async function* listObjects(
  query: Database['query'],
): AsyncGenerator<RegisteredObject, void> {
  const register = createObjectRegister({ database: { query }, bootId: await readBootId() })
  for (const owner of objectOwners) {
    for await (const page of pagesOf(
      (at) => register.page(owner, at),
      ({ key }) => key,
    ))
      yield* page
  }
}

/**
 * The events whose jobs a restored database has lost with its queue; those that recurring jobs find
 * by themselves are left out.
 */
export async function republishFileEvents(trx: Knex.Transaction): Promise<void> {
  await trx.raw(
    appendEventSql('upload.finished', {
      payload: "jsonb_build_object('shareUid', share_uid, 'fileId', id)",
      requestId: 'null',
      from: '(select distinct on (share_uid) share_uid, id from files where sha256 is null) as unhashed',
    }),
  )
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
    files: createFileRows(database),
    // Asked only what is under way: it holds nothing.
    removals: createShareRemovalStore({ database, clock, instanceKey: 0 }),
    usage: createStorageUsage(database),
    clock,
    shares,
    pause: () => delay(pauseMs),
  })
}

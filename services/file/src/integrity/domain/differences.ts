import type { ObjectKey } from '@floe/storage'
import type { Miscount } from '../../quotas/domain/quotas.ts'
import type { RegisteredObject } from './object-register.ts'

/** A row and its object do not tell the same. */
export type ObjectDifference =
  | { kind: 'object_missing'; object: RegisteredObject }
  | { kind: 'object_size'; object: RegisteredObject; storedBytes: number }
  /** The bytes are not those that came in; found by reading them. */
  | { kind: 'object_altered'; object: RegisteredObject }

export interface UnknownObject {
  kind: 'object_unknown'
  key: ObjectKey
  sizeBytes: number
}

export type ShareDifference =
  /** Files or uploads of a share that is gone. */
  | { kind: 'share_gone'; shareUid: string; objectCount: number }
  /** A completed share without a single file. */
  | { kind: 'files_gone'; shareUid: string; shareId: string }

/** A counter of stored bytes is not the sum of its rows. */
export type CounterDifference = { kind: 'miscounted' } & Miscount

export type Difference = ObjectDifference | UnknownObject | ShareDifference | CounterDifference

export interface Look {
  /** Reads every byte as well. */
  isDeep: boolean
  signal: AbortSignal
}

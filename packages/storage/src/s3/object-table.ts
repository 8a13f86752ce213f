import type { Database } from '@floe/db'
import type { ObjectKey, Position } from '@floe/storage'
import { createKeptPieces } from './kept-pieces.ts'
import { createKnownObjects } from './known-objects.ts'
import type { SentPart } from './multipart-calls.ts'
import type { PartPlan } from './part-plan.ts'
import { createStoredParts } from './stored-parts.ts'
import { createWriterChanges } from './writer-changes.ts'

/** An object that is known here, growing or finished. */
export interface KnownObject {
  key: ObjectKey
  plan: PartPlan
  uploadId: string | null
  /** S3 was asked to begin an upload, and the id in its response was not recorded. */
  wasBeginning: boolean
  /** End of what survives everything, and the CRC-32 up to there. */
  synced: Position
  isFinished: boolean
}

/** The right of one writer to change an object; void once another has opened it. */
export interface WriterClaim {
  key: ObjectKey
  token: number
}

/** Bytes of the part under way. */
export interface Piece {
  startBytes: number
  bytes: Buffer
}

export interface StoredPart extends Required<SentPart> {
  sizeBytes: number
  endCrc32: number
}

export type ObjectTable = ReturnType<typeof createObjectTable>

/** The state of growing objects, in PostgreSQL. A writer changes all of it by its claim. */
export function createObjectTable({ knex }: Pick<Database, 'knex'>) {
  return {
    ...createKnownObjects(knex),
    ...createWriterChanges(knex),
    ...createStoredParts(knex),
    ...createKeptPieces(knex),
  }
}

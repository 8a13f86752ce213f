import type { Knex } from '@floe/db'
import { AppError } from '@floe/errors'
import type { ObjectKey, Position } from '@floe/storage'
import type { KnownObject } from './object-table.ts'
import { type PartPlan, planParts } from './part-plan.ts'

export interface ObjectRow {
  key: string
  part_base_bytes: number
  parts_double: boolean
  writer_token: number
  upload_id: string | null
  synced_bytes: number
  synced_crc32: number
  is_finished: boolean
}

/** Stands for an upload whose id is not known yet; no upload has this id. */
export const BEGINNING = ''
const BATCH = 1000

/** Which objects there are. */
export function createKnownObjects(knex: Knex) {
  return {
    async find(key: ObjectKey): Promise<KnownObject | null> {
      const row: ObjectRow | undefined = await knex('s3_objects').where({ key }).first()
      return row === undefined ? null : toObject(row)
    },

    /** Fails with `internal` if the key is in use. */
    async add(key: ObjectKey, plan: PartPlan): Promise<void> {
      await insert(knex, [toRow(key, plan)])
    },

    /** Objects that are put whole. Fails with `internal` if one of the keys is in use. */
    async addWhole(objects: readonly { key: ObjectKey; whole: Position }[]): Promise<void> {
      const rows = objects.map(({ key, whole }) => ({
        ...toRow(key, planParts(whole.offsetBytes)),
        ...syncedAt(whole),
        is_finished: true,
      }))
      await insert(knex, rows)
    },

    async growingAmong(keys: readonly ObjectKey[]): Promise<ObjectKey[]> {
      const growing: ObjectKey[] = []
      for (let from = 0; from < keys.length; from += BATCH) {
        const rows: { key: string }[] = await knex('s3_objects')
          .whereIn('key', keys.slice(from, from + BATCH))
          .andWhere({ is_finished: false })
          .select('key')
        growing.push(...rows.map(({ key }) => key))
      }
      return growing
    },

    async remove(keys: readonly ObjectKey[]): Promise<void> {
      for (let from = 0; from < keys.length; from += BATCH) {
        await knex('s3_objects')
          .whereIn('key', keys.slice(from, from + BATCH))
          .del()
      }
    },

    async *growing(): AsyncGenerator<{ key: ObjectKey; sizeBytes: number }> {
      let after = ''
      for (;;) {
        const rows: ObjectRow[] = await knex('s3_objects')
          .where({ is_finished: false })
          .andWhere('key', '>', after)
          .orderBy('key')
          .limit(BATCH)
        for (const row of rows) yield { key: row.key, sizeBytes: row.synced_bytes }
        const last = rows.at(-1)
        if (last === undefined) return
        after = last.key
      }
    },
  }
}

function toRow(key: ObjectKey, { baseBytes, doubles }: PartPlan) {
  return { key, part_base_bytes: baseBytes, parts_double: doubles }
}

async function insert(knex: Knex, rows: readonly Partial<ObjectRow>[]): Promise<void> {
  await knex.transaction(async (trx) => {
    const added = await trx('s3_objects').insert(rows).onConflict('key').ignore().returning('key')
    if (added.length < rows.length) {
      throw new AppError('internal', { detail: 'object key is in use' })
    }
  })
}

export function toObject(row: ObjectRow): KnownObject {
  return {
    key: row.key,
    plan: { baseBytes: row.part_base_bytes, doubles: row.parts_double },
    uploadId: row.upload_id === BEGINNING ? null : row.upload_id,
    wasBeginning: row.upload_id === BEGINNING,
    synced: { offsetBytes: row.synced_bytes, crc32: row.synced_crc32 },
    isFinished: row.is_finished,
  }
}

export function syncedAt({ offsetBytes, crc32 }: Position) {
  return { synced_bytes: offsetBytes, synced_crc32: crc32 }
}

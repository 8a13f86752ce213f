import type { Database } from '@floe/db'
import { AppError } from '@floe/errors'
import type { ObjectKey } from '@floe/storage'
import type { PartPlan } from './part-plan.ts'
import type { SentPart } from './s3-calls.ts'

/** An object that is known here, growing or finished. */
export interface KnownObject {
  key: ObjectKey
  plan: PartPlan
  uploadId: string | null
  /** S3 was asked for an upload, and its answer was not noted. */
  wasBeginning: boolean
  /** End of what survives everything, and the CRC-32 up to there. */
  synced: Prefix
  isFinished: boolean
}

export interface Prefix {
  bytes: number
  crc32: number
}

/** Whoever writes; void once another has opened the object. */
export interface WriterClaim {
  key: ObjectKey
  token: number
}

export interface Piece {
  startBytes: number
  bytes: Buffer
}

export interface StoredPart extends Required<SentPart> {
  sizeBytes: number
  endCrc32: number
}

interface ObjectRow {
  key: string
  part_base_bytes: number
  parts_double: boolean
  writer_token: number
  upload_id: string | null
  synced_bytes: number
  synced_crc32: number
  is_finished: boolean
}

const BATCH = 1000
/** No upload is called so. */
const BEGINNING = ''

export type ObjectTable = ReturnType<typeof createObjectTable>

/** The state of growing objects, in PostgreSQL. All that a writer changes, it changes by its claim. */
export function createObjectTable({ knex }: Pick<Database, 'knex'>) {
  async function find(key: ObjectKey): Promise<KnownObject | null> {
    const row: ObjectRow | undefined = await knex('s3_objects').where({ key }).first()
    return row === undefined ? null : toObject(row)
  }

  function piecesBetween(key: ObjectKey, start: number, end: number) {
    return knex('s3_pieces')
      .where({ key })
      .andWhere('start_bytes', '>=', start)
      .andWhere('start_bytes', '<', end)
      .orderBy('start_bytes')
  }

  async function change(claim: WriterClaim, changes: object): Promise<void> {
    const changed: number = await knex('s3_objects')
      .where({ key: claim.key, writer_token: claim.token })
      .update(changes)
    if (changed === 0) throw overtaken()
  }

  return {
    find,

    /** Fails with `internal` if the key is in use. */
    async add(key: ObjectKey, plan: PartPlan, finished?: Prefix): Promise<void> {
      const added = await knex('s3_objects')
        .insert({
          key,
          part_base_bytes: plan.baseBytes,
          parts_double: plan.doubles,
          ...(finished && {
            synced_bytes: finished.bytes,
            synced_crc32: finished.crc32,
            is_finished: true,
          }),
        })
        .onConflict('key')
        .ignore()
        .returning('key')
      if (added.length === 0) throw new AppError('internal', { detail: 'object key is in use' })
    },

    /** Makes every earlier claim void. Null if the object is unknown. */
    async claim(key: ObjectKey): Promise<(WriterClaim & { object: KnownObject }) | null> {
      const [row]: ObjectRow[] = await knex('s3_objects')
        .where({ key })
        .update({ writer_token: knex.raw('writer_token + 1') })
        .returning('*')
      return row === undefined ? null : { key, token: row.writer_token, object: toObject(row) }
    },

    /**
     * Before S3 is asked to begin: should its answer be lost, whoever comes next knows that there
     * may be an upload which nobody will end.
     */
    async noteBeginning(claim: WriterClaim): Promise<void> {
      await change(claim, { upload_id: BEGINNING })
    },

    async setUploadId(claim: WriterClaim, uploadId: string): Promise<void> {
      await change(claim, { upload_id: uploadId })
    },

    /** How many parts there are below a number, and the CRC-32 up to the last of them. */
    async partsBelow(key: ObjectKey, number: number): Promise<{ count: number; crc32: number }> {
      const [row] = await knex('s3_parts')
        .where({ key })
        .andWhere('number', '<', number)
        .select(
          knex.raw('count(*) as count'),
          knex.raw('max(end_crc32) filter (where number = ?) as crc32', [number - 1]),
        )
      return { count: Number(row?.count ?? 0), crc32: Number(row?.crc32 ?? 0) }
    },

    async parts(key: ObjectKey): Promise<StoredPart[]> {
      const rows = await knex('s3_parts').where({ key }).orderBy('number')
      return rows.map((row) => ({
        number: row.number,
        etag: row.etag,
        crc32: row.crc32,
        sizeBytes: row.size_bytes,
        endCrc32: row.end_crc32,
      }))
    },

    /** @param reached up to where parts follow one another with this one: they survive. */
    async addPart(
      { key, token }: WriterClaim,
      part: StoredPart,
      reached: Prefix | null,
    ): Promise<void> {
      const { rowCount } = await knex.raw(
        `with reached as (
           update s3_objects set
             synced_bytes = greatest(synced_bytes, ?),
             synced_crc32 = case when synced_bytes < ? then ? else synced_crc32 end
           where key = ? and writer_token = ?
           returning key
         )
         insert into s3_parts (key, number, size_bytes, etag, crc32, end_crc32)
         select key, ?, ?, ?, ?, ? from reached
         on conflict (key, number) do update set
           size_bytes = excluded.size_bytes, etag = excluded.etag,
           crc32 = excluded.crc32, end_crc32 = excluded.end_crc32`,
        [
          ...[reached?.bytes ?? 0, reached?.bytes ?? 0, reached?.crc32 ?? 0, key, token],
          ...[part.number, part.sizeBytes, part.etag, part.crc32, part.endCrc32],
        ],
      )
      if (rowCount === 0) throw overtaken()
    },

    /** Bytes between two offsets, as they were kept. */
    async pieces(key: ObjectKey, start: number, end: number): Promise<Piece[]> {
      const rows = await piecesBetween(key, start, end)
      return rows.map((row) => ({ startBytes: row.start_bytes, bytes: row.bytes }))
    },

    /** Where pieces begin, to read one after another what does not fit into memory. */
    async pieceStarts(key: ObjectKey, start: number, end: number): Promise<number[]> {
      const rows = await piecesBetween(key, start, end).select('start_bytes')
      return rows.map((row) => row.start_bytes)
    },

    async piece(key: ObjectKey, startBytes: number): Promise<Buffer> {
      const row = await knex('s3_pieces').where({ key, start_bytes: startBytes }).first('bytes')
      if (row === undefined) throw new AppError('internal', { detail: 'a kept piece is gone' })
      return row.bytes
    },

    async addPiece({ key, token }: WriterClaim, { startBytes, bytes }: Piece): Promise<void> {
      const { rowCount } = await knex.raw(
        `insert into s3_pieces (key, start_bytes, bytes)
         select key, ?, ? from s3_objects where key = ? and writer_token = ? for update
         on conflict (key, start_bytes) do update set bytes = excluded.bytes`,
        [startBytes, bytes, key, token],
      )
      if (rowCount === 0) throw overtaken()
    },

    /**
     * Everything up to the prefix survives. What the sync before needs to be continued is kept
     * until the next one: its caller may not have noted this one yet.
     */
    async sync(claim: WriterClaim, synced: Prefix, keepFromBytes: number): Promise<void> {
      await knex.transaction(async (trx) => {
        const changed: number = await trx('s3_objects')
          .where({ key: claim.key, writer_token: claim.token })
          .update({
            synced_bytes: synced.bytes,
            synced_crc32: synced.crc32,
          })
        if (changed === 0) throw overtaken()
        await trx('s3_pieces')
          .where({ key: claim.key })
          .andWhere('start_bytes', '<', keepFromBytes)
          .del()
      })
    },

    /** Those before an offset that no sync goes back to. */
    async forgetPieces({ key, token }: WriterClaim, beforeBytes: number): Promise<void> {
      await knex('s3_pieces')
        .where({ key })
        .andWhere('start_bytes', '<', beforeBytes)
        .whereExists(knex('s3_objects').where({ key, writer_token: token }).select('key'))
        .del()
    },

    /** Forgets what lies behind an offset, and is then synced there. */
    async cutBack(
      claim: WriterClaim,
      {
        synced,
        fromPart,
        lastPiece,
      }: { synced: Prefix; fromPart: number; lastPiece: Piece | null },
    ): Promise<void> {
      await knex.transaction(async (trx) => {
        const changed: number = await trx('s3_objects')
          .where({ key: claim.key, writer_token: claim.token })
          .update({
            synced_bytes: synced.bytes,
            synced_crc32: synced.crc32,
          })
        if (changed === 0) throw overtaken()
        await trx('s3_parts').where({ key: claim.key }).andWhere('number', '>=', fromPart).del()
        await trx('s3_pieces')
          .where({ key: claim.key })
          .andWhere('start_bytes', '>=', lastPiece?.startBytes ?? synced.bytes)
          .del()
        if (lastPiece) {
          await trx('s3_pieces').insert({
            key: claim.key,
            start_bytes: lastPiece.startBytes,
            bytes: lastPiece.bytes,
          })
        }
      })
    },

    /** The object is empty again. */
    async restart(claim: WriterClaim): Promise<void> {
      await knex.transaction(async (trx) => {
        const changed: number = await trx('s3_objects')
          .where({ key: claim.key, writer_token: claim.token })
          .update({ upload_id: null, synced_bytes: 0, synced_crc32: 0 })
        if (changed === 0) return
        await trx('s3_parts').where({ key: claim.key }).del()
        await trx('s3_pieces').where({ key: claim.key }).del()
      })
    },

    /** The object stands in S3; nothing else of it is needed. */
    async finish(claim: WriterClaim, whole: Prefix): Promise<void> {
      await knex.transaction(async (trx) => {
        const changed: number = await trx('s3_objects')
          .where({ key: claim.key, writer_token: claim.token })
          .update({
            synced_bytes: whole.bytes,
            synced_crc32: whole.crc32,
            is_finished: true,
            upload_id: null,
          })
        if (changed === 0) throw overtaken()
        await trx('s3_parts').where({ key: claim.key }).del()
        await trx('s3_pieces').where({ key: claim.key }).del()
      })
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

function toObject(row: ObjectRow): KnownObject {
  return {
    key: row.key,
    plan: { baseBytes: row.part_base_bytes, doubles: row.parts_double },
    uploadId: row.upload_id === BEGINNING ? null : row.upload_id,
    wasBeginning: row.upload_id === BEGINNING,
    synced: { bytes: row.synced_bytes, crc32: row.synced_crc32 },
    isFinished: row.is_finished,
  }
}

function overtaken(): AppError {
  return new AppError('internal', { detail: 'another writer has opened the object' })
}

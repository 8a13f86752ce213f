import type { Knex } from '@floe/db'
import { AppError } from '@floe/errors'
import type { ObjectKey } from '@floe/storage'
import type { Piece, WriterClaim } from './object-table.ts'
import { overtaken } from './writer-changes.ts'

/** Bytes of parts that were not sent yet. */
export function createKeptPieces(knex: Knex) {
  function piecesBetween(key: ObjectKey, start: number, end: number) {
    return knex('s3_pieces')
      .where({ key })
      .andWhere('start_bytes', '>=', start)
      .andWhere('start_bytes', '<', end)
      .orderBy('start_bytes')
  }

  return {
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

    /** Those before an offset that no sync goes back to. */
    async forgetPieces({ key, token }: WriterClaim, beforeBytes: number): Promise<void> {
      await knex('s3_pieces')
        .where({ key })
        .andWhere('start_bytes', '<', beforeBytes)
        .whereExists(knex('s3_objects').where({ key, writer_token: token }).select('key'))
        .del()
    },
  }
}

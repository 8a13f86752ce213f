import type { Knex } from '@floe/db'
import type { ObjectKey, Position } from '@floe/storage'
import type { StoredPart, WriterClaim } from './object-table.ts'
import { overtaken } from './writer-changes.ts'

/** The parts of growing objects that S3 holds. */
export function createStoredParts(knex: Knex) {
  return {
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
      reached: Position | null,
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
          ...[
            reached?.offsetBytes ?? 0,
            reached?.offsetBytes ?? 0,
            reached?.crc32 ?? 0,
            key,
            token,
          ],
          ...[part.number, part.sizeBytes, part.etag, part.crc32, part.endCrc32],
        ],
      )
      if (rowCount === 0) throw overtaken()
    },
  }
}

import type { Knex } from '@floe/db'
import { AppError } from '@floe/errors'
import { beginning, type ObjectKey, type Position } from '@floe/storage'
import { BEGINNING, type ObjectRow, syncedAt, toObject } from './known-objects.ts'
import type { KnownObject, Piece, WriterClaim } from './object-table.ts'

/** What one writer at a time changes of its object. */
export function createWriterChanges(knex: Knex) {
  return {
    /** Makes every earlier claim void. Null if the object is unknown. */
    async claim(key: ObjectKey): Promise<(WriterClaim & { object: KnownObject }) | null> {
      const [row]: ObjectRow[] = await knex('s3_objects')
        .where({ key })
        .update({ writer_token: knex.raw('writer_token + 1') })
        .returning('*')
      return row === undefined ? null : { key, token: row.writer_token, object: toObject(row) }
    },

    /**
     * Before S3 is asked to begin: should its response be lost, the next writer knows that there
     * may be an upload which nothing else would end.
     */
    noteBeginning: (claim: WriterClaim) => change(knex, claim, { upload_id: BEGINNING }),

    setUploadId: (claim: WriterClaim, uploadId: string) =>
      change(knex, claim, { upload_id: uploadId }),

    /**
     * Everything up to the prefix survives. What the sync before needs to be continued is kept
     * until the next one: its caller may not have recorded this one yet.
     */
    async sync(claim: WriterClaim, synced: Position, keepFromBytes: number): Promise<void> {
      await knex.transaction(async (trx) => {
        await change(trx, claim, syncedAt(synced))
        const { key } = claim
        await trx('s3_pieces').where({ key }).andWhere('start_bytes', '<', keepFromBytes).del()
      })
    },

    /** Forgets what lies behind an offset, and is then synced there. */
    async cutBack(
      claim: WriterClaim,
      kept: { synced: Position; fromPart: number; lastPiece: Piece | null },
    ): Promise<void> {
      const { synced, fromPart, lastPiece } = kept
      const { key } = claim
      await knex.transaction(async (trx) => {
        await change(trx, claim, syncedAt(synced))
        await trx('s3_parts').where({ key }).andWhere('number', '>=', fromPart).del()
        await trx('s3_pieces')
          .where({ key })
          .andWhere('start_bytes', '>=', lastPiece?.startBytes ?? synced.offsetBytes)
          .del()
        if (lastPiece) {
          const { startBytes, bytes } = lastPiece
          await trx('s3_pieces').insert({ key, start_bytes: startBytes, bytes })
        }
      })
    },

    /** The object is empty again; nothing happens where the claim is void. */
    async restart(claim: WriterClaim): Promise<void> {
      await knex.transaction(async (trx) => {
        const empty = { upload_id: null, ...syncedAt(beginning) }
        if (await tryChange(trx, claim, empty)) await forgetContent(trx, claim.key)
      })
    },

    /** S3 holds the whole object; its parts and pieces are no longer needed. */
    async finish(claim: WriterClaim, whole: Position): Promise<void> {
      await knex.transaction(async (trx) => {
        await change(trx, claim, { ...syncedAt(whole), is_finished: true, upload_id: null })
        await forgetContent(trx, claim.key)
      })
    },
  }
}

export function overtaken(): AppError {
  return new AppError('internal', { detail: 'another writer has opened the object' })
}

async function change(knex: Knex, claim: WriterClaim, changes: object): Promise<void> {
  if (!(await tryChange(knex, claim, changes))) throw overtaken()
}

async function tryChange(
  knex: Knex,
  { key, token }: WriterClaim,
  changes: object,
): Promise<boolean> {
  const changed: number = await knex('s3_objects')
    .where({ key, writer_token: token })
    .update(changes)
  return changed > 0
}

async function forgetContent(trx: Knex, key: ObjectKey): Promise<void> {
  await trx('s3_parts').where({ key }).del()
  await trx('s3_pieces').where({ key }).del()
}

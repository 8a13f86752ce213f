import { reverseShareTokenSchema, uuidSchema } from '@floe/contracts'
import { appendEvents } from '@floe/db'
import type { Knex } from 'knex'
import type { ReverseShareChanges, ReverseShareStore } from '../domain/ports.ts'
import type { ReverseShare } from '../domain/reverse-share.ts'
import { deletedColumns, recordDeletions } from './share-removals.ts'
import {
  fromReverseShareRow,
  type ReverseShareRow,
  toChangedReverseShareColumns,
  toReverseShareRow,
} from './reverse-share-rows.ts'
import { fromRow, type ShareRow } from './share-rows.ts'

/**
 * Reverse shares in PostgreSQL. Whatever changes one together with its shares locks its row first,
 * so that no two can wait for each other.
 */
export function createReverseShareStore({ knex }: { knex: Knex }): ReverseShareStore {
  const find = async (where: Partial<ReverseShareRow>) => {
    const row = await knex<ReverseShareRow>('reverse_shares').where(where).first()
    return row === undefined ? null : fromReverseShareRow(row)
  }
  return {
    insert: (reverseShare) => insert(knex, reverseShare),
    findById: async (id) => (uuidSchema.safeParse(id).success ? find({ id }) : null),
    findByToken: async (token) =>
      // PostgreSQL refuses NUL in a text, and a token none can have needs no query.
      reverseShareTokenSchema.safeParse(token).success ? find({ token }) : null,
    listByCreator: async (userId, { now, keptSince }) => {
      const rows = await knex<ReverseShareRow>('reverse_shares')
        .where({ creator_id: userId })
        .whereRaw(
          `(expires_at > :now or (expires_at > :keptSince and exists (
              select from shares where ${endedWithIt})))`,
          { now, keptSince },
        )
        .orderByRaw('expires_at desc, created_at desc, id')
      return rows.map(fromReverseShareRow)
    },
    listShares: async (ids, { now, keptSince }) => {
      const rows = await knex<ShareRow>('shares')
        .whereRaw('reverse_share_id = any(?::uuid[])', [[...ids]])
        .whereNot({ state: 'open' })
        .whereRaw(
          `(expires_at is null or expires_at > :now or (expires_at > :keptSince and exists (
              select from reverse_shares where ${endedWithIt})))`,
          { now, keptSince },
        )
        .orderByRaw('created_at desc, uid')
      return rows.map(fromRow)
    },
    update: (id, changes) => update(knex, id, changes),
    remove: (id) => remove(knex, { id }),
    removeOneByCreator: (userId) => remove(knex, { creator_id: userId }),
    removeExpired: async (now) => {
      await knex<ReverseShareRow>('reverse_shares')
        .where('expires_at', '<=', now)
        .whereNotExists(knex('shares').whereRaw('shares.reverse_share_id = reverse_shares.id'))
        .delete()
    },
  }
}

/** A share that its sender let end before comes to no life when its reverse share is prolonged. */
const endedWithIt = `shares.reverse_share_id = reverse_shares.id and shares.state <> 'open'
  and shares.expires_at = reverse_shares.expires_at`

async function insert(knex: Knex, reverseShare: ReverseShare): Promise<boolean> {
  const rows = await knex<ReverseShareRow>('reverse_shares')
    .insert(toReverseShareRow(reverseShare))
    .onConflict('token')
    .ignore()
    .returning('id')
  return rows.length > 0
}

async function update(
  knex: Knex,
  id: string,
  changes: ReverseShareChanges,
): Promise<ReverseShare | null> {
  return knex.transaction(async (trx) => {
    const before = await trx<ReverseShareRow>('reverse_shares').where({ id }).forUpdate().first()
    if (before === undefined) return null
    const columns = toChangedReverseShareColumns(changes)
    if (Object.keys(columns).length === 0) return fromReverseShareRow(before)
    const [after] = await trx<ReverseShareRow>('reverse_shares')
      .where({ id })
      .update(columns)
      .returning('*')
    if (after === undefined) return null
    if (changes.isPublic !== undefined) {
      await trx<ShareRow>('shares')
        .where({ reverse_share_id: id })
        .update({ is_private: !changes.isPublic })
    }
    if (changes.expiresAt !== undefined) await moveExpiry(trx, before, after)
    return fromReverseShareRow(after)
  })
}

/** Its shares end with it; what its sender had shortened stays short. */
async function moveExpiry(
  trx: Knex.Transaction,
  before: ReverseShareRow,
  after: ReverseShareRow,
): Promise<void> {
  await trx.raw(
    `update shares set expires_at = case
       when expires_at = :before then :after
       else least(expires_at, :after) end
     where reverse_share_id = :id`,
    { before: before.expires_at, after: after.expires_at, id: after.id },
  )
}

/** One reverse share with everything sent through it; `false` when there is none. */
async function remove(knex: Knex, which: Partial<ReverseShareRow>): Promise<boolean> {
  return knex.transaction(async (trx) => {
    const row = await trx<ReverseShareRow>('reverse_shares')
      .where(which)
      .orderBy('id')
      .forUpdate()
      .first('id')
    if (row === undefined) return false
    const removed = await trx<ShareRow>('shares')
      .where({ reverse_share_id: row.id })
      .delete([...deletedColumns])
    await trx<ReverseShareRow>('reverse_shares').where({ id: row.id }).delete()
    await recordDeletions(trx, removed)
    await appendEvents(trx, [
      { name: 'reverse-share.deleted', payload: { reverseShareId: row.id } },
    ])
    return true
  })
}

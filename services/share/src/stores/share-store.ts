import { shareIdSchema } from '@floe/contracts'
import { createJoinedReads, type Database, recordAuditEvents } from '@floe/db'
import type { Knex } from 'knex'
import type { ShareStore } from '../domain/ports.ts'
import type { Kept } from '../domain/retention.ts'
import type { Share } from '../domain/share.ts'
import { completeShare } from './complete-share.ts'
import { createHeldShareStore } from './held-shares.ts'
import { insertShare, unfinishedStates } from './insert-share.ts'
import { createEarlyOpeningStore } from './open-early.ts'
import { listShares } from './share-list.ts'
import { createShareRegisterStore } from './share-register-store.ts'
import { createShareRemovals } from './share-removals.ts'
import { fromRow, type ShareRow, toShare } from './share-rows.ts'
import { createShareViews } from './share-views.ts'
import { updateShare } from './update-share.ts'

/** Shares in PostgreSQL. */
export function createShareStore({ knex, query }: Pick<Database, 'knex' | 'query'>): ShareStore {
  // Asked for every request that touches a share, so planned once, and asked once for many.
  const read = createJoinedReads((column: 'id' | 'uid', value: string) =>
    query<ShareRow>({
      name: `find-share-by-${column}`,
      text: `select * from shares where ${column} = $1`,
      values: [value],
    }),
  )
  const findBy = async (column: 'id' | 'uid', value: string) => {
    const [row] = await read(`${column} ${value}`, column, value)
    return toShare(row)
  }
  return {
    insert: (share) => insertShare(knex, share),
    listOpenByCreator: async (userId) => {
      const rows = await knex<ShareRow>('shares')
        .select('uid')
        .where({ creator_id: userId })
        .whereIn('state', unfinishedStates)
      return rows.map(({ uid }) => uid)
    },
    findById: async (id) => {
      // PostgreSQL refuses NUL in a text, and an id no share can have needs no query.
      if (!shareIdSchema.safeParse(id).success) return null
      return findBy('id', id)
    },
    findByUid: (uid) => findBy('uid', uid),
    listPublishedByCreator: (userId, kept) => listPublishedByCreator(knex, userId, kept),
    listAll: (listing) => listShares(knex, listing),
    listRecipients: (shareUids) => listRecipients(knex, shareUids),
    countLive: async (now) => {
      const [row] = await knex('shares')
        .whereNot({ state: 'open' })
        .whereRaw('(expires_at is null or expires_at > ?)', [now])
        .count<{ count: string | number }[]>('* as count')
      return Number(row?.count ?? 0)
    },
    ...createShareRegisterStore(knex),
    ...createShareRemovals(knex),
    ...createShareViews({ knex, query }),
    update: (uid, update) => updateShare(knex, uid, update),
    complete: (found, edition) => completeShare(knex, found, edition),
    ...createEarlyOpeningStore(knex),
    ...createHeldShareStore(knex),
    settleArchiveLevels: async (level) => {
      await knex<ShareRow>('shares')
        .whereNull('archive_level')
        .where('edition', '>', 0)
        .update({ archive_level: level })
    },
    reopen: (uid, now) => reopenShare(knex, uid, now),
    closeEdit: async (uid, now) => {
      const [row] = await knex<ShareRow>('shares')
        .where({ uid })
        .whereNotIn('state', unfinishedStates)
        .update({ state: 'completed', last_activity_at: now })
        .returning('*')
      return toShare(row)
    },
    recordAuditEvents: (auditEvents) => recordAuditEvents(knex, auditEvents),
    recordActivity: async (uid, now) => {
      await knex<ShareRow>('shares').where({ uid }).update({ last_activity_at: now })
    },
    forgetCreatorAddresses: async (createdBefore) => {
      await knex<ShareRow>('shares')
        .whereNotNull('creator_address_hash')
        .where('created_at', '<=', createdBefore)
        .update({ creator_address_hash: null })
    },
  }
}

async function listPublishedByCreator(
  knex: Knex,
  userId: string,
  { now, keptSince }: Kept,
): Promise<Share[]> {
  const rows = await knex<ShareRow>('shares')
    .where({ creator_id: userId })
    .whereNot({ state: 'open' })
    .whereRaw(
      `(expires_at is null or expires_at > :now or (expires_at > :keptSince and not exists (
          select from reverse_shares
          where reverse_shares.id = shares.reverse_share_id
            and reverse_shares.expires_at <= :now)))`,
      { now, keptSince },
    )
    .orderByRaw('expires_at desc nulls first, created_at desc, uid')
  return rows.map(fromRow)
}

async function listRecipients(
  knex: Knex,
  shareUids: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await knex<{ share_uid: string; email: string }>('share_recipients')
    .select('share_uid', 'email')
    .whereRaw('share_uid = any(?::uuid[])', [[...shareUids]])
    .orderBy('email')
  const recipients = new Map<string, string[]>()
  for (const { share_uid: uid, email } of rows) {
    recipients.set(uid, [...(recipients.get(uid) ?? []), email])
  }
  return recipients
}

async function reopenShare(knex: Knex, uid: string, now: Date): Promise<Share | null> {
  const [row] = await knex<ShareRow>('shares')
    .where({ uid })
    .update({
      state: knex.raw("case when state in ('open', 'uploading') then state else 'reopened' end"),
      last_activity_at: now,
    })
    .returning('*')
  return toShare(row)
}

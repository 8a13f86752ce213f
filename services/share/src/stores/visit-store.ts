import type { Knex } from 'knex'
import type { Visit, VisitStore } from '../domain/ports.ts'
import { countView } from './share-views.ts'

interface VisitRow {
  share_uid: string
  visitor_hash: string
  granted_at: Date
  expires_at: Date
}

/** Visits without a cookie, in PostgreSQL. */
export function createVisitStore({ knex }: { knex: Knex }): VisitStore {
  return {
    isUnderWay: (visit) => isUnderWay(knex, visit),
    begin: (visit) => beginVisit(knex, visit),
    prune: async (now) => {
      await knex<VisitRow>('share_visits').where('expires_at', '<=', now).delete()
    },
  }
}

async function isUnderWay(knex: Knex, visit: Omit<Visit, 'expiresAt'>): Promise<boolean> {
  const row = await knex<VisitRow>('share_visits')
    .where({ share_uid: visit.shareUid, visitor_hash: visit.visitorHash })
    .where('expires_at', '>', visit.now)
    .first('share_uid')
  return row !== undefined
}

async function beginVisit(knex: Knex, visit: Visit): Promise<boolean> {
  const { shareUid, visitorHash, now, expiresAt } = visit
  return knex.transaction(async (trx) => {
    // The share's row first, as a deletion takes it: parallel requests of one visitor queue here.
    await trx('shares').where({ uid: shareUid }).forNoKeyUpdate().first('uid')
    if (await isUnderWay(trx, visit)) return true
    if (!(await countView(trx, { uid: shareUid, passwordHash: null }, now))) return false
    await trx<VisitRow>('share_visits')
      .insert({
        share_uid: shareUid,
        visitor_hash: visitorHash,
        granted_at: now,
        expires_at: expiresAt,
      })
      .onConflict(['share_uid', 'visitor_hash'])
      .merge(['granted_at', 'expires_at'])
    return true
  })
}

import { toLanguage } from '@floe/contracts'
import { appendEvents } from '@floe/db'
import type { Knex } from 'knex'
import type { ShareCodeStore } from '../domain/ports.ts'

interface ShareCodeRow {
  id: string
  share_uid: string
  mailbox: string
  language: string | null
  created_at: Date
  code_hash: string | null
  expires_at: Date | null
  tries: number
  used_at: Date | null
}

/** One-time codes for recipients, in PostgreSQL. */
export function createShareCodeStore({ knex }: { knex: Knex }): ShareCodeStore {
  const codes = () => knex<ShareCodeRow>('share_codes')
  return {
    record: ({ id, shareUid, mailbox, language, createdAt }) =>
      knex.transaction(async (trx) => {
        await trx('share_codes').insert({
          id,
          share_uid: shareUid,
          mailbox,
          language,
          created_at: createdAt,
        })
        await appendEvents(trx, [{ name: 'share-code.requested', payload: { requestId: id } }])
      }),

    find: async (id) => {
      const row = await codes().where({ id }).first()
      if (row === undefined) return null
      return {
        id,
        shareUid: row.share_uid,
        mailbox: row.mailbox,
        language: toLanguage(row.language),
        createdAt: row.created_at,
      }
    },

    attach: async (id, { hash, expiresAt }) => {
      await codes().where({ id, used_at: null }).update({ code_hash: hash, expires_at: expiresAt })
    },

    take: async ({ shareUid, mailbox, now, maxTries }) => {
      const latest = codes()
        .where({ share_uid: shareUid, mailbox })
        .whereNotNull('code_hash')
        .orderBy('expires_at', 'desc')
        .limit(1)
        .select('id')
      const [row] = await codes()
        .whereIn('id', latest)
        .where({ used_at: null })
        .where('expires_at', '>', now)
        .where('tries', '<', maxTries)
        .increment('tries', 1)
        .returning(['id', 'code_hash'])
      return row?.code_hash ? { id: row.id, hash: row.code_hash } : null
    },

    use: async (id, now) => {
      const used = await codes().where({ id, used_at: null }).update({ used_at: now })
      return used === 1
    },

    purge: async (requestedBefore) => {
      await codes().where('created_at', '<', requestedBefore).delete()
    },
  }
}

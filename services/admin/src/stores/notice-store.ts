import { toLanguage } from '@floe/contracts'
import { appendEvents, type Database } from '@floe/db'
import { type Notice, subjectOf, type ToldNotice } from '../domain/notice-rules.ts'
import type { NoticeStore } from '../domain/ports.ts'

interface NoticeRow extends ToldNotice {
  /** The message that tells of it; none for what was not to be told. */
  mail_id: string | null
  notice: Notice
}

/** Longer than the audit log is asked for new accounts. */
const KEPT_MS = 3 * 24 * 60 * 60 * 1000

export function createNoticeStore({ knex }: Pick<Database, 'knex'>): NoticeStore {
  return {
    record: ({ now, receiverIds }, decide) =>
      knex.transaction(async (trx) => {
        // A run that was taken for dead may still be at it.
        await trx.raw('lock table notices in share row exclusive mode')
        const told = await trx('notices').select<ToldNotice[]>('kind', 'subject', 'at')
        const { recorded, over } = decide(told)
        await trx('notices').whereIn('kind', over).delete()
        await trx.raw(
          `delete from notices where kind in ('user.created', 'job.failed') and at < ?
             and exists (select from notices later
                         where later.kind = notices.kind and later.at > notices.at)`,
          [new Date(now.getTime() - KEPT_MS)],
        )
        await trx('administrator_languages').whereNotIn('user_id', receiverIds).delete()
        if (recorded.length === 0) return
        await trx('notices').insert(
          recorded.map(({ notice, mailId }) => ({
            kind: notice.kind,
            subject: subjectOf(notice),
            mail_id: mailId,
            notice: JSON.stringify(notice),
            at: now,
          })),
        )
        const mailIds = new Set(recorded.flatMap(({ mailId }) => mailId ?? []))
        await appendEvents(
          trx,
          [...mailIds].flatMap((mailId) =>
            receiverIds.map((userId) => ({
              name: 'notice.owed' as const,
              payload: { mailId, userId },
            })),
          ),
        )
      }),

    async find(mailId) {
      const rows = await knex('notices')
        .where({ mail_id: mailId })
        .orderBy('subject')
        .select<Pick<NoticeRow, 'notice'>[]>('notice')
      return rows.map(({ notice }) => notice)
    },

    async languageOf(userId) {
      const row = await knex('administrator_languages')
        .where({ user_id: userId })
        .first<{ language: string } | undefined>('language')
      return toLanguage(row?.language ?? null)
    },

    async noteLanguage(userId, language) {
      await knex('administrator_languages')
        .insert({ user_id: userId, language })
        .onConflict('user_id')
        .merge()
        .where('administrator_languages.language', '<>', language)
    },
  }
}

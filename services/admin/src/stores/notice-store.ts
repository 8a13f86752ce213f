import { toLanguage } from '@floe/contracts'
import {
  appendEvents,
  type Database,
  type Knex,
  type NewHappening,
  recordHappenings,
} from '@floe/db'
import { type Notice, subjectOf, type ToldNotice } from '../domain/notice-rules.ts'
import type { NoticeMail, NoticeStore } from '../domain/ports.ts'

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
          `delete from notices where kind in ('user.created', 'job.failed', 'file.infected') and at < ?
             and exists (select from notices later
                         where later.kind = notices.kind and later.at > notices.at)`,
          [new Date(now.getTime() - KEPT_MS)],
        )
        await trx.raw(
          `delete from owed_notices
           where not exists (select from notices where notices.mail_id = owed_notices.mail_id)`,
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
        await recordHappenings(
          trx,
          recorded.flatMap(({ notice }) => happeningOf(notice) ?? []),
        )
        const mailIds = new Set(recorded.flatMap(({ mailId }) => mailId ?? []))
        await oweMails(
          trx,
          [...mailIds].flatMap((mailId) => receiverIds.map((userId) => ({ mailId, userId }))),
        )
      }),

    async findOwed({ mailId, userId }) {
      const rows = await knex('notices')
        .join('owed_notices', 'owed_notices.mail_id', 'notices.mail_id')
        .where({ 'owed_notices.mail_id': mailId, user_id: userId })
        .orderBy('subject')
        .select<Pick<NoticeRow, 'notice'>[]>('notice')
      return rows.map(({ notice }) => notice)
    },

    async settle({ mailId, userId }) {
      await knex('owed_notices').where({ mail_id: mailId, user_id: userId }).delete()
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

/** `null` for what webhooks are told of otherwise, or not. */
function happeningOf(notice: Notice): NewHappening | null {
  switch (notice.kind) {
    case 'storage.almost_full': {
      const { kind: type, usedBytes, totalBytes } = notice
      return { type, ownerId: null, data: { usedBytes, totalBytes } }
    }
    case 'job.failed': {
      const { kind: type, count, latestAt } = notice
      return { type, ownerId: null, data: { count, latestAt } }
    }
    default:
      return null
  }
}

async function oweMails(trx: Knex.Transaction, mails: readonly NoticeMail[]): Promise<void> {
  if (mails.length === 0) return
  await trx('owed_notices').insert(
    mails.map(({ mailId, userId }) => ({ mail_id: mailId, user_id: userId })),
  )
  await appendEvents(
    trx,
    mails.map((payload) => ({ name: 'notice.owed', payload })),
  )
}

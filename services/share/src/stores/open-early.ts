import type { Announcement } from '@floe/contracts'
import type { Knex } from 'knex'
import type { EarlyOpening, ShareStore } from '../domain/ports.ts'
import type { Share } from '../domain/share.ts'
import { isIdTaken } from './insert-share.ts'
import { oweRecipientMails } from './share-mail-rows.ts'
import { fromRow, type ShareRow, toChangedColumns } from './share-rows.ts'
import { replaceRecipients } from './update-share.ts'

interface AnnouncementRow {
  share_uid: string
  file_count: number
  size_bytes: number
  files: Announcement['files']
}

/** Shares that visitors see while their files are uploaded. */
export function createEarlyOpeningStore(
  knex: Knex,
): Pick<ShareStore, 'openEarly' | 'announce' | 'listAnnounced' | 'listStalled'> {
  return {
    openEarly: (found, opening) => openEarly(knex, found, opening),

    announce: (uid, announced) =>
      knex.transaction(async (trx) => {
        // Completing it deletes the announcement, and must not find it again.
        const row = await trx<ShareRow>('shares')
          .where({ uid, state: 'uploading' })
          .forNoKeyUpdate()
          .first('uid')
        if (row !== undefined) await saveAnnouncement(trx, uid, announced)
      }),

    listAnnounced: async (shareUids) => {
      const rows = await knex<AnnouncementRow>('share_announcements').whereRaw(
        'share_uid = any(?::uuid[])',
        [[...shareUids]],
      )
      return new Map(
        rows.map(({ share_uid: uid, file_count: fileCount, size_bytes: size, files }) => [
          uid,
          { fileCount, size, files },
        ]),
      )
    },

    listStalled: async (idleSince, limit) => {
      const rows = await knex<ShareRow>('shares')
        .where({ state: 'uploading' })
        .where('last_activity_at', '<', idleSince)
        .orderBy('last_activity_at')
        .limit(limit)
      return rows.map(fromRow)
    },
  }
}

async function openEarly(
  knex: Knex,
  found: Share,
  { now, archiveLevel, isHeld, terms: { id, changes, recipients }, announced }: EarlyOpening,
): ReturnType<ShareStore['openEarly']> {
  try {
    return await knex.transaction(async (trx) => {
      const [row] = await trx<ShareRow>('shares')
        .where({ uid: found.uid, state: 'open' })
        .update({
          ...toChangedColumns(changes),
          ...(id !== undefined && { id }),
          state: 'uploading',
          edition: trx.raw('edition + 1'),
          visible_edition: isHeld ? 0 : null,
          archive_level: archiveLevel,
          last_activity_at: now,
        })
        .returning('*')
      if (row === undefined) return explain(trx, found)
      if (recipients) await replaceRecipients(trx, row.uid, recipients)
      if (!isHeld) await oweRecipientMails(trx, row, now)
      if (announced !== null) await saveAnnouncement(trx, row.uid, announced)
      return fromRow(row)
    })
  } catch (error) {
    if (isIdTaken(error)) return 'id taken'
    throw error
  }
}

async function explain(
  trx: Knex.Transaction,
  { uid }: Share,
): Promise<'gone' | 'completed already'> {
  const row = await trx<ShareRow>('shares').where({ uid }).first('uid')
  return row === undefined ? 'gone' : 'completed already'
}

async function saveAnnouncement(
  trx: Knex.Transaction,
  uid: string,
  { fileCount, size, files }: Announcement,
): Promise<void> {
  await trx('share_announcements')
    .insert({
      share_uid: uid,
      file_count: fileCount,
      size_bytes: size,
      // A list would be taken for an array of PostgreSQL.
      files: JSON.stringify(files),
    })
    .onConflict('share_uid')
    .merge()
}

/** With the completion of the share nothing is to come any more. */
export async function forgetAnnouncement(trx: Knex.Transaction, uid: string): Promise<void> {
  await trx('share_announcements').where({ share_uid: uid }).delete()
}

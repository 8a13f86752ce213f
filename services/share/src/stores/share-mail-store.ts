import { happeningSql, isInstanceAlive, recordAuditEvents, recordHappenings } from '@floe/db'
import type { Knex } from 'knex'
import type { DueReminders, InfectedFile, ShareMailStore } from '../domain/ports.ts'
import type { Share } from '../domain/share.ts'
import { mailboxOf } from '../domain/share-mail.ts'
import type { ShareRow } from './share-rows.ts'
import { oweMails, type ShareMailRow } from './share-mail-rows.ts'
import { toldOfShare } from './told-of-share.ts'

/** What a share remembers of its downloads; nobody outside asks for it. */
interface DownloadRow extends Pick<ShareRow, 'uid' | 'notify_on_download'> {
  first_downloaded_at: Date | null
  download_notice_at: Date | null
}

export interface ShareMailStoreDeps {
  knex: Knex
  /** Names this process; others see by it whether it lives. */
  instanceKey: number
}

const noHandover = { handover_began_at: null, handed_over_at: null }

/** The messages shares owe, in PostgreSQL. No row is locked while a mail server is waited for. */
export function createShareMailStore({ knex, instanceKey }: ShareMailStoreDeps): ShareMailStore {
  const mails = (id: string) => knex<ShareMailRow>('share_mails').where({ id })
  const markSent = async (mailId: string, at: Date) => {
    await mails(mailId).update({ sent_at: at, claimed_by: null })
  }
  return {
    claim: async (mailId, deadSince) => {
      const row = await mails(mailId).whereNull('sent_at').first()
      if (row === undefined) return null
      const { claimed_by: holder, handover_began_at: beganAt, handed_over_at: handedOverAt } = row
      if (holder !== null && holder !== instanceKey) {
        if (await isInstanceAlive(knex, holder)) return 'held'
        const lastSignAt = handedOverAt ?? beganAt
        if (lastSignAt !== null && lastSignAt > deadSince) return 'held'
        if (handedOverAt !== null) {
          await markSent(mailId, handedOverAt)
          return null
        }
      }
      const claimed = await mails(mailId)
        .whereNull('sent_at')
        .whereRaw('claimed_by is not distinct from ?', [holder])
        .update({ claimed_by: instanceKey, ...noHandover })
      if (claimed === 0) return 'held'
      const { id, share_uid: shareUid, kind, occasion } = row
      return { id, shareUid, kind, occasion }
    },
    beginHandover: async (mailId, now) => {
      const count = await mails(mailId)
        .where({ claimed_by: instanceKey })
        .update({ handover_began_at: now })
      return count > 0
    },
    recordHandedOver: async (mailId, now) => {
      await mails(mailId).where({ claimed_by: instanceKey }).update({ handed_over_at: now })
    },
    release: async (mailId) => {
      await mails(mailId)
        .where({ claimed_by: instanceKey })
        .update({ claimed_by: null, ...noHandover })
    },
    markSent,
    drop: async (mailId) => {
      await mails(mailId).whereNull('sent_at').delete()
    },
    findRecipient: async (shareUid, mailbox) => {
      const rows = await knex<{ share_uid: string; email: string }>('share_recipients').where({
        share_uid: shareUid,
      })
      return rows.find(({ email }) => mailboxOf(email) === mailbox)?.email ?? null
    },
    recordDownload: (shareUid, times) => recordDownload(knex, shareUid, times),
    recordInfected: (share, file, now) => recordInfected(knex, { share, file, now }),
    oweReminders: (due) => oweReminders(knex, due),
  }
}

async function recordDownload(
  knex: Knex,
  shareUid: string,
  { now, quietSince }: { now: Date; quietSince: Date },
): Promise<void> {
  await knex.transaction(async (trx) => {
    await trx.raw(happeningSql('share.downloaded', toldOfShare('shares where uid = ?')), [shareUid])
    await trx<DownloadRow>('shares')
      .where({ uid: shareUid })
      .whereNull('first_downloaded_at')
      .update({ first_downloaded_at: now })
    const [row] = await trx<DownloadRow>('shares')
      .where({ uid: shareUid, notify_on_download: true })
      .whereNotNull('creator_id')
      .whereRaw('(download_notice_at is null or download_notice_at <= ?)', [quietSince])
      .update({ download_notice_at: now })
      .returning('uid')
    if (row === undefined) return
    await oweMails(trx, [
      { shareUid, kind: 'downloaded', occasion: now.toISOString(), createdAt: now },
    ])
  })
}

/** The row of the message tells that it was recorded before; where nobody gets one, it is dropped. */
async function recordInfected(
  knex: Knex,
  { share, file, now }: { share: Share; file: InfectedFile; now: Date },
): Promise<void> {
  const mail = { share_uid: share.uid, kind: 'infected', occasion: file.id } as const
  await knex.transaction(async (trx) => {
    const known = await trx<ShareMailRow>('share_mails').where(mail).first('id')
    if (known !== undefined) return
    await oweMails(trx, [
      { shareUid: share.uid, kind: 'infected', occasion: file.id, createdAt: now },
    ])
    await recordAuditEvents(trx, [
      {
        action: 'file.infected',
        actor: { id: null, name: null, address: '', userAgent: '' },
        target: { type: 'share', id: share.id, name: share.name },
        details: { file: file.name, threat: file.threat },
      },
    ])
    await recordHappenings(trx, [
      {
        type: 'file.infected',
        ownerId: share.creatorId ?? share.receiverId,
        data: {
          ...{ shareId: share.id, name: share.name },
          ...{ fileName: file.name, threat: file.threat },
        },
      },
    ])
  })
}

async function oweReminders(knex: Knex, { now, before, limit }: DueReminders): Promise<number> {
  return knex.transaction(async (trx) => {
    const { rows } = await trx.raw<{ rows: Pick<ShareRow, 'uid' | 'expires_at'>[] }>(
      `select uid, expires_at from shares
       where expires_at > :now and expires_at <= :before and state <> 'open'
         and completed_at < expires_at - (:before::timestamptz - :now::timestamptz)
         and first_downloaded_at is null and creator_id is not null
         and not is_private and removed_reason is null and visible_edition is distinct from 0
         and exists (select 1 from share_recipients where share_uid = shares.uid)
         and not exists (
           select 1 from share_mails
           where share_uid = shares.uid and kind = 'reminder'
             and occasion = (extract(epoch from shares.expires_at) * 1000)::bigint::text)
       order by expires_at limit :limit for update skip locked`,
      { now, before, limit },
    )
    await oweMails(
      trx,
      rows.map(({ uid, expires_at: expiresAt }) => ({
        shareUid: uid,
        kind: 'reminder',
        // The creator of a prolonged share is reminded again.
        occasion: String(expiresAt?.getTime()),
        createdAt: now,
      })),
    )
    return rows.length
  })
}

import type { Database } from '@floe/db'
import type { FileListing, ListedFile } from '../domain/file-ports.ts'
import {
  fileColumns,
  type FileRow,
  inEdition,
  type ScanColumns,
  toScan,
  toScannedFile,
  withScans,
} from './file-row.ts'

type ScannedRow = FileRow & ScanColumns

interface ListedRow extends ScanColumns {
  share_uid: string
  id: string
  name: string
  size_bytes: number
  sha256: string | null
}

export function createFileListing({ query }: Pick<Database, 'query'>): FileListing {
  return {
    list: async ({ shareUid, edition }, most) => {
      const rows = await query<ScannedRow>({
        name: 'list-files',
        text: `select ${fileColumns} from ${withScans} where ${inEdition}
               order by name collate "C", id limit $3::bigint`,
        values: [shareUid, edition, most ?? null],
      })
      return rows.map(toScannedFile)
    },

    listOfShares: async (shares) => {
      const rows = await query<ListedRow>({
        name: 'list-files-of-shares',
        text: `select share_uid, id, name, size_bytes, encode(sha256, 'hex') as sha256, state, threat
               from ${withScans} join unnest($1::uuid[], $2::int[]) as wanted (share_uid, edition)
                 using (share_uid)
               where added_edition <= wanted.edition
                 and (removed_edition is null or removed_edition > wanted.edition)
               order by name collate "C", id`,
        values: [shares.map(({ shareUid }) => shareUid), shares.map(({ edition }) => edition)],
      })
      const byShare = new Map<string, ListedFile[]>()
      for (const row of rows) {
        const { share_uid: uid, id, name, size_bytes: sizeBytes, sha256 } = row
        const listed = byShare.get(uid) ?? []
        byShare.set(uid, listed)
        listed.push({ id, name, sizeBytes, sha256, scan: toScan(row) })
      }
      return byShare
    },

    find: async ({ shareUid, edition }, fileId) => {
      const [row] = await query<ScannedRow>({
        name: 'find-file',
        text: `select ${fileColumns} from ${withScans} where ${inEdition} and id = $3`,
        values: [shareUid, edition, fileId],
      })
      return row ? toScannedFile(row) : null
    },

    stateOf: async (shareUid, fileId) => {
      const [row] = await query<{ state: 'kept' | 'removed' }>({
        name: 'state-of-file',
        text: `select case when removed_edition is null then 'kept' else 'removed' end as state
               from files where share_uid = $1 and id = $2`,
        values: [shareUid, fileId],
      })
      return row?.state ?? null
    },

    // Computed, not counted: a counter would be one row that all parallel uploads wait for.
    revision: async ({ shareUid, edition }) => {
      const [row] = await query<{ revision: string }>({
        name: 'files-revision',
        text: `select concat_ws('-', $2::int, count(*), sum(crc32), max(created_at),
                 count(state), max(scanned_at)) as revision
               from ${withScans} where ${inEdition}`,
        values: [shareUid, edition],
      })
      return row?.revision ?? ''
    },
  }
}

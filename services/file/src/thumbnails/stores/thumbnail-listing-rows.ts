import type { Database } from '@floe/db'
import { type ScanColumns, toScan } from '../../files/stores/file-row.ts'
import type { ThumbnailListing } from '../domain/thumbnail-ports.ts'

interface FoundRow extends ThumbnailRow, Pick<ScanColumns, 'threat'> {
  scan_state: ScanColumns['state']
}

interface ThumbnailRow {
  object_key: string
  size_bytes: number
  width: number
  height: number
  made_at: Date
}

export function createThumbnailListing({ query }: Pick<Database, 'query'>): ThumbnailListing {
  async function keysOf(name: string, text: string, values: readonly unknown[]) {
    const rows = await query<{ object_key: string }>({ name, text, values: [...values] })
    return rows.map((row) => row.object_key)
  }

  return {
    sizesOf: async (shareUid) => {
      const rows = await query<Pick<ThumbnailRow, 'width' | 'height'> & { file_id: string }>({
        name: 'sizes-of-thumbnails',
        text: `select file_id, width, height from thumbnails
               where share_uid = $1 and state = 'ready'`,
        values: [shareUid],
      })
      return new Map(rows.map(({ file_id: id, width, height }) => [id, { width, height }]))
    },

    find: async ({ shareUid, edition }, fileId) => {
      const [row] = await query<FoundRow>({
        name: 'find-thumbnail',
        text: `select thumbnails.*, file_scans.state as scan_state, threat from thumbnails
               join files on files.share_uid = thumbnails.share_uid and files.id = file_id
               left join file_scans
                 on file_scans.share_uid = files.share_uid and file_scans.id = files.id
               where thumbnails.share_uid = $1 and file_id = $3 and thumbnails.state = 'ready'
                 and added_edition <= $2::int
                 and (removed_edition is null or removed_edition > $2::int)`,
        values: [shareUid, edition, fileId],
      })
      if (!row) return null
      const { object_key: objectKey, size_bytes: sizeBytes, made_at: madeAt, width, height } = row
      const scan = toScan({ state: row.scan_state, threat: row.threat })
      return { objectKey, sizeBytes, width, height, madeAt, scan }
    },

    objectKeysOf: (shareUid) =>
      keysOf(
        'thumbnail-keys-of-share',
        'select object_key from thumbnails where share_uid = $1 and object_key is not null',
        [shareUid],
      ),

    objectKeysOfFiles: (files) =>
      keysOf(
        'thumbnail-keys-of-files',
        `select object_key from thumbnails
         join unnest($1::uuid[], $2::uuid[]) as file (share_uid, file_id)
           using (share_uid, file_id)
         where object_key is not null`,
        [files.map(({ shareUid }) => shareUid), files.map(({ id }) => id)],
      ),

    objectKeysAddedAfter: ({ shareUid, edition }) =>
      keysOf(
        'thumbnail-keys-added-after',
        `select thumbnails.object_key from thumbnails
         join files on files.share_uid = thumbnails.share_uid and files.id = file_id
         where thumbnails.share_uid = $1 and added_edition > $2::int
           and thumbnails.object_key is not null`,
        [shareUid, edition],
      ),

    readyKeys: ({ after, limit }) =>
      keysOf(
        'page-of-thumbnail-keys',
        `select object_key from thumbnails
         where state = 'ready' and ($1::text is null or object_key > $1::text)
         order by object_key limit $2`,
        [after, limit],
      ),
  }
}

import type { Database } from '@floe/db'
import type { SegmentListing, SegmentState } from '../domain/segment-ports.ts'

interface StateRow {
  file_id: string
  state: 'building' | 'ready'
  object_key: string | null
  size_bytes: number
  source_bytes: number
  ready_at: Date
}

export function createSegmentListing({ query }: Pick<Database, 'query'>): SegmentListing {
  return {
    list: async (shareUid, level) => {
      const rows = await query<StateRow>({
        name: 'list-segments',
        text: `select file_id, state, object_key, size_bytes, source_bytes, ready_at
               from archive_segments where share_uid = $1 and level = $2`,
        values: [shareUid, level],
      })
      return rows.map(toState)
    },

    revision: async (shareUid, level) => {
      const [row] = await query<{ revision: string }>({
        name: 'segments-revision',
        text: `select concat_ws('-', count(*), sum(size_bytes), max(ready_at)) as revision
               from archive_segments where share_uid = $1 and level = $2 and state = 'ready'`,
        values: [shareUid, level],
      })
      return row?.revision ?? ''
    },

    objectKeysOf: async (shareUid) => {
      const rows = await query<{ object_key: string }>({
        name: 'segment-keys-of-share',
        text: `select object_key from archive_segments
               where share_uid = $1 and object_key is not null`,
        values: [shareUid],
      })
      return rows.map((row) => row.object_key)
    },

    objectKeysOfFiles: async (files) => {
      const rows = await query<{ object_key: string }>({
        name: 'segment-keys-of-files',
        text: `select object_key from archive_segments
               join unnest($1::uuid[], $2::uuid[]) as file (share_uid, file_id)
                 using (share_uid, file_id)
               where object_key is not null`,
        values: [files.map(({ shareUid }) => shareUid), files.map(({ id }) => id)],
      })
      return rows.map((row) => row.object_key)
    },

    readyKeys: async ({ after, limit }) => {
      const rows = await query<{ object_key: string }>({
        name: 'page-of-segment-keys',
        text: `select object_key from archive_segments
               where state = 'ready' and object_key is not null
                 and ($1::text is null or object_key > $1::text)
               order by object_key limit $2`,
        values: [after, limit],
      })
      return rows.map((row) => row.object_key)
    },

    shareUids: async ({ after, limit }) => {
      const rows = await query<{ share_uid: string }>({
        name: 'page-of-shares-with-segments',
        text: `select distinct share_uid from archive_segments
               where ($1::uuid is null or share_uid > $1::uuid)
               order by share_uid limit $2`,
        values: [after, limit],
      })
      return rows.map((row) => row.share_uid)
    },
  }
}

function toState(row: StateRow): SegmentState {
  const { file_id: fileId, source_bytes: sourceBytes } = row
  if (row.state === 'building') return { fileId, sourceBytes, ready: null }
  const ready = { objectKey: row.object_key, sizeBytes: row.size_bytes, readyAt: row.ready_at }
  return { fileId, sourceBytes, ready }
}

import { advisoryLockClass, appendEvents, type Database } from '@floe/db'
import { newObjectKey } from '@floe/storage'
import type {
  ClaimedSegment,
  SegmentId,
  SegmentState,
  SegmentStore,
} from '../domain/segment-ports.ts'

interface StateRow {
  file_id: string
  state: 'building' | 'ready'
  object_key: string | null
  size_bytes: number
  source_bytes: number
  ready_at: Date
}

interface ClaimRow {
  share_uid: string
  file_id: string
  level: number
  claim_token: number
  object_key: string
  source_bytes: number
  source_crc32: number
  size_bytes: number
  file_key: string
  file_bytes: number
  file_crc32: number
}

export interface SegmentStoreOptions {
  database: Database
  clock: () => Date
  /** Key of this process; a claim counts for as long as its holder is present. */
  instanceKey: number
}

export function createSegmentStore({
  database: { knex, query },
  clock,
  instanceKey,
}: SegmentStoreOptions): SegmentStore {
  /** Changes the row a claim is on; false if the claim was lost. */
  async function change(claim: ClaimedSegment, values: Record<string, unknown>): Promise<boolean> {
    const changed = await knex('archive_segments')
      .where({
        share_uid: claim.shareUid,
        file_id: claim.fileId,
        level: claim.level,
        claim_token: claim.token,
        state: 'building',
      })
      .update({ ...values, claim_holder: null })
    return changed > 0
  }

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

    request: (shareUid) =>
      knex.transaction((trx) =>
        appendEvents(trx, [{ name: 'archive.requested', payload: { shareUid } }]),
      ),

    want: async (shareUid, { level, files }) => {
      await query({
        name: 'want-segments',
        // A file deleted meanwhile needs none.
        text: `insert into archive_segments (share_uid, file_id, level, file_bytes, object_key)
               select $1::uuid, files.id, $2::int, files.size_bytes, wanted.object_key
               from unnest($3::uuid[], $4::text[]) as wanted (id, object_key)
               join files on files.share_uid = $1::uuid and files.id = wanted.id
               on conflict (share_uid, file_id, level) do nothing`,
        values: [shareUid, level, files.map(({ id }) => id), files.map(() => newObjectKey())],
      })
    },

    claim: async ({ limit, bytes, stepBytes, except }) => {
      const rows = await query<ClaimRow>({
        name: 'claim-segments',
        text: claimStatement,
        values: [
          instanceKey,
          limit,
          bytes,
          stepBytes,
          except.map(({ shareUid }) => shareUid),
          except.map(({ fileId }) => fileId),
          except.map(({ level }) => level),
        ],
      })
      return rows.map(toClaim)
    },

    release: (claim, progress) =>
      change(
        claim,
        progress === undefined
          ? {}
          : {
              source_bytes: progress.sourceBytes,
              source_crc32: progress.sourceCrc32,
              size_bytes: progress.targetBytes,
            },
      ),

    restart: (claim) =>
      change(claim, {
        object_key: newObjectKey(),
        source_bytes: 0,
        source_crc32: 0,
        size_bytes: 0,
      }),

    settle: (claim, { objectKey, sizeBytes }) =>
      change(claim, {
        state: 'ready',
        object_key: objectKey,
        size_bytes: sizeBytes,
        source_bytes: claim.file.sizeBytes,
        ready_at: clock(),
      }),

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

    forget: async (objectKeys) => {
      await knex('archive_segments').whereIn('object_key', objectKeys).delete()
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

    retire: async (shares) => {
      await query({
        name: 'retire-segments',
        text: retireStatement,
        values: [shares.map(({ shareUid }) => shareUid), shares.map(({ level }) => level), clock()],
      })
    },

    removeRetired: async ({ before, limit }) => {
      const rows = await query<{ object_key: string | null }>({
        name: 'remove-retired-segments',
        text: `delete from archive_segments using (
                 select share_uid, file_id, level from archive_segments
                 where retired_at < $1::timestamptz limit $2 for update
               ) as retired
               where archive_segments.share_uid = retired.share_uid
                 and archive_segments.file_id = retired.file_id
                 and archive_segments.level = retired.level
               returning archive_segments.object_key`,
        values: [before, limit],
      })
      return { removed: rows.length, unusedKeys: rows.flatMap((row) => row.object_key ?? []) }
    },
  }
}

// Rows that another claim is about to take are stepped over, not waited for. A claim of this very
// process that nobody here remembers was left by a failed run, for it runs one at a time.
const claimStatement = `
  with present as materialized (
    select objid::bigint::int as key from pg_locks
    where locktype = 'advisory' and classid = ${advisoryLockClass.presence} and objsubid = 2
      and granted
      and database = (select oid from pg_database where datname = current_database())
  ), free as materialized (
    select share_uid, file_id, level, file_bytes - source_bytes as left_bytes
    from archive_segments
    where state = 'building' and retired_at is null
      and (claim_holder is null or claim_holder = $1::int
           or claim_holder not in (select key from present))
      and (share_uid, file_id, level) not in
        (select * from unnest($5::uuid[], $6::uuid[], $7::int[]))
    order by left_bytes, share_uid, file_id limit $2
    for update skip locked
  ), chosen as (
    select share_uid, file_id, level, coalesce(sum(least(left_bytes, $4::bigint)) over (
      order by left_bytes, share_uid, file_id rows between unbounded preceding and 1 preceding
    ), 0) as bytes_before
    from free
  ), claimed as (
    update archive_segments as segment
    set claim_holder = $1::int, claim_token = claim_token + 1
    from chosen
    where segment.share_uid = chosen.share_uid and segment.file_id = chosen.file_id
      and segment.level = chosen.level and bytes_before <= $3::bigint
    returning segment.*
  )
  select claimed.*, files.object_key as file_key, files.crc32 as file_crc32
  from claimed join files on files.share_uid = claimed.share_uid and files.id = claimed.file_id
  order by claimed.file_bytes - claimed.source_bytes, claimed.share_uid, claimed.file_id`

const retireStatement = `
  update archive_segments as segment
  set retired_at = case when segment.level = share.level then null else $3::timestamptz end
  from unnest($1::uuid[], $2::int[]) as share (share_uid, level)
  where segment.share_uid = share.share_uid
    and (segment.level = share.level) = (segment.retired_at is not null)`

function toState(row: StateRow): SegmentState {
  const { file_id: fileId, source_bytes: sourceBytes } = row
  if (row.state === 'building') return { fileId, sourceBytes, ready: null }
  const ready = { objectKey: row.object_key, sizeBytes: row.size_bytes, readyAt: row.ready_at }
  return { fileId, sourceBytes, ready }
}

function toClaim(row: ClaimRow): ClaimedSegment {
  const id: SegmentId = { shareUid: row.share_uid, fileId: row.file_id, level: row.level }
  return {
    ...id,
    token: row.claim_token,
    objectKey: row.object_key,
    progress: {
      sourceBytes: row.source_bytes,
      targetBytes: row.size_bytes,
      sourceCrc32: row.source_crc32,
    },
    file: { objectKey: row.file_key, sizeBytes: row.file_bytes, crc32: row.file_crc32 },
  }
}

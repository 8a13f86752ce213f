import { advisoryLockClass } from '@floe/db'
import { newObjectKey } from '@floe/storage'
import type { ClaimedSegment, SegmentId, SegmentClaims } from '../domain/segment-ports.ts'
import type { SegmentStoreOptions } from './segment-store.ts'

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

export function createSegmentClaims({
  database: { knex, query },
  clock,
  instanceKey,
}: SegmentStoreOptions): SegmentClaims {
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

import { advisoryLockClass, appendEvents, type Database } from '@floe/db'
import { MOST_PICTURE_BYTES, thumbnailExtensions } from '@floe/pictures'
import { newObjectKey } from '@floe/storage'
import type { ClaimedThumbnail, ThumbnailWork } from '../domain/thumbnail-ports.ts'

interface ClaimRow {
  share_uid: string
  file_id: string
  object_key: string
  former_key: string | null
  attempts: number
  file_key: string
  file_bytes: number
}

export interface ThumbnailStoreOptions {
  database: Database
  clock: () => Date
  /** Key of this process; a claim counts for as long as its holder is present. */
  instanceKey: number
}

export function createThumbnailWork({
  database: { knex, query },
  clock,
  instanceKey,
}: ThumbnailStoreOptions): ThumbnailWork {
  /** Changes the row a claim is on; false if the claim was lost. */
  async function change(claim: ClaimedThumbnail, values: Record<string, unknown>) {
    const { shareUid, fileId, objectKey } = claim
    const ofClaim = { share_uid: shareUid, file_id: fileId, object_key: objectKey, state: 'wanted' }
    const changed = await knex('thumbnails')
      .where(ofClaim)
      .update({ ...values, claim_holder: null })
    return changed > 0
  }

  return {
    want: async (shareUid) => {
      await query({
        name: 'want-thumbnails',
        text: wantStatement,
        values: [shareUid, picturePattern, MOST_PICTURE_BYTES],
      })
    },

    sharesWaiting: async ({ after, limit }) => {
      const rows = await query<{ share_uid: string }>({
        name: 'page-of-shares-waiting-for-thumbnails',
        text: `select distinct files.share_uid from files
               left join thumbnails
                 on thumbnails.share_uid = files.share_uid and thumbnails.file_id = files.id
               where ${isPicture('$3', '$4')} and coalesce(state, 'wanted') = 'wanted'
                 and ($1::uuid is null or files.share_uid > $1::uuid)
               order by files.share_uid limit $2`,
        values: [after, limit, picturePattern, MOST_PICTURE_BYTES],
      })
      return rows.map((row) => row.share_uid)
    },

    request: (shareUids) =>
      knex.transaction((trx) =>
        appendEvents(
          trx,
          shareUids.map((shareUid) => ({ name: 'thumbnails.wanted', payload: { shareUid } })),
        ),
      ),

    claim: async ({ except }) => {
      const [row] = await query<ClaimRow>({
        name: 'claim-thumbnail',
        text: claimStatement,
        values: [
          instanceKey,
          newObjectKey(),
          except.map(({ shareUid }) => shareUid),
          except.map(({ fileId }) => fileId),
        ],
      })
      return row ? toClaim(row) : null
    },

    release: async (claim, { countsAttempt }) => {
      await change(claim, countsAttempt ? {} : { attempts: claim.attempt - 1 })
    },

    settle: (claim, { sizeBytes, ...made }) =>
      change(claim, { state: 'ready', ...made, size_bytes: sizeBytes, made_at: clock() }),

    refuse: async (claim) => {
      await change(claim, { state: 'refused', object_key: null })
    },

    forget: async (objectKeys) => {
      await knex('thumbnails')
        .whereIn('object_key', objectKeys)
        .where({ state: 'ready' })
        .update({ state: 'wanted', object_key: null, attempts: 0 })
    },
  }
}

const picturePattern = `\\.(${thumbnailExtensions.join('|')})$`

/** Files whose thumbnails are worth a try; `pattern` and `mostBytes` name parameters. */
function isPicture(pattern: string, mostBytes: string): string {
  return `files.name ~* ${pattern}::text and files.size_bytes between 1 and ${mostBytes}::bigint
    and files.purge_at is null`
}

const wantStatement = `
  insert into thumbnails (share_uid, file_id, position)
  select files.share_uid, files.id,
    (select count(*) from thumbnails where share_uid = $1)
      + row_number() over (order by files.name collate "C", files.id)
  from files left join thumbnails
    on thumbnails.share_uid = files.share_uid and thumbnails.file_id = files.id
  where files.share_uid = $1 and thumbnails.file_id is null and ${isPicture('$2', '$3')}
  on conflict (share_uid, file_id) do nothing`

// Rows that another claim is about to take are stepped over, not waited for. A claim of this very
// process that nobody here remembers was left by a failed run, for it runs one at a time.
const claimStatement = `
  with present as materialized (
    select objid::bigint::int as key from pg_locks
    where locktype = 'advisory' and classid = ${advisoryLockClass.presence} and objsubid = 2
      and granted
      and database = (select oid from pg_database where datname = current_database())
  ), free as materialized (
    select share_uid, file_id, object_key as former_key from thumbnails
    where state = 'wanted'
      and (claim_holder is null or claim_holder = $1::int
           or claim_holder not in (select key from present))
      and (share_uid, file_id) not in (select * from unnest($3::uuid[], $4::uuid[]))
    order by position, share_uid, file_id limit 1
    for update skip locked
  ), claimed as (
    update thumbnails as thumbnail
    set claim_holder = $1::int, attempts = attempts + 1, object_key = $2
    from free
    where thumbnail.share_uid = free.share_uid and thumbnail.file_id = free.file_id
    returning thumbnail.*, free.former_key
  )
  select claimed.*, files.object_key as file_key, files.size_bytes as file_bytes
  from claimed join files on files.share_uid = claimed.share_uid and files.id = claimed.file_id`

function toClaim(row: ClaimRow): ClaimedThumbnail {
  return {
    shareUid: row.share_uid,
    fileId: row.file_id,
    objectKey: row.object_key,
    formerKey: row.former_key,
    attempt: row.attempts,
    file: { objectKey: row.file_key, sizeBytes: row.file_bytes },
  }
}

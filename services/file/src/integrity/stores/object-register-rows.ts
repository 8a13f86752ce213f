import type { Database } from '@floe/db'
import type { ObjectOwner, ObjectRegister, RegisteredObject } from '../domain/object-register.ts'

interface RegisterRow {
  object_key: string
  owner: ObjectOwner
  share_uid: string | null
  file_id: string
  name: string
  size_bytes: number
  is_exact: boolean
  may_be_missing: boolean
  is_being_removed: boolean
  crc32: number | null
  sha256: Buffer | null
  inflated_bytes: number | null
  inflated_crc32: number | null
}

/**
 * The rows that own objects, each kind in the columns of `RegisterRow`. Bytes that were not synced
 * count only in the run of the machine they were written in. The objects of a kind that is missing
 * here are swept away as orphans.
 */
const sources: Record<ObjectOwner, string> = {
  file: `
    select object_key, 'file' as owner, share_uid, id as file_id, name, size_bytes,
      true as is_exact, purge_at is not null as may_be_missing, crc32, sha256,
      null::bigint as inflated_bytes, null::bigint as inflated_crc32
    from files`,
  // The object of an upload that became a file is the file's.
  upload: `
    select object_key, 'upload' as owner, share_uid, file_id, name,
      trusted.bytes as size_bytes, finished_at is not null as is_exact,
      trusted.bytes = 0 as may_be_missing, trusted.crc32, null::bytea as sha256,
      null::bigint as inflated_bytes, null::bigint as inflated_crc32
    from uploads cross join lateral (
      select
        case when whole then offset_bytes else synced_bytes end as bytes,
        case when whole then uploads.crc32 else synced_crc32 end as crc32
      from (select finished_at is not null or boot_id = (select name from machine) as whole) as known
    ) as trusted
    where not exists (select 1 from files where files.object_key = uploads.object_key)`,
  segment: `
    select segment.object_key, 'segment' as owner, share_uid, file_id, files.name,
      segment.size_bytes, state = 'ready' as is_exact,
      state <> 'ready' and segment.size_bytes = 0 as may_be_missing, null::bigint as crc32,
      null::bytea as sha256, file_bytes as inflated_bytes, files.crc32 as inflated_crc32
    from archive_segments as segment join files using (share_uid)
    where files.id = file_id and segment.object_key is not null`,
  thumbnail: `
    select thumbnail.object_key, 'thumbnail' as owner, share_uid, file_id, files.name,
      coalesce(thumbnail.size_bytes, 0) as size_bytes, state = 'ready' as is_exact,
      state <> 'ready' as may_be_missing, thumbnail.crc32, null::bytea as sha256,
      null::bigint as inflated_bytes, null::bigint as inflated_crc32
    from thumbnails as thumbnail join files using (share_uid)
    where files.id = file_id and thumbnail.object_key is not null`,
}

/** This run of the machine. */
const machine = 'with machine as (select $1::text as name)'
/** Objects of a share that is being removed go before their rows. */
const joinRemoval = 'left join share_totals using (share_uid)'
const columns = 'registered.*, removal_requested_at is not null as is_being_removed'
const allSources = Object.values(sources).join(' union all ')

export interface ObjectRegisterOptions {
  database: Pick<Database, 'query'>
  /** Names this run of the machine. */
  bootId: string
}

export function createObjectRegister({ database, bootId }: ObjectRegisterOptions): ObjectRegister {
  return {
    find: async (keys) => {
      const rows = await database.query<RegisterRow>({
        name: 'find-registered-objects',
        text: `${machine} select ${columns} from (${allSources}) as registered ${joinRemoval}
               where object_key = any($2::text[])`,
        values: [bootId, keys],
      })
      return rows.map(toObject)
    },

    page: async (owner, { after, limit }) => {
      const rows = await database.query<RegisterRow>({
        name: `page-of-registered-objects-${owner}`,
        text: `${machine} select ${columns} from (${sources[owner]}) as registered ${joinRemoval}
               where object_key > $2::text order by object_key limit $3`,
        values: [bootId, after ?? '', limit],
      })
      return rows.map(toObject)
    },
  }
}

function toObject(row: RegisterRow): RegisteredObject {
  const { inflated_bytes: inflatedBytes, inflated_crc32: inflatedCrc32 } = row
  return {
    key: row.object_key,
    owner: row.owner,
    shareUid: row.share_uid,
    fileId: row.file_id,
    name: row.name,
    sizeBytes: row.size_bytes,
    isExact: row.is_exact,
    mayBeMissing: row.may_be_missing || row.is_being_removed,
    crc32: row.crc32,
    sha256: row.sha256,
    inflated:
      inflatedBytes === null || inflatedCrc32 === null
        ? null
        : { sizeBytes: inflatedBytes, crc32: inflatedCrc32 },
  }
}

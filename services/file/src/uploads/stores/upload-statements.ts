import { appendEventSql, happeningSql } from '@floe/db'
import { chargeSql, INSTANCE_ID } from '../../quotas/stores/storage-usage-store.ts'

// A commit that need not be flushed by itself: the setting lasts for this statement's transaction.
const commitMode = `mode as (select set_config('synchronous_commit', $1, true))`

// All uploads are of one share, or one upload is of none. The rows of counters are there from the
// creation of an upload on, so that a reservation can lock them; they are locked in one order
// everywhere: share, user, instance.
export const createStatement = `
  with ${commitMode}, created as (
    select * from unnest($2::text[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::bigint[],
      $8::bigint[], $9::text[], $10::bigint[])
      as upload (id, file_id, name, metadata, concatenation, length_bytes, chunk_bytes, object_key,
        reserved_bytes)
  ), total as (
    select sum(reserved_bytes) as bytes from created, mode
  ), counted as (
    insert into share_totals (share_uid, charged_to, reserved_bytes)
    select $12::uuid, $15::uuid, bytes::bigint from total
    where $12::uuid is not null and ($18::bigint = 0 or bytes <= $18::bigint)
    on conflict (share_uid) do update
      set reserved_bytes = share_totals.reserved_bytes + excluded.reserved_bytes
      where $18::bigint = 0 or share_totals.reserved_bytes + excluded.reserved_bytes <= $18::bigint
    returning share_uid
  ), charge as (
    select $15::uuid as charged_to, bytes from total left join counted on true
    where $12::uuid is null or counted.share_uid is not null
  ), charged as (
    ${chargeSql('charge', { user: '$19', instance: '$20' })}
    returning owner_id
  )
  insert into uploads (id, kind, share_uid, share_id, user_id, charged_to, file_id, name, metadata,
    concatenation, length_bytes, chunk_bytes, object_key, reserved_bytes, boot_id, created_at,
    expires_at, discards_unverified)
  select id, $11, $12::uuid, $13, $14::uuid, $15::uuid, file_id, name, metadata, concatenation,
    length_bytes, chunk_bytes, object_key, reserved_bytes, $16, $17::timestamptz,
    $21::timestamptz, $11 = 'chunk'
  from created
  where exists (select 1 from charged)
  returning *`

/*
 * `reserveStatement` decides over locked rows, then changes all that belongs together or nothing. Its
 * stages follow one another; counters are locked in the order share, user, instance. It stays one
 * statement, because the counters that everybody waits for are then held for one round trip only.
 */

/** 1. The upload, if the lease is still held and a length that is declared was not before. */
const lockedUpload = `before as (
    select uploads.* from uploads cross join mode
    where id = $2 and lease_token = $3::bigint and ($5::bigint is null or length_bytes is null)
    for update of uploads
  )`

/** 2. The counter of its share, absent for a partial upload. */
const lockedShare = `total as (
    select share_totals.reserved_bytes from share_totals join before using (share_uid)
    for update of share_totals
  )`

/** 3. The counters of its account, if it has one, and of the instance. */
const lockedAccounts = `accounts as (
    select storage_usage.owner_id, used_bytes
    from before left join total on true
    join storage_usage on owner_id in (before.charged_to, '${INSTANCE_ID}')
    order by owner_id desc
    for update of storage_usage
  ), used as (
    select coalesce(max(used_bytes) filter (where owner_id <> '${INSTANCE_ID}'), 0) as by_user,
      coalesce(max(used_bytes) filter (where owner_id = '${INSTANCE_ID}'), 0) as by_all
    from accounts
  )`

/** 4. Whether the bytes fit, or which limit they would pass. Giving bytes back always fits. */
const decision = `verdict as (
    select before.id, before.share_uid, before.charged_to, before.reserved_bytes,
      $4::bigint - before.reserved_bytes as delta,
      case
        when $4::bigint <= before.reserved_bytes then 'fits'
        when $6::bigint > 0 and total.reserved_bytes + $4::bigint - before.reserved_bytes > $6::bigint
          then 'share'
        when $7::bigint > 0 and before.charged_to is not null
          and by_user + $4::bigint - before.reserved_bytes > $7::bigint then 'user'
        when $8::bigint > 0 and by_all + $4::bigint - before.reserved_bytes > $8::bigint
          then 'instance'
        else 'fits'
      end as outcome
    from before cross join used left join total on true
  )`

/** 5. What fits changes the upload; what does not ends it, if the caller wants that ($9). */
const changedUpload = `changed as (
    update uploads
    set reserved_bytes = $4::bigint, length_bytes = coalesce($5::bigint, uploads.length_bytes)
    from verdict
    where uploads.id = verdict.id and outcome = 'fits'
    returning uploads.*
  ), ended as (
    delete from uploads using verdict
    where uploads.id = verdict.id and outcome <> 'fits' and $9::boolean
  )`

/** 6. The counters follow: by the difference, or by all that an ended upload had reserved. */
const changedCounters = `charge as (
    select share_uid, charged_to,
      case when outcome = 'fits' then delta when $9::boolean then -reserved_bytes else 0 end as bytes
    from verdict
  ), recounted as (
    update share_totals set reserved_bytes = share_totals.reserved_bytes + charge.bytes
    from charge
    where share_totals.share_uid = charge.share_uid and charge.bytes <> 0
  ), charged as (
    ${chargeSql('charge', { user: '$7', instance: '$8' })}
  )`

export const reserveStatement = `
  with ${[
    commitMode,
    lockedUpload,
    lockedShare,
    lockedAccounts,
    decision,
    changedUpload,
    changedCounters,
  ].join(', ')}
  select changed.*, verdict.outcome from verdict left join changed using (id)`

export const removeStatement = `
  with ${commitMode}, removed as (
    delete from uploads using mode
    where id = $2 and lease_token = $3::bigint
    returning share_uid, share_id, user_id, kind, name, charged_to, file_id, reserved_bytes
  ), told as (
    ${happeningSql('upload.failed', {
      ownerId: 'user_id',
      data: `'shareId', share_id, 'name', name`,
      from: `removed where $4::boolean and kind <> 'partial'`,
    })}
  ), unfiled as (
    delete from files using removed
    where files.share_uid = removed.share_uid and files.id = removed.file_id
  ), recounted as (
    update share_totals set reserved_bytes = share_totals.reserved_bytes - removed.reserved_bytes
    from removed where share_totals.share_uid = removed.share_uid
    returning share_totals.share_uid
  ), charge as (
    select charged_to, -removed.reserved_bytes as bytes
    from removed left join recounted using (share_uid)
  ), charged as (
    ${chargeSql('charge')}
  )
  select 1 from removed`

// Whether the holder lives is asked only for a lease of another process: a lease of this process that
// nobody here remembers was left by a failed request.
export const acquireStatement = `
  with ${commitMode}
  update uploads
  set lease_token = lease_token + 1, lease_holder = $3::int,
      expires_at = case when finished_at is null then $4::timestamptz else expires_at end
  from mode
  where id = $2 and case
    when lease_holder is null or lease_holder = $3::int then true
    else not exists (
      select 1 from pg_locks
      where locktype = 'advisory' and objsubid = 2 and granted and classid = 1179385858
        and objid::bigint::int = lease_holder
        and database = (select oid from pg_database where datname = current_database()))
    end
  returning uploads.*`

// One statement is one round trip and one durable commit: with many small files nothing costs more.
// All uploads are of one share, or one upload is of none. From here on the share is charged exactly
// what the files hold.
export const finishStatement = `
  with given as (
    select * from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[],
      $6::int[], $7::text[])
      as upload (id, lease_token, size_bytes, crc32, sha256, edition, request_id)
  ), before as (
    select given.*, uploads.reserved_bytes from uploads join given using (id, lease_token)
    where finished_at is null
    order by id
    for update of uploads
  ), finished as (
    update uploads
    set finished_at = $8::timestamptz, lease_holder = null, length_bytes = size_bytes,
        offset_bytes = size_bytes, crc32 = before.crc32, reserved_bytes = size_bytes,
        expires_at = $9::timestamptz
    from before
    where uploads.id = before.id
    returning uploads.id, uploads.kind, uploads.share_uid, uploads.charged_to, uploads.file_id,
      uploads.name, uploads.object_key, size_bytes, before.crc32, sha256, edition, request_id,
      size_bytes - before.reserved_bytes as uncounted_bytes
  ), filed as (
    insert into files
      (share_uid, id, name, size_bytes, crc32, sha256, object_key, created_at, added_edition)
    select share_uid, file_id, name, size_bytes, crc32, sha256, object_key, $8::timestamptz, edition
    from finished where kind <> 'partial' and share_uid is not null
  ), uncounted as (
    select share_uid, charged_to, sum(uncounted_bytes)::bigint as bytes from finished
    where uncounted_bytes <> 0
    group by share_uid, charged_to
  ), recounted as (
    update share_totals set reserved_bytes = reserved_bytes + bytes
    from uncounted where share_totals.share_uid = uncounted.share_uid
    returning share_totals.share_uid
  ), charge as (
    select charged_to, bytes from uncounted left join recounted using (share_uid)
  ), charged as (
    ${chargeSql('charge')}
  ), told as (
    ${appendEventSql('upload.finished', {
      payload: "jsonb_build_object('shareUid', share_uid, 'fileId', file_id)",
      requestId: 'request_id',
      from: "finished where kind <> 'partial' and share_uid is not null",
    })}
  )
  select id from finished`

export const checkpointStatement = `
  with ${commitMode}
  update uploads
  set offset_bytes = $4::bigint, received_bytes = $4::bigint, crc32 = $5::bigint,
      synced_bytes = $6::bigint, synced_crc32 = $7::bigint, boot_id = $8, discards_unverified = $9::boolean,
      expires_at = $10::timestamptz,
      lease_holder = case when $11::boolean then null else lease_holder end,
      length_bytes = coalesce($12::bigint, length_bytes)
  from mode
  where id = $2 and lease_token = $3::bigint and finished_at is null
  returning id`

export const noteReceivedStatement = `
  with ${commitMode}
  update uploads set received_bytes = $4::bigint from mode
  where id = $2 and lease_token = $3::bigint and lease_holder is not null and finished_at is null`

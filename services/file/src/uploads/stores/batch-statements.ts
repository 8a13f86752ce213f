import { appendEventSql } from '@floe/db'
import { chargeSql } from '../../quotas/stores/storage-usage-store.ts'

/**
 * The files of a batch are rows of `uploads` while their objects are written, so that they are
 * counted, and no object is without a row. They are not told apart by their file id: a batch that
 * comes twice at once is stored by the request that ends first.
 */
export const stageStatement = `
  with mode as (select set_config('synchronous_commit', 'off', true)), staged as (
    select * from unnest($1::text[], $2::uuid[], $3::text[], $4::bigint[], $5::text[])
      as file (id, file_id, name, size_bytes, object_key)
  ), total as (
    select coalesce(sum(size_bytes), 0)::bigint as bytes from staged, mode
  ), counted as (
    insert into share_totals (share_uid, charged_to, reserved_bytes)
    select $6::uuid, $7::uuid, bytes from total
    where $8::bigint = 0 or bytes <= $8::bigint
    on conflict (share_uid) do update
      set reserved_bytes = share_totals.reserved_bytes + excluded.reserved_bytes
      where $8::bigint = 0 or share_totals.reserved_bytes + excluded.reserved_bytes <= $8::bigint
    returning share_uid
  ), charge as (
    select $7::uuid as charged_to, bytes::numeric as bytes from total, counted
  ), charged as (
    ${chargeSql('charge', { user: '$9', instance: '$10' })}
    returning owner_id
  )
  insert into uploads (id, kind, share_uid, share_id, user_id, charged_to, file_id, name,
    length_bytes, reserved_bytes, object_key, boot_id, created_at, expires_at, discards_unverified)
  select id, 'batch', $6::uuid, $11, $12::uuid, $7::uuid, file_id, name, size_bytes, size_bytes,
    object_key, $13, $14::timestamptz, $15::timestamptz, true
  from staged
  where exists (select 1 from charged)
  returning 1`

/** What another batch, or another upload, made a file of meanwhile is given back. */
export const finishStatement = `
  with given as (
    select * from unnest($1::text[], $2::uuid[], $3::bigint[], $4::bytea[])
      as file (upload_id, file_id, crc32, sha256)
  ), taken as (
    delete from uploads using given
    where uploads.id = given.upload_id and lease_token = 0
    returning share_uid, charged_to, name, length_bytes, object_key, given.file_id, given.crc32,
      given.sha256
  ), filed as (
    insert into files
      (share_uid, id, name, size_bytes, crc32, sha256, object_key, created_at, added_edition)
    select share_uid, file_id, name, length_bytes, crc32, sha256, object_key, $5::timestamptz, $6
    from taken
    order by file_id
    on conflict (share_uid, id) do nothing
    returning share_uid, id, object_key
  ), unused as (
    select share_uid, charged_to, sum(length_bytes)::bigint as bytes from taken
    where object_key not in (select object_key from filed)
    group by share_uid, charged_to
  ), recounted as (
    update share_totals set reserved_bytes = reserved_bytes - bytes
    from unused where share_totals.share_uid = unused.share_uid and bytes <> 0
    returning share_totals.share_uid
  ), charge as (
    select unused.charged_to, -bytes as bytes from unused left join recounted using (share_uid)
    where bytes <> 0
  ), charged as (
    ${chargeSql('charge')}
  ), told as (
    ${appendEventSql('upload.finished', {
      payload: "jsonb_build_object('shareUid', share_uid, 'fileId', id)",
      requestId: '$7::text',
      from: 'filed',
    })}
  )
  select id from filed`

import type { StoredData } from '@floe/db'

/** Of shares that take its storage. */
const ofShares = 'share_uid in (select share_uid from share_totals where charged_to = :userId)'

/** Every table of this service, and of the object store in S3 that it opens. */
export const storedData = {
  files: {
    kind: 'files',
    of: ofShares,
    key: ['created_at', 'share_uid', 'id'],
    told: ['share_uid', 'id', 'name', 'size_bytes', 'crc32', 'sha256', 'created_at', 'purge_at'],
    untold: ['object_key', 'added_edition', 'removed_edition'],
  },
  file_scans: {
    kind: 'files',
    of: ofShares,
    key: ['share_uid', 'id'],
    told: ['share_uid', 'id', 'state', 'threat', 'scanned_at'],
    untold: ['limit_bytes'],
  },
  uploads: {
    kind: 'files',
    of: 'user_id = :userId or charged_to = :userId',
    key: ['created_at', 'id'],
    told: [
      ...['id', 'share_id', 'name', 'metadata', 'length_bytes', 'offset_bytes'],
      ...['created_at', 'expires_at', 'finished_at'],
    ],
    untold: [
      ...['kind', 'share_uid', 'user_id', 'charged_to', 'file_id', 'concatenation', 'chunk_bytes'],
      ...['object_key', 'crc32', 'synced_bytes', 'synced_crc32', 'boot_id', 'reserved_bytes'],
      ...['discards_unverified', 'lease_token', 'lease_holder', 'received_bytes'],
    ],
  },
  storage_usage: {
    kind: 'files',
    of: 'owner_id = :userId',
    key: ['owner_id'],
    told: ['used_bytes', 'limit_bytes'],
    untold: ['owner_id'],
  },
  share_totals: {
    kind: 'files',
    of: 'charged_to = :userId',
    key: ['share_uid'],
    told: ['share_uid', 'reserved_bytes', 'removal_requested_at'],
    untold: ['charged_to'],
  },
  thumbnails: {
    kind: 'files',
    of: ofShares,
    key: ['share_uid', 'file_id'],
    told: ['share_uid', 'file_id', 'width', 'height', 'size_bytes', 'made_at'],
    untold: ['state', 'position', 'object_key', 'crc32', 'attempts', 'claim_holder'],
  },
  download_counts: {
    kind: 'visits',
    of: ofShares,
    key: ['share_uid', 'file_id', 'hour'],
    told: ['share_uid', 'file_id', 'hour', 'count', 'last_at'],
  },
  archive_segments: { kind: 'files' },
  transfer_holds: { kind: 'files' },
  s3_installation: { kind: 'instance' },
  s3_objects: { kind: 'files' },
  s3_parts: { kind: 'files' },
  s3_pieces: { kind: 'files' },
} as const satisfies StoredData

import type { StoredData } from '@floe/db'

/** Made by the account, or received by it through a reverse share. */
const ofShares = `share_uid in (
  select uid from shares where creator_id = :userId or receiver_id = :userId
)`

/** Every table of this service. */
export const storedData = {
  shares: {
    kind: 'shares',
    of: 'creator_id = :userId or receiver_id = :userId',
    key: ['created_at', 'uid'],
    told: [
      ...['uid', 'id', 'name', 'description', 'sender_name', 'state', 'created_at'],
      ...['completed_at', 'last_activity_at', 'expires_at', 'max_views', 'views', 'creator_id'],
      ...[
        'receiver_id',
        'reverse_share_id',
        'is_private',
        'restricts_to_recipients',
        'is_encrypted',
      ],
      ...['removed_reason', 'notify_on_download', 'first_downloaded_at', 'download_notice_at'],
      ...['expired_told_at', 'language', 'receiver_language', 'max_size_bytes'],
    ],
    untold: [
      ...['password_hash', 'owner_token_hash', 'creator_address_hash', 'archive_level'],
      ...['edition', 'visible_edition', 'sealed_key'],
    ],
  },
  share_recipients: {
    kind: 'shares',
    of: ofShares,
    key: ['share_uid', 'email'],
    told: ['share_uid', 'email'],
  },
  share_announcements: {
    kind: 'shares',
    of: ofShares,
    key: ['share_uid'],
    told: ['share_uid', 'file_count', 'size_bytes', 'files'],
  },
  share_mails: {
    kind: 'shares',
    of: ofShares,
    key: ['created_at', 'id'],
    told: ['id', 'share_uid', 'kind', 'occasion', 'created_at', 'handed_over_at', 'sent_at'],
    untold: ['claimed_by', 'handover_began_at'],
  },
  share_codes: {
    kind: 'shares',
    of: ofShares,
    key: ['created_at', 'id'],
    told: ['id', 'share_uid', 'language', 'created_at', 'expires_at', 'tries', 'used_at'],
    untold: ['mailbox', 'code_hash'],
  },
  share_visits: {
    kind: 'visits',
    of: ofShares,
    key: ['share_uid', 'visitor_hash'],
    told: ['share_uid', 'granted_at', 'expires_at'],
    untold: ['visitor_hash'],
  },
  view_counts: {
    kind: 'visits',
    of: ofShares,
    key: ['share_uid', 'hour'],
    told: ['share_uid', 'hour', 'count'],
  },
  reverse_shares: {
    kind: 'reverseShares',
    of: 'creator_id = :userId',
    key: ['created_at', 'id'],
    told: [
      ...['id', 'token', 'name', 'created_at', 'expires_at', 'max_size_bytes', 'remaining_uses'],
      ...['sends_notice', 'asks_sender_name', 'is_public', 'is_simplified', 'language'],
    ],
    untold: ['creator_id', 'password_hash', 'receiver'],
  },
  share_secrets: { kind: 'instance' },
} as const satisfies StoredData

import type { StoredData } from '@floe/db'

/** Every table of this service. */
export const storedData = {
  webhooks: {
    kind: 'webhooks',
    of: 'user_id = :userId',
    key: ['created_at', 'id'],
    told: [
      ...['id', 'scope', 'url', 'events', 'format', 'created_at'],
      ...['disabled_at', 'disabled_reason', 'language'],
    ],
    untold: ['user_id', 'secret', 'previous_secret', 'previous_until', 'owes_mail'],
  },
  webhook_deliveries: {
    kind: 'webhooks',
    of: 'webhook_id in (select id from webhooks where user_id = :userId)',
    key: ['created_at', 'id'],
    told: [
      ...['id', 'webhook_id', 'event_id', 'happening', 'created_at', 'state', 'attempts'],
      ...['next_attempt_at', 'last_attempt'],
    ],
  },
  administrator_languages: {
    kind: 'notices',
    of: 'user_id = :userId',
    key: ['user_id'],
    told: ['language'],
    untold: ['user_id'],
  },
  owed_notices: {
    kind: 'notices',
    of: 'user_id = :userId',
    key: ['mail_id'],
    told: ['mail_id'],
    untold: ['user_id'],
  },
  notices: { kind: 'notices' },
  audit_entries: {
    kind: 'audit',
    // What others did to it tells where they were.
    of: 'actor_id = :userId',
    key: ['at', 'id'],
    told: [
      ...['id', 'at', 'action', 'actor_id', 'actor_name', 'address', 'user_agent'],
      ...['target_type', 'target_id', 'target_name', 'details'],
    ],
  },
  config_values: { kind: 'instance' },
  logo_icons: { kind: 'instance' },
  setup: { kind: 'instance' },
  figures: { kind: 'instance' },
} as const satisfies StoredData

import type { StoredData } from '@floe/db'

const ofUser = 'user_id = :userId'
const ofSession = 'session_id in (select id from sessions where user_id = :userId)'

/** Every table of this service. */
export const storedData = {
  users: {
    kind: 'account',
    of: 'id = :userId',
    key: ['created_at', 'id'],
    told: [
      ...['id', 'username', 'email', 'email_standing', 'is_admin', 'is_waiting', 'created_at'],
      ...['shows_name', 'storage_limit', 'share_size_limit', 'sharing_exceptions', 'directory_id'],
    ],
  },
  credentials: {
    kind: 'signIn',
    of: ofUser,
    key: ['user_id'],
    told: ['user_id'],
    untold: ['password_hash'],
  },
  totp_secrets: {
    kind: 'signIn',
    of: ofUser,
    key: ['user_id'],
    told: ['verified_at'],
    untold: ['user_id', 'sealed_secret', 'last_time_step'],
  },
  recovery_codes: {
    kind: 'signIn',
    of: ofUser,
    key: ['code_hash'],
    told: ['used_at'],
    untold: ['user_id', 'code_hash'],
  },
  passkeys: {
    kind: 'signIn',
    of: ofUser,
    key: ['created_at', 'id'],
    told: [
      ...['id', 'name', 'credential_id', 'public_key', 'counter', 'transports'],
      ...['is_synced', 'may_be_copied', 'created_at', 'last_used_at'],
    ],
    untold: ['user_id'],
  },
  identities: {
    kind: 'signIn',
    of: ofUser,
    key: ['provider', 'issuer', 'subject'],
    told: ['provider', 'issuer', 'subject', 'username', 'created_at'],
    untold: ['user_id'],
  },
  sessions: {
    kind: 'sessions',
    of: ofUser,
    key: ['created_at', 'id'],
    told: [
      ...['id', 'created_at', 'expires_at', 'revoked_at', 'last_used_at'],
      ...['user_agent', 'client_address'],
    ],
    untold: ['user_id'],
  },
  refresh_tokens: {
    kind: 'sessions',
    of: ofSession,
    key: ['token_hash'],
    told: ['session_id', 'created_at', 'replaced_at'],
    untold: ['token_hash', 'parent_hash'],
  },
  provider_sessions: {
    kind: 'sessions',
    of: ofSession,
    key: ['session_id'],
    told: ['session_id', 'issuer', 'subject', 'sid'],
    untold: ['sealed_id_token'],
  },
  one_time_tokens: {
    kind: 'links',
    of: ofUser,
    key: ['token_hash'],
    told: ['purpose', 'created_at', 'expires_at', 'used_at', 'tries'],
    untold: ['user_id', 'token_hash'],
  },
  email_changes: {
    kind: 'links',
    of: ofUser,
    key: ['created_at', 'id'],
    told: ['id', 'old_email', 'new_email', 'language', 'created_at', 'expires_at', 'ended_at'],
    untold: ['user_id', 'token_hash'],
  },
  password_reset_requests: {
    kind: 'links',
    of: 'lower(email) = (select lower(email) from users where id = :userId)',
    key: ['created_at', 'id'],
    told: ['id', 'email', 'created_at', 'language'],
  },
  api_tokens: {
    kind: 'tokens',
    of: ofUser,
    key: ['created_at', 'id'],
    told: [
      ...['id', 'name', 'prefix', 'scopes', 'networks', 'max_share_bytes', 'max_expiration'],
      ...['created_at', 'expires_at', 'last_used_at', 'last_address', 'last_user_agent'],
    ],
    untold: ['user_id', 'token_hash'],
  },
  device_codes: {
    kind: 'tokens',
    of: ofUser,
    key: ['created_at', 'id'],
    told: [
      ...['id', 'client_id', 'client_name', 'scopes', 'address', 'created_at', 'expires_at'],
      'is_approved',
    ],
    untold: ['user_id', 'device_code_hash', 'user_code', 'interval_seconds', 'polled_at'],
  },
  auth_secrets: { kind: 'instance' },
} as const satisfies StoredData

import { createSearchIndex, type Knex } from '@floe/db'

export const migrations = [
  {
    name: '0001-create-users-and-sessions',
    async up(knex: Knex): Promise<void> {
      await knex.schema.createTable('users', (table) => {
        table.uuid('id').primary()
        table.text('username').notNullable()
        table.text('email').notNullable()
        table.boolean('is_admin').notNullable()
        table.timestamp('created_at').notNullable()
      })
      await knex.raw('create unique index users_username_unique on users (lower(username))')
      await knex.raw('create unique index users_email_unique on users (lower(email))')
      // Apart from users: an account may have no password, and lists of users never touch hashes.
      await knex.schema.createTable('credentials', (table) => {
        table.uuid('user_id').primary().references('users.id').onDelete('CASCADE')
        table.text('password_hash').notNullable()
      })
      await knex.schema.createTable('sessions', (table) => {
        table.uuid('id').primary()
        table.uuid('user_id').notNullable().references('users.id').onDelete('CASCADE').index()
        table.timestamp('created_at').notNullable()
        table.timestamp('expires_at').notNullable()
        table.timestamp('revoked_at')
        table.timestamp('last_used_at').notNullable()
        table.text('user_agent').notNullable()
        table.text('client_address').notNullable()
      })
      await knex.schema.createTable('refresh_tokens', (table) => {
        table.binary('token_hash').primary()
        table.uuid('session_id').notNullable().references('sessions.id').onDelete('CASCADE').index()
        table.timestamp('created_at').notNullable()
        table.timestamp('replaced_at')
      })
      await knex.schema.createTable('auth_secrets', (table) => {
        table.text('name').primary()
        table.binary('value').notNullable()
      })
    },
  },
  {
    name: '0002-create-second-factors-and-identities',
    async up(knex: Knex): Promise<void> {
      // What this one replaced: a token whose successor went on is a stolen copy when it returns.
      await knex.schema.alterTable('refresh_tokens', (table) => table.binary('parent_hash'))
      await knex.schema.createTable('totp_secrets', (table) => {
        table.uuid('user_id').primary().references('users.id').onDelete('CASCADE')
        table.binary('sealed_secret').notNullable()
        // Counts from here on; until then it is only being set up.
        table.timestamp('verified_at')
        // RFC 6238 §5.2: a code is taken once, so none of this step or an earlier one is.
        table.bigInteger('last_time_step')
      })
      await knex.schema.createTable('recovery_codes', (table) => {
        table.uuid('user_id').notNullable().references('users.id').onDelete('CASCADE')
        table.binary('code_hash').notNullable()
        table.timestamp('used_at')
        table.primary(['user_id', 'code_hash'])
      })
      // Login tokens and links in messages: 256 random bits, of which only the hash is kept.
      await knex.schema.createTable('one_time_tokens', (table) => {
        table.binary('token_hash').primary()
        table.uuid('user_id').notNullable().references('users.id').onDelete('CASCADE').index()
        table.text('purpose').notNullable()
        table.timestamp('created_at').notNullable()
        table.timestamp('expires_at').notNullable().index()
        table.timestamp('used_at')
        // Counts the codes tried with a login token.
        table.integer('tries').notNullable().defaultTo(0)
      })
      // An address as it was typed: whether an account has it is found out by the job.
      await knex.schema.createTable('password_reset_requests', (table) => {
        table.uuid('id').primary()
        table.text('email').notNullable()
        table.timestamp('created_at').notNullable().index()
      })
      await knex.schema.createTable('identities', (table) => {
        table.text('provider').notNullable()
        // Whose id it is: a provider that is configured elsewhere may give the same ids again.
        table.text('issuer').notNullable()
        // The provider's own id of the account: names and addresses there may change.
        table.text('subject').notNullable()
        table.uuid('user_id').notNullable().references('users.id').onDelete('CASCADE')
        table.text('username').notNullable()
        table.timestamp('created_at').notNullable()
        table.primary(['provider', 'issuer', 'subject'])
        table.unique(['user_id', 'provider'])
      })
    },
  },
  {
    name: '0003-index-lists-of-users',
    async up(knex: Knex): Promise<void> {
      await knex.raw('create index users_created_at on users (created_at, id)')
      await createSearchIndex(knex, {
        name: 'users_search',
        table: 'users',
        columns: ['username', 'email'],
      })
    },
  },
  {
    name: '0004-add-storage-limits',
    async up(knex: Knex): Promise<void> {
      await knex.schema.alterTable('users', (table) => {
        table.bigInteger('storage_limit')
      })
    },
  },
  {
    name: '0005-note-languages',
    async up(knex: Knex): Promise<void> {
      await knex.schema.alterTable('password_reset_requests', (table) => {
        table.text('language')
      })
    },
  },
  {
    name: '0006-create-email-changes',
    async up(knex: Knex): Promise<void> {
      // An address that counts once it was confirmed. Kept afterwards, as the job that tells the old
      // one may be late.
      await knex.schema.createTable('email_changes', (table) => {
        table.uuid('id').primary()
        table.uuid('user_id').notNullable().references('users.id').onDelete('CASCADE').index()
        table.text('old_email').notNullable()
        table.text('new_email').notNullable()
        table.text('language')
        // The link's own, from when it is sent.
        table.binary('token_hash').unique()
        table.timestamp('created_at').notNullable()
        table.timestamp('expires_at').notNullable().index()
        table.timestamp('ended_at')
      })
      await knex.raw(
        'create unique index email_changes_pending on email_changes (user_id) where ended_at is null',
      )
    },
  },
  {
    name: '0007-show-names',
    async up(knex: Knex): Promise<void> {
      await knex.schema.alterTable('users', (table) => {
        table.boolean('shows_name').notNullable().defaultTo(true)
      })
    },
  },
  {
    name: '0008-email-standing',
    async up(knex: Knex): Promise<void> {
      await knex.schema.alterTable('users', (table) => {
        table.text('email_standing').notNullable().defaultTo('assumed')
        table.check("email_standing in ('owed', 'assumed', 'verified')", [], 'users_email_standing')
      })
    },
  },
  {
    name: '0009-limit-sizes-of-shares',
    worksWithOlderBuilds: true,
    async up(knex: Knex): Promise<void> {
      await knex.schema.alterTable('users', (table) => {
        table.bigInteger('share_size_limit')
      })
    },
  },
  { name: '0010-create-api-tokens', worksWithOlderBuilds: true, up: createApiTokens },
  { name: '0011-create-device-codes', worksWithOlderBuilds: true, up: createDeviceCodes },
  { name: '0012-create-passkeys', up: createPasskeys },
  {
    name: '0013-mark-directory-accounts',
    worksWithOlderBuilds: true,
    async up(knex: Knex): Promise<void> {
      await knex.schema.alterTable('users', (table) => {
        // The id of the person's entry: names and addresses there may change.
        table.text('directory_id').unique()
      })
    },
  },
  {
    name: '0015-wait-for-approval',
    async up(knex: Knex): Promise<void> {
      await knex.schema.alterTable('users', (table) => {
        table.boolean('is_waiting').notNullable().defaultTo(false)
      })
    },
  },
  {
    name: '0016-keep-sharing-exceptions',
    worksWithOlderBuilds: true,
    async up(knex: Knex): Promise<void> {
      await knex.schema.alterTable('users', (table) => {
        // By the names of the settings they stand for; what is absent is left to those.
        table.jsonb('sharing_exceptions').notNullable().defaultTo('{}')
      })
    },
  },
  { name: '0017-create-provider-sessions', worksWithOlderBuilds: true, up: createProviderSessions },
]

async function createProviderSessions(knex: Knex): Promise<void> {
  await knex.schema.createTable('provider_sessions', (table) => {
    table.uuid('session_id').primary().references('sessions.id').onDelete('cascade')
    table.text('issuer').notNullable()
    table.text('subject').notNullable()
    table.text('sid')
    table.binary('sealed_id_token').notNullable()
    table.index(['issuer', 'subject'])
    table.index(['issuer', 'sid'])
  })
}

async function createApiTokens(knex: Knex): Promise<void> {
  await knex.schema.createTable('api_tokens', (table) => {
    table.uuid('id').primary()
    table.uuid('user_id').notNullable().references('users.id').onDelete('cascade').index()
    table.text('name').notNullable()
    table.text('prefix').notNullable()
    table.binary('token_hash').notNullable().unique()
    table.specificType('scopes', 'text[]').notNullable()
    table.specificType('networks', 'text[]').notNullable()
    table.bigInteger('max_share_bytes')
    // As it was chosen, such as `7-days`.
    table.text('max_expiration')
    table.timestamp('created_at').notNullable()
    table.timestamp('expires_at')
    table.timestamp('last_used_at')
    table.text('last_address')
    table.text('last_user_agent')
  })
}

async function createDeviceCodes(knex: Knex): Promise<void> {
  await knex.schema.createTable('device_codes', (table) => {
    table.uuid('id').primary()
    table.binary('device_code_hash').notNullable().unique()
    table.text('user_code').notNullable().unique()
    table.text('client_id').notNullable()
    table.text('client_name').notNullable()
    table.specificType('scopes', 'text[]').notNullable()
    table.text('address').notNullable()
    table.timestamp('created_at').notNullable()
    table.timestamp('expires_at').notNullable().index()
    table.integer('interval_seconds').notNullable()
    table.timestamp('polled_at')
    // Who decided, and how; both absent until then.
    table.uuid('user_id').references('users.id').onDelete('cascade').index()
    table.boolean('is_approved')
  })
}

async function createPasskeys(knex: Knex): Promise<void> {
  await knex.schema.createTable('passkeys', (table) => {
    table.uuid('id').primary()
    table.uuid('user_id').notNullable().references('users.id').onDelete('cascade').index()
    table.binary('credential_id').notNullable().unique()
    table.binary('public_key').notNullable()
    table.bigInteger('counter').notNullable()
    table.specificType('transports', 'text[]').notNullable()
    table.text('name').notNullable()
    table.boolean('is_synced').notNullable()
    table.boolean('may_be_copied').notNullable().defaultTo(false)
    table.timestamp('created_at').notNullable()
    table.timestamp('last_used_at')
  })
}

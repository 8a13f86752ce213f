import { createSearchIndex, type Knex } from '@floe/db'

export const migrations = [
  {
    name: '0001-create-config-values',
    async up(knex: Knex): Promise<void> {
      await knex.schema.createTable('config_values', (table) => {
        table.text('key').primary()
        table.text('value').notNullable()
        table.timestamp('updated_at').notNullable()
      })
    },
  },
  {
    name: '0002-create-audit-entries',
    async up(knex: Knex): Promise<void> {
      await knex.schema.createTable('audit_entries', (table) => {
        table.uuid('id').primary()
        // Stored as exactly as it is returned: the export goes on from the time of its last entry.
        table.specificType('at', 'timestamptz(3)').notNullable()
        table.text('action').notNullable()
        table.uuid('actor_id')
        table.text('actor_name')
        table.text('address').notNullable()
        table.text('user_agent').notNullable()
        table.text('target_type')
        table.text('target_id')
        table.text('target_name')
        table.jsonb('details').notNullable()
        table.index(['at', 'id'])
        table.index(['action', 'at', 'id'])
      })
      await createSearchIndex(knex, {
        name: 'audit_entries_actor_search',
        table: 'audit_entries',
        columns: ['actor_name'],
      })
      await createSearchIndex(knex, {
        name: 'audit_entries_target_name_search',
        table: 'audit_entries',
        columns: ['target_name'],
      })
      await createSearchIndex(knex, {
        name: 'audit_entries_target_id_search',
        table: 'audit_entries',
        columns: ['target_id'],
      })
    },
  },
  {
    name: '0003-create-figures',
    async up(knex: Knex): Promise<void> {
      await knex.schema.createTable('figures', (table) => {
        table.date('day').primary()
        table.bigInteger('storage_bytes').notNullable()
        table.integer('shares').notNullable()
        table.integer('users').notNullable()
      })
    },
  },
  {
    name: '0004-create-logo-icons',
    async up(knex: Knex): Promise<void> {
      await knex.schema.createTable('logo_icons', (table) => {
        table.text('path').primary()
        table.text('version').notNullable()
        table.binary('bytes').notNullable()
        table.timestamp('updated_at').notNullable()
      })
    },
  },
  {
    name: '0005-create-setup',
    async up(knex: Knex): Promise<void> {
      await knex.schema.createTable('setup', (table) => {
        // One row at most.
        table.boolean('is_finished').primary().checkIn(['true'])
        table.timestamp('finished_at').notNullable()
      })
      // An installation that was configured before needs no welcome.
      await knex.raw(
        'insert into setup select true, now() where exists (select from config_values)',
      )
    },
  },
  {
    name: '0006-keep-opportunistic-tls',
    async up(knex: Knex): Promise<void> {
      // Earlier settings may name a server without TLS: its messages must still be sent.
      await knex.raw(
        `insert into config_values (key, value, updated_at)
         select 'smtp.tls', 'opportunistic', now()
         where exists (select from config_values where key like 'smtp.%')
         on conflict (key) do nothing`,
      )
    },
  },
  {
    name: '0007-tell-logos-apart',
    async up(knex: Knex): Promise<void> {
      await knex.schema.alterTable('logo_icons', (table) => {
        table.text('variant').notNullable().defaultTo('light').checkIn(['light', 'dark'])
      })
    },
  },
  {
    name: '0008-create-notices',
    worksWithOlderBuilds: true,
    async up(knex: Knex): Promise<void> {
      // What administrators were told.
      await knex.schema.createTable('notices', (table) => {
        table.text('kind').notNullable()
        table.text('subject').notNullable()
        table.uuid('mail_id')
        table.jsonb('notice').notNullable()
        table.timestamp('at').notNullable()
        table.primary(['kind', 'subject'])
      })
      // Messages that are not sent yet.
      await knex.schema.createTable('owed_notices', (table) => {
        table.uuid('mail_id').notNullable()
        table.uuid('user_id').notNullable()
        table.primary(['mail_id', 'user_id'])
      })
      await knex.schema.createTable('administrator_languages', (table) => {
        table.uuid('user_id').primary()
        table.text('language').notNullable()
      })
    },
  },
  {
    name: '0009-create-webhooks',
    worksWithOlderBuilds: true,
    async up(knex: Knex): Promise<void> {
      await knex.schema.createTable('webhooks', (table) => {
        table.uuid('id').primary()
        table.uuid('user_id').notNullable().index()
        table.text('scope').notNullable()
        table.text('url').notNullable()
        table.specificType('events', 'text[]').notNullable()
        table.text('format').notNullable()
        // Sealed for their webhook.
        table.binary('secret').notNullable()
        table.binary('previous_secret')
        table.timestamp('previous_until')
        table.timestamp('created_at').notNullable()
        table.timestamp('disabled_at')
        table.text('disabled_reason')
      })
      await knex.schema.createTable('webhook_deliveries', (table) => {
        table.uuid('id').primary()
        table.uuid('webhook_id').notNullable().references('webhooks.id').onDelete('CASCADE')
        table.uuid('event_id').notNullable()
        table.jsonb('happening').notNullable()
        table.timestamp('created_at').notNullable()
        table.text('state').notNullable()
        table.integer('attempts').notNullable()
        table.timestamp('next_attempt_at')
        table.jsonb('last_attempt')
        table.unique(['webhook_id', 'event_id'])
        table.index(['webhook_id', 'created_at'])
      })
      await knex.raw(
        `create index webhook_deliveries_due on webhook_deliveries (next_attempt_at)
         where next_attempt_at is not null`,
      )
    },
  },
  {
    name: '0010-mail-owners-of-webhooks',
    worksWithOlderBuilds: true,
    async up(knex: Knex): Promise<void> {
      await knex.schema.alterTable('webhooks', (table) => {
        // Of messages to its owner.
        table.text('language')
        table.boolean('owes_mail').notNullable().defaultTo(false)
      })
    },
  },
]

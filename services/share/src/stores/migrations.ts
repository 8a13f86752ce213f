import { createSearchIndex } from '@floe/db'
import type { Knex } from 'knex'
import { createReverseShares } from './create-reverse-shares.ts'

/** The share service's tables, oldest first. */
export const migrations = [
  {
    name: '0001-create-shares',
    async up(knex: Knex): Promise<void> {
      await createShares(knex)
      await createRecipients(knex)
      await createVisits(knex)
      await knex.schema.createTable('share_secrets', (table) => {
        table.text('name').primary()
        table.text('value').notNullable()
      })
    },
  },
  {
    name: '0002-add-editions',
    async up(knex: Knex): Promise<void> {
      await knex.schema.alterTable('shares', (table) => {
        table.integer('edition').notNullable().defaultTo(0)
      })
      await knex('shares').whereNot({ state: 'open' }).update({ edition: 1 })
    },
  },
  { name: '0003-create-reverse-shares', up: createReverseShares },
  { name: '0004-create-view-counts', up: createViewCounts },
  { name: '0006-index-lists-of-shares', up: indexLists },
  { name: '0007-note-languages', up: noteLanguages },
  { name: '0008-note-beginnings-of-handovers', up: noteBeginningsOfHandovers },
  { name: '0009-index-open-shares', up: indexOpenShares },
  { name: '0010-note-creator-addresses', up: noteCreatorAddresses },
  { name: '0011-note-archive-levels', up: noteArchiveLevels },
  { name: '0012-open-while-files-arrive', up: openWhileFilesArrive },
  { name: '0013-restrict-to-recipients', up: restrictToRecipients },
  { name: '0014-note-told-ends', worksWithOlderBuilds: true, up: noteToldEnds },
  { name: '0015-hold-editions', up: holdEditions },
  { name: '0016-encrypt-shares', worksWithOlderBuilds: true, up: encryptShares },
  { name: '0017-seal-shares', up: sealShares },
]

async function createShares(knex: Knex): Promise<void> {
  await knex.schema.createTable('shares', (table) => {
    table.uuid('uid').primary()
    table.text('id').notNullable().unique({ indexName: 'shares_id_unique' })
    table.timestamp('created_at').notNullable()
    table.text('name')
    table.text('description')
    table.timestamp('expires_at')
    table.text('password_hash')
    table.integer('max_views')
    table.integer('views').notNullable().defaultTo(0)
    table.uuid('creator_id')
    table.text('owner_token_hash')
    table.text('state').notNullable()
    table.timestamp('completed_at')
    table.timestamp('last_activity_at').notNullable()
    table.text('removed_reason')
    table.check("state in ('open', 'completed', 'reopened')", undefined, 'shares_state_known')
    table.index(['creator_id'], 'shares_creator')
  })
  await knex.raw('create index shares_expiry on shares (expires_at) where expires_at is not null')
  await knex.raw("create index shares_idle on shares (last_activity_at) where state = 'open'")
}

async function createRecipients(knex: Knex): Promise<void> {
  await knex.schema.createTable('share_recipients', (table) => {
    table.uuid('share_uid').notNullable().references('shares.uid').onDelete('cascade')
    table.text('email').notNullable()
    table.primary(['share_uid', 'email'])
  })
}

async function createVisits(knex: Knex): Promise<void> {
  await knex.schema.createTable('share_visits', (table) => {
    table.uuid('share_uid').notNullable().references('shares.uid').onDelete('cascade')
    table.text('visitor_hash').notNullable()
    table.timestamp('granted_at').notNullable()
    table.timestamp('expires_at').notNullable()
    table.primary(['share_uid', 'visitor_hash'])
    table.index(['expires_at'], 'share_visits_expiry')
  })
}

/** Nobody is named here: a promise of this product, and the reason for hours. */
async function createViewCounts(knex: Knex): Promise<void> {
  await knex.schema.createTable('view_counts', (table) => {
    table.uuid('share_uid').notNullable().references('shares.uid').onDelete('cascade')
    table.timestamp('hour').notNullable()
    table.integer('count').notNullable()
    table.primary(['share_uid', 'hour'])
  })
}

/** The language of messages about a share. */
async function noteLanguages(knex: Knex): Promise<void> {
  await knex.schema.alterTable('reverse_shares', (table) => {
    table.text('language')
  })
  await knex.schema.alterTable('shares', (table) => {
    table.text('language')
    table.text('receiver_language')
  })
}

/** One for each way to sort the administrators' list, and one for what it is searched by. */
async function indexLists(knex: Knex): Promise<void> {
  await knex.raw('create index shares_by_creation on shares (created_at, uid)')
  await knex.raw('create index shares_by_views on shares (views, uid)')
  await knex.raw('create index shares_by_expiry on shares (expires_at, uid)')
  await knex.raw('drop index shares_expiry')
  await createSearchIndex(knex, { name: 'shares_search', table: 'shares', columns: ['id', 'name'] })
}

/** They are counted whenever their maker begins another one. */
async function indexOpenShares(knex: Knex): Promise<void> {
  await knex.raw("create index shares_open on shares (creator_id) where state = 'open'")
}

async function noteBeginningsOfHandovers(knex: Knex): Promise<void> {
  await knex.schema.alterTable('share_mails', (table) => {
    table.timestamp('handover_began_at')
  })
}

async function noteCreatorAddresses(knex: Knex): Promise<void> {
  await knex.schema.alterTable('shares', (table) => {
    table.text('creator_address_hash')
  })
  await knex.raw(`create index shares_creator_addresses on shares (created_at)
                  where creator_address_hash is not null`)
}

/** Those of before stay null: only a running service knows the setting that made their archives. */
async function noteArchiveLevels(knex: Knex): Promise<void> {
  await knex.schema.alterTable('shares', (table) => {
    table.smallint('archive_level')
  })
}

async function openWhileFilesArrive(knex: Knex): Promise<void> {
  await knex.raw('alter table shares drop constraint shares_state_known')
  await knex.raw(`alter table shares add constraint shares_state_known
                  check (state in ('open', 'uploading', 'completed', 'reopened'))`)
  await knex.raw(`create index shares_uploading on shares (last_activity_at)
                  where state = 'uploading'`)
  await knex.schema.createTable('share_announcements', (table) => {
    table.uuid('share_uid').primary().references('shares.uid').onDelete('cascade')
    table.integer('file_count').notNullable()
    table.bigInteger('size_bytes').notNullable()
    table.jsonb('files').notNullable()
  })
}

async function restrictToRecipients(knex: Knex): Promise<void> {
  await knex.schema.alterTable('shares', (table) => {
    table.boolean('restricts_to_recipients').notNullable().defaultTo(false)
  })
  // Anybody may ask; the job makes the code where a recipient has the mailbox.
  await knex.schema.createTable('share_codes', (table) => {
    table.uuid('id').primary()
    table.uuid('share_uid').notNullable().references('shares.uid').onDelete('cascade')
    table.text('mailbox').notNullable()
    table.text('language')
    table.timestamp('created_at').notNullable().index()
    table.text('code_hash')
    table.timestamp('expires_at')
    table.smallint('tries').notNullable().defaultTo(0)
    table.timestamp('used_at')
    table.index(['share_uid', 'mailbox'])
  })
}

/** The end that webhooks were told of, so that each is told once. */
async function noteToldEnds(knex: Knex): Promise<void> {
  await knex.schema.alterTable('shares', (table) => {
    table.timestamp('expired_told_at')
  })
  await knex.raw('update shares set expired_told_at = expires_at where expires_at <= now()')
}

/** What visitors read meanwhile; an older build would show them what is held. */
async function holdEditions(knex: Knex): Promise<void> {
  await knex.schema.alterTable('shares', (table) => {
    table.integer('visible_edition')
  })
  await knex.raw('create index shares_held on shares (uid) where visible_edition is not null')
  await knex.raw('alter table share_mails drop constraint share_mails_kind_known')
  await knex.raw(`alter table share_mails add constraint share_mails_kind_known check
                  (kind in ('recipient', 'received', 'downloaded', 'reminder', 'infected'))`)
}

async function encryptShares(knex: Knex): Promise<void> {
  await knex.schema.alterTable('shares', (table) => {
    table.boolean('is_encrypted').notNullable().defaultTo(false)
  })
}

/** An older build would let senders send plain files to who asked for sealed ones. */
async function sealShares(knex: Knex): Promise<void> {
  await knex.schema.alterTable('reverse_shares', (table) => {
    table.jsonb('receiver')
  })
  await knex.schema.alterTable('shares', (table) => {
    table.text('sealed_key')
  })
}

import type { Knex, Migration } from '@floe/db'

export const migrations: readonly Migration[] = [
  {
    name: '0001-create-files-and-uploads',
    async up(knex) {
      await knex.schema.createTable('files', (table) => {
        table.uuid('share_uid').notNullable()
        table.uuid('id').notNullable()
        table.text('name').notNullable()
        table.bigInteger('size_bytes').notNullable()
        table.bigInteger('crc32').notNullable()
        table.binary('sha256')
        table.text('object_key').notNullable().unique()
        table.timestamp('created_at').notNullable()
        table.primary(['share_uid', 'id'])
      })
      await knex.raw('create index files_unhashed on files (share_uid, id) where sha256 is null')
      await knex.schema.createTable('uploads', (table) => {
        table.text('id').primary()
        table.text('kind').notNullable()
        table.uuid('share_uid')
        table.text('share_id')
        table.uuid('user_id')
        table.uuid('file_id').notNullable()
        table.text('name').notNullable()
        table.text('metadata')
        table.text('concatenation')
        table.bigInteger('length_bytes')
        table.bigInteger('chunk_bytes')
        table.text('object_key').notNullable().unique()
        table.bigInteger('offset_bytes').notNullable().defaultTo(0)
        table.bigInteger('crc32').notNullable().defaultTo(0)
        table.bigInteger('synced_bytes').notNullable().defaultTo(0)
        table.bigInteger('synced_crc32').notNullable().defaultTo(0)
        table.text('boot_id').notNullable()
        table.boolean('discards_unverified').notNullable().defaultTo(false)
        table.bigInteger('reserved_bytes').notNullable().defaultTo(0)
        table.bigInteger('lease_token').notNullable().defaultTo(0)
        table.integer('lease_holder')
        table.timestamp('created_at').notNullable()
        table.timestamp('expires_at').notNullable().index()
        table.timestamp('finished_at')
        table.unique(['share_uid', 'file_id'])
      })
      await knex.raw(
        'create index uploads_unfinished_by_user on uploads (user_id) where finished_at is null',
      )
      await knex.schema.createTable('share_totals', (table) => {
        table.uuid('share_uid').primary()
        table.bigInteger('reserved_bytes').notNullable().defaultTo(0)
      })
    },
  },
  {
    name: '0002-add-editions',
    async up(knex) {
      await knex.schema.alterTable('files', (table) => {
        table.integer('added_edition').notNullable().defaultTo(1)
        table.integer('removed_edition')
        table.timestamp('purge_at')
      })
      await knex.raw(
        'create index files_removed on files (share_uid, id) where removed_edition is not null',
      )
    },
  },
  {
    name: '0003-create-archive-segments',
    async up(knex) {
      await knex.schema.createTable('archive_segments', (table) => {
        table.uuid('share_uid').notNullable()
        table.uuid('file_id').notNullable()
        table.smallint('level').notNullable()
        table.text('state').notNullable().defaultTo('building')
        table.text('object_key').unique()
        table.bigInteger('size_bytes').notNullable().defaultTo(0)
        table.bigInteger('file_bytes').notNullable()
        table.bigInteger('source_bytes').notNullable().defaultTo(0)
        table.bigInteger('source_crc32').notNullable().defaultTo(0)
        table.bigInteger('claim_token').notNullable().defaultTo(0)
        table.integer('claim_holder')
        table.timestamp('ready_at')
        table.timestamp('retired_at').index()
        table.primary(['share_uid', 'file_id', 'level'])
        table
          .foreign(['share_uid', 'file_id'])
          .references(['share_uid', 'id'])
          .inTable('files')
          .onDelete('cascade')
      })
      await knex.raw(
        `create index archive_segments_unfinished
         on archive_segments (level, (file_bytes - source_bytes), share_uid, file_id)
         where state = 'building'`,
      )
    },
  },
  {
    name: '0004-create-download-counts',
    async up(knex) {
      await knex.schema.createTable('download_counts', (table) => {
        table.uuid('share_uid').notNullable()
        // Null is the archive.
        table.uuid('file_id')
        table.timestamp('hour').notNullable()
        table.integer('count').notNullable()
        table.timestamp('last_at').notNullable()
        table.foreign('share_uid').references('share_totals.share_uid').onDelete('cascade')
        table
          .foreign(['share_uid', 'file_id'])
          .references(['share_uid', 'id'])
          .inTable('files')
          .onDelete('cascade')
      })
      // Two, because PostgreSQL 13 and 14 take any two nulls for different.
      await knex.raw(
        `create unique index download_counts_of_files
         on download_counts (share_uid, file_id, hour) where file_id is not null`,
      )
      await knex.raw(
        `create unique index download_counts_of_archives
         on download_counts (share_uid, hour) where file_id is null`,
      )
    },
  },
  {
    name: '0005-create-thumbnails',
    async up(knex) {
      await knex.schema.createTable('thumbnails', (table) => {
        table.uuid('share_uid').notNullable()
        table.uuid('file_id').notNullable()
        table.text('state').notNullable().defaultTo('wanted')
        table.bigInteger('position').notNullable()
        table.text('object_key').unique()
        table.bigInteger('size_bytes')
        table.bigInteger('crc32')
        table.integer('width')
        table.integer('height')
        table.integer('attempts').notNullable().defaultTo(0)
        table.integer('claim_holder')
        table.timestamp('made_at')
        table.primary(['share_uid', 'file_id'])
        table
          .foreign(['share_uid', 'file_id'])
          .references(['share_uid', 'id'])
          .inTable('files')
          .onDelete('cascade')
      })
      await knex.raw(
        `create index thumbnails_wanted on thumbnails (position, share_uid, file_id)
         where state = 'wanted'`,
      )
    },
  },
  {
    name: '0006-create-transfer-holds',
    async up(knex) {
      await knex.schema.alterTable('share_totals', (table) => {
        table.timestamp('removal_requested_at')
      })
      await knex.schema.createTable('transfer_holds', (table) => {
        table.uuid('share_uid').notNullable()
        table.integer('instance_key').notNullable()
        table.primary(['share_uid', 'instance_key'])
        table.foreign('share_uid').references('share_totals.share_uid').onDelete('cascade')
      })
    },
  },
  {
    name: '0007-create-storage-usage',
    async up(knex) {
      for (const table of ['share_totals', 'uploads']) {
        await knex.schema.alterTable(table, (columns) => {
          columns.uuid('charged_to')
        })
      }
      await chargeShares(knex)
      await knex.schema.createTable('storage_usage', (table) => {
        // A user, or the nil UUID for the instance.
        table.uuid('owner_id').primary()
        // Wider than what it counts: absurd lengths that were reserved must not overflow it.
        table.decimal('used_bytes', 40, 0).notNullable()
        // What the last addition was held against; 0 is none.
        table.bigInteger('limit_bytes').notNullable().defaultTo(0)
      })
      await knex.raw(
        `alter table storage_usage
         add constraint storage_usage_user_limit
           check (owner_id = '${nilUuid}' or limit_bytes = 0 or used_bytes <= limit_bytes),
         add constraint storage_usage_instance_limit
           check (owner_id <> '${nilUuid}' or limit_bytes = 0 or used_bytes <= limit_bytes)`,
      )
      await countStored(knex)
    },
  },
  {
    name: '0008-order-segments-of-all-levels',
    async up(knex) {
      await knex.raw('drop index archive_segments_unfinished')
      await knex.raw(
        `create index archive_segments_unfinished
         on archive_segments ((file_bytes - source_bytes), share_uid, file_id, level)
         where state = 'building' and retired_at is null`,
      )
    },
  },
  {
    name: '0009-note-received-bytes',
    async up(knex) {
      await knex.schema.alterTable('uploads', (table) => {
        table.bigInteger('received_bytes').notNullable().defaultTo(0)
      })
    },
  },
  {
    name: '0010-create-file-scans',
    async up(knex) {
      // A file without a row was not scanned: where nothing scans, nothing is written.
      await knex.schema.createTable('file_scans', (table) => {
        table.uuid('share_uid').notNullable()
        table.uuid('id').notNullable()
        table.text('state').notNullable()
        table.text('threat')
        // The size up to which files were scanned then.
        table.bigInteger('limit_bytes').notNullable()
        table.timestamp('scanned_at').notNullable()
        table.primary(['share_uid', 'id'])
        table
          .foreign(['share_uid', 'id'])
          .references(['share_uid', 'id'])
          .inTable('files')
          .onDelete('cascade')
      })
      await knex.raw(`alter table file_scans add constraint file_scans_state_known
                      check (state in ('clean', 'infected', 'too_big', 'failed'))`)
    },
  },
]

const nilUuid = '00000000-0000-0000-0000-000000000000'

/** Only the share service knows whose shares there are; later ones come with their grant. */
async function chargeShares(knex: Knex): Promise<void> {
  const [{ known } = { known: 0 }] = await knex('information_schema.columns')
    .whereRaw('table_schema = current_schema()')
    .where({ table_name: 'shares', column_name: 'receiver_id' })
    .count<{ known: string | number }[]>('* as known')
  if (Number(known) === 0) return
  await knex.raw(
    `update share_totals set charged_to = coalesce(receiver_id, creator_id)
     from shares where shares.uid = share_uid`,
  )
  await knex.raw(
    `update uploads set charged_to = coalesce(
       (select charged_to from share_totals where share_totals.share_uid = uploads.share_uid),
       user_id)`,
  )
}

async function countStored(knex: Knex): Promise<void> {
  await knex.raw(`update uploads set reserved_bytes = coalesce(length_bytes, 0)
                  where kind = 'partial'`)
  await knex.raw(`
    with charges as (
      select charged_to, size_bytes as bytes from files join share_totals using (share_uid)
      union all
      select charged_to, reserved_bytes from uploads where finished_at is null or kind = 'partial'
    )
    insert into storage_usage (owner_id, used_bytes)
    select charged_to, sum(bytes) from charges where charged_to is not null group by charged_to
    union all
    select '${nilUuid}', coalesce(sum(bytes), 0) from charges`)
}

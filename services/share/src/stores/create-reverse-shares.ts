import type { Knex } from 'knex'

/** Reverse shares, what shares know of them, and the messages that shares owe. */
export async function createReverseShares(knex: Knex): Promise<void> {
  await knex.schema.createTable('reverse_shares', (table) => {
    table.uuid('id').primary()
    table.text('token').notNullable().unique({ indexName: 'reverse_shares_token_unique' })
    table.uuid('creator_id').notNullable()
    table.timestamp('created_at').notNullable()
    table.text('name')
    table.timestamp('expires_at').notNullable()
    table.bigInteger('max_size_bytes').notNullable()
    table.integer('remaining_uses').notNullable()
    table.text('password_hash')
    table.boolean('sends_notice').notNullable()
    table.boolean('asks_sender_name').notNullable()
    table.boolean('is_public').notNullable()
    table.boolean('is_simplified').notNullable()
    table.check('remaining_uses >= 0', undefined, 'reverse_shares_uses_left')
    table.index(['creator_id'], 'reverse_shares_creator')
    table.index(['expires_at'], 'reverse_shares_expiry')
  })
  await widenShares(knex)
  await createShareMails(knex)
}

async function widenShares(knex: Knex): Promise<void> {
  await knex.schema.alterTable('shares', (table) => {
    table.uuid('reverse_share_id').references('reverse_shares.id').onDelete('set null')
    table.uuid('receiver_id')
    table.boolean('is_private').notNullable().defaultTo(false)
    table.bigInteger('max_size_bytes')
    table.text('sender_name')
    table.boolean('notify_on_download').notNullable().defaultTo(false)
    table.timestamp('first_downloaded_at')
    table.timestamp('download_notice_at')
  })
  await knex.raw(
    `create index shares_reverse_share on shares (reverse_share_id)
     where reverse_share_id is not null`,
  )
  await knex.raw(
    'create index shares_receiver on shares (receiver_id) where receiver_id is not null',
  )
}

async function createShareMails(knex: Knex): Promise<void> {
  await knex.schema.createTable('share_mails', (table) => {
    table.uuid('id').primary()
    table.uuid('share_uid').notNullable().references('shares.uid').onDelete('cascade')
    table.text('kind').notNullable()
    // Makes the row unique within its kind: an address, a moment, or nothing.
    table.text('occasion').notNullable()
    table.timestamp('created_at').notNullable()
    table.integer('claimed_by')
    table.timestamp('handed_over_at')
    table.timestamp('sent_at')
    table.unique(['share_uid', 'kind', 'occasion'])
    table.check(
      "kind in ('recipient', 'received', 'downloaded', 'reminder')",
      undefined,
      'share_mails_kind_known',
    )
  })
}

import type { Knex } from '@floe/db'

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
]

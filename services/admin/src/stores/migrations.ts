import type { Knex } from '@floe/db'

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
]

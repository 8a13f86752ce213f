import type { Knex } from 'knex'
import type { SecretStore } from '../domain/ports.ts'

interface SecretRow {
  name: string
  value: string
}

export function createSecretStore({ knex }: { knex: Knex }): SecretStore {
  return {
    findOrInsert: async (name, candidate) => {
      // The first process decides; all others read its value.
      await knex<SecretRow>('share_secrets')
        .insert({ name, value: candidate })
        .onConflict('name')
        .ignore()
      const row = await knex<SecretRow>('share_secrets').where({ name }).first('value')
      if (row === undefined) throw new Error(`share_secrets lost ${name}`)
      return row.value
    },
  }
}

import { randomBytes } from 'node:crypto'
import type { Knex } from '@floe/db'

const ACCESS_TOKEN_KEY = 'access-token-key'
const KEY_SIZE_BYTES = 32

/** Made by whichever process comes first; all others read what it stored. */
export async function loadAccessTokenKey(knex: Knex): Promise<Buffer> {
  await knex('auth_secrets')
    .insert({ name: ACCESS_TOKEN_KEY, value: randomBytes(KEY_SIZE_BYTES) })
    .onConflict('name')
    .ignore()
  const row = await knex<{ name: string; value: Buffer }>('auth_secrets')
    .where({ name: ACCESS_TOKEN_KEY })
    .first('value')
  if (!row || row.value.length !== KEY_SIZE_BYTES) throw new Error('The token key is damaged')
  return row.value
}

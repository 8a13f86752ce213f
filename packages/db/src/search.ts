import type { Knex } from 'knex'

/**
 * An index for what a column contains anywhere, by trigrams. The extension comes with PostgreSQL,
 * but not every installation has it and not every account may create it: a search then reads the
 * whole table, which is slower and just as right.
 */
export async function createSearchIndex(
  knex: Knex,
  { name, table, columns }: { name: string; table: string; columns: readonly string[] },
): Promise<void> {
  await knex.raw(`do $$ begin
    create extension if not exists pg_trgm;
  exception when insufficient_privilege or undefined_file or feature_not_supported then null;
  end $$`)
  const extension = await knex('pg_extension').where({ extname: 'pg_trgm' }).first('extname')
  if (extension === undefined) return
  const parts = columns.map(() => '?? gin_trgm_ops').join(', ')
  await knex.raw(`create index ?? on ?? using gin (${parts})`, [name, table, ...columns])
}

/** A pattern for `ilike` that finds the text anywhere, special characters included. */
export function containing(text: string): string {
  // PostgreSQL has no NUL in texts, so nothing contains one.
  return `%${text.replaceAll('\u0000', '\ufffd').replace(/[\\%_]/g, String.raw`\$&`)}%`
}

import type { Knex } from '@floe/db'
import {
  createLineFile,
  type Manifest,
  readLines,
  type TableEntry,
  tablePath,
} from './backup-format.ts'

const ROWS_AT_ONCE = 1_000
const LEDGER = /^migrations_(.+)$/
/** What a store in S3 records about its objects: it does so again where they are restored. */
const STORE = /^(?:migrations_s3|s3_.+)$/

/**
 * Tables of the schema Floe works in. The queue has a schema of its own and stays out: its jobs follow
 * from events and rows.
 */
async function listTables(trx: Knex.Transaction): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { name: string }[] }>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r' order by relname`,
  )
  return rows.map((row) => row.name).filter((name) => !STORE.test(name))
}

export async function readLedgers(trx: Knex.Transaction): Promise<Manifest['migrations']> {
  const migrations: Manifest['migrations'] = {}
  for (const table of await listTables(trx)) {
    const service = LEDGER.exec(table)?.[1]
    if (service === undefined) continue
    const rows = await trx<{ name: string }>(table).select('name').orderBy('name')
    migrations[service] = rows.map((row) => row.name)
  }
  return migrations
}

/** Writes every table as the transaction sees it. */
export async function dumpTables(trx: Knex.Transaction, folder: string): Promise<TableEntry[]> {
  const entries: TableEntry[] = []
  for (const name of await listTables(trx)) {
    if (!LEDGER.test(name)) entries.push(await dumpTable(trx, name, folder))
  }
  return entries
}

async function dumpTable(trx: Knex.Transaction, name: string, folder: string): Promise<TableEntry> {
  const file = await createLineFile(tablePath(folder, name))
  let count = 0
  await trx.raw(
    'declare dumped no scroll cursor for select row_to_json(entry)::text as line from ?? as entry',
    [name],
  )
  for (;;) {
    const { rows } = await trx.raw<{ rows: { line: string }[] }>(
      `fetch ${ROWS_AT_ONCE} from dumped`,
    )
    if (rows.length === 0) break
    count += rows.length
    await file.write(rows.map((row) => row.line))
  }
  await trx.raw('close dumped')
  return { name, rows: count, ...(await file.finish()) }
}

/** Replaces the rows of every table by those of the backup, all of them or none. */
export async function loadTables(
  trx: Knex.Transaction,
  folder: string,
  tables: readonly TableEntry[],
): Promise<void> {
  const constraints = await dropForeignKeys(trx)
  for (const table of tables) {
    await trx(table.name).delete()
    for await (const lines of readLines(tablePath(folder, table.name), table)) {
      await insertRows(trx, table.name, lines)
    }
  }
  for (const { table, name, definition } of constraints) {
    await trx.raw(`alter table ?? add constraint ?? ${definition}`, [table, name])
  }
  await setSequences(trx)
}

async function insertRows(
  trx: Knex.Transaction,
  table: string,
  lines: readonly string[],
): Promise<void> {
  const { rows } = await trx.raw<{ rows: { columns: string }[] }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = ?::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [`"${table}"`],
  )
  const columns = rows[0]?.columns ?? ''
  await trx.raw(
    `insert into ?? (${columns}) overriding system value
     select ${columns} from json_populate_recordset(null::??, ?::json)`,
    [table, table, `[${lines.join(',')}]`],
  )
}

interface ForeignKey {
  table: string
  name: string
  definition: string
}

/** Tables are filled one after another, whichever of them refers to which. */
async function dropForeignKeys(trx: Knex.Transaction): Promise<ForeignKey[]> {
  const { rows } = await trx.raw<{ rows: ForeignKey[] }>(
    `select relname as table, conname as name, pg_get_constraintdef(pg_constraint.oid) as definition
     from pg_constraint join pg_class on pg_class.oid = conrelid
     where contype = 'f' and connamespace = current_schema()::regnamespace`,
  )
  for (const { table, name } of rows) {
    await trx.raw('alter table ?? drop constraint ??', [table, name])
  }
  return rows
}

async function setSequences(trx: Knex.Transaction): Promise<void> {
  const { rows } = await trx.raw<{ rows: { table: string; column: string; sequence: string }[] }>(
    `select relname as table, attname as column,
       pg_get_serial_sequence(quote_ident(relname), attname) as sequence
     from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0
       and not attisdropped
       and pg_get_serial_sequence(quote_ident(relname), attname) is not null`,
  )
  for (const { table, column, sequence } of rows) {
    await trx.raw('select setval(?, coalesce((select max(??) from ??), 0) + 1, false)', [
      sequence,
      column,
      table,
    ])
  }
}

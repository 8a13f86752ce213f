import { queryDatabase, withDataDirectory } from './test-database.ts'

const inSchema = 'relnamespace = current_schema()::regnamespace'

/** Each query returns statements as `text`, in the order in which they can be run. */
const schemaQueries = [
  `select format('create extension if not exists %I', extname) as text
   from pg_extension where extname <> 'plpgsql' order by extname`,
  // Of the columns that count by themselves; no other sequences are in use.
  `select format('create sequence %I', relname) as text
   from pg_class where ${inSchema} and relkind = 'S' order by relname`,
  `select format('create %stable %I (%s)%s',
     case relpersistence when 'u' then 'unlogged ' else '' end,
     relname,
     (select string_agg(
        format('%I %s%s%s', attname, format_type(atttypid, atttypmod),
          coalesce(' default ' || pg_get_expr(adbin, adrelid), ''),
          case when attnotnull then ' not null' else '' end),
        ', ' order by attnum)
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attrelid = pg_class.oid and attnum > 0 and not attisdropped),
     coalesce(' with (' || array_to_string(reloptions, ', ') || ')', '')) as text
   from pg_class where ${inSchema} and relkind = 'r' order by relname`,
  `select format('alter sequence %s owned by %I.%I', pg_get_serial_sequence(quote_ident(relname), attname), relname, attname) as text
   from pg_attribute join pg_class on pg_class.oid = attrelid
   where ${inSchema} and relkind = 'r' and attnum > 0 and not attisdropped
     and pg_get_serial_sequence(quote_ident(relname), attname) is not null
   order by relname`,
  // Keys before what refers to them.
  `select format('alter table %I add constraint %I %s', relname, conname, pg_get_constraintdef(pg_constraint.oid)) as text
   from pg_constraint join pg_class on pg_class.oid = conrelid
   where ${inSchema} and contype in ('p', 'u', 'c', 'f')
   order by contype = 'f', relname, conname`,
  `select pg_get_indexdef(indexrelid) as text
   from pg_index join pg_class on pg_class.oid = indexrelid
   where ${inSchema} and not exists (select from pg_constraint where conindid = indexrelid)
   order by relname`,
]

const rowQueries = `select relname as name from pg_class where ${inSchema} and relkind = 'r' order by relname`

/** The statements that make the same tables, with their constraints and indexes, in an empty database. */
export async function dumpSchema(url: string): Promise<string[]> {
  const found = await Promise.all(schemaQueries.map((query) => queryDatabase(url, query)))
  return found.flat().map(({ text }) => String(text))
}

/** Every row as JSON, by its table. */
export async function readRows(url: string): Promise<Map<string, Record<string, unknown>[]>> {
  const rows = new Map<string, Record<string, unknown>[]>()
  for (const { name } of await queryDatabase(url, rowQueries)) {
    const found = await queryDatabase(
      url,
      `select row_to_json(entry) as line from "${String(name)}" as entry order by row_to_json(entry)::text`,
    )
    rows.set(
      String(name),
      found.map(({ line }) => line as Record<string, unknown>),
    )
  }
  return rows
}

/**
 * A program in SQL that makes the same tables and rows in an empty database. It moves every time by
 * what has passed since, so that what had a day to live has one again.
 */
export async function dumpDatabase(url: string): Promise<string> {
  const [{ now } = {}] = await queryDatabase(url, 'select now()::text as now')
  const statements = await dumpSchema(url)
  statements.push('set session_replication_role = replica')
  for (const [table, rows] of await readRows(url)) {
    if (rows.length === 0) continue
    const lines = rows.map((row) => JSON.stringify(row)).join(',\n')
    statements.push(
      `insert into ${table} select * from json_populate_recordset(null::${table}, $rows$[\n${lines}\n]$rows$)`,
    )
  }
  const sequences = await queryDatabase(
    url,
    `select format('select setval(%L, %s)', sequencename, last_value) as text
     from pg_sequences where schemaname = current_schema() and last_value is not null`,
  )
  statements.push(...sequences.map(({ text }) => String(text)), moveTimes(String(now)))
  return statements.map((statement) => `${statement};\n`).join('\n')
}

function moveTimes(madeAt: string): string {
  return `do $$
declare
  place record;
begin
  for place in
    select table_name, column_name from information_schema.columns
    where table_schema = current_schema() and data_type = 'timestamp with time zone'
  loop
    execute format('update %I set %2$I = %2$I + (now() - %3$L::timestamptz)',
      place.table_name, place.column_name, '${madeAt}');
  end loop;
end $$;
set session_replication_role = origin`
}

/** The same of the database in a data directory. */
export function dumpDataDirectory(dataDirectory: string): Promise<string> {
  return withDataDirectory(dataDirectory, dumpDatabase)
}

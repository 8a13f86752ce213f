import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, openDatabase } from '@floe/db'

/** What is wrong with the data of a Floe at rest; empty when nothing is. */
export interface Findings {
  /** Objects without a row. */
  orphans: string[]
  /** Files whose object is not there. */
  missing: string[]
  unhashed: number
  /** Uploads in the hands of a live process. */
  held: number
  /** Shares whose total is not the sum of their files and reservations. */
  miscounted: number
  /** Events not yet relayed. */
  events: number
  /** Jobs that wait, run, or wait for a retry, schedules aside. */
  busyJobs: string[]
  failedJobs: string[]
  /** Keys that swallow equal work though no job of theirs is to come. */
  stuckKeys: string[]
}

/** The database of the embedded arrangement, while Floe runs. */
export async function openEmbeddedDatabase(dataDirectory: string): Promise<Database> {
  const server = join(dataDirectory, 'postgres')
  for (const version of await readdir(server)) {
    const home = join(server, version)
    const password = await readText(join(home, 'password'))
    const cluster = await findCluster(home)
    if (password === null || cluster === null) continue
    const port = cluster.split('\n')[3]
    const url = `postgres://floe:${password.trim()}@127.0.0.1:${port}/floe`
    return openDatabase({ url, maxConnections: 2, applicationName: 'floe-soak' })
  }
  throw new Error(`no PostgreSQL runs in ${server}`)
}

async function findCluster(home: string): Promise<string | null> {
  for (const name of await readdir(home).catch(() => [])) {
    const text = await readText(join(home, name, 'postmaster.pid'))
    if (text !== null) return text
  }
  return null
}

async function readText(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null)
}

export async function inspectData(
  { knex }: Database,
  dataDirectory: string,
): Promise<{ findings: Findings; files: number }> {
  const count = async (sql: string) => {
    const { rows } = await knex.raw<{ rows: { count: string }[] }>(sql)
    return Number(rows[0]?.count ?? 0)
  }
  const list = async (sql: string) => {
    const { rows } = await knex.raw<{ rows: { value: string }[] }>(sql)
    return rows.map(({ value }) => value)
  }
  const stored = await listObjects(join(dataDirectory, 'objects'))
  const ofFiles = await list('select object_key as value from files')
  const known = new Set([...ofFiles, ...(await list('select object_key as value from uploads'))])
  return {
    files: ofFiles.length,
    findings: {
      orphans: [...stored].filter((key) => !known.has(key)),
      missing: ofFiles.filter((key) => !stored.has(key)),
      unhashed: await count('select count(*) from files where sha256 is null'),
      held: await count(heldQuery),
      miscounted: await count(miscountedQuery),
      events: await count('select count(*) from outbox'),
      busyJobs: await list(
        `select name || ' ' || state || ' ' || coalesce(failed_reason, '') as value
         from bullmq.job where state in ('waiting', 'active')
           or (state = 'delayed' and scheduler_id is null)`,
      ),
      failedJobs: await list(
        `select name || ': ' || coalesce(failed_reason, '') as value
         from bullmq.job where state = 'failed'`,
      ),
      stuckKeys: await list(stuckKeysQuery),
    },
  }
}

/** Names of everything in the folders of the store, whatever it is. */
async function listObjects(directory: string): Promise<Set<string>> {
  const names = new Set<string>()
  for (const folder of await readdir(directory)) {
    for (const name of await readdir(join(directory, folder))) names.add(name)
  }
  return names
}

const heldQuery = `
  select count(*) from uploads where lease_holder in (
    select objid::bigint::int from pg_locks
    where locktype = 'advisory' and classid = 1179385858 and granted)`

const stuckKeysQuery = `
  select dedup_id as value from bullmq.dedup_next
  union all
  select dedup.dedup_id from bullmq.dedup left join bullmq.job
    on job.queue = dedup.queue and job.id = dedup.job_id
    and job.state in ('waiting', 'active', 'delayed')
  where job.id is null`

const miscountedQuery = `
  select count(*) from share_totals totals where reserved_bytes <>
    coalesce((select sum(size_bytes) from files where share_uid = totals.share_uid), 0)
    + coalesce((select sum(reserved_bytes) from uploads
                where share_uid = totals.share_uid and finished_at is null), 0)`

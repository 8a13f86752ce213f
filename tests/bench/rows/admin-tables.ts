import { openDatabase } from '@floe/db'
import type { Bench, Row } from '../bench.ts'
import { databaseUrl, type Floe, startFloe, waitUntilQuiet } from '../floe/floe.ts'
import { type Session, signUp } from '../floe/session.ts'
import { limitLine, type Line } from '../harness/report.ts'

const SHARES = 100_000
const USERS = 10_000
const ENTRIES = 100_000

/** What the panel asks for as people go through its tables: first and last pages, sorts, searches. */
const questions: Readonly<Record<string, readonly string[]>> = {
  users: [
    '/api/users?limit=50',
    '/api/users?limit=50&sort=email&order=desc',
    `/api/users?limit=50&sort=username&offset=${USERS - 50}`,
    '/api/users?limit=50&search=user_4711',
    '/api/users?limit=50&search=example',
  ],
  shares: [
    '/api/shares/all?limit=50',
    '/api/shares/all?limit=50&sort=views&order=desc',
    '/api/shares/all?limit=50&sort=expiration&order=asc',
    `/api/shares/all?limit=50&sort=id&offset=${SHARES - 50}`,
    '/api/shares/all?limit=50&search=share-4711',
    '/api/shares/all?limit=50&search=user_47',
    '/api/shares/all?limit=50&search=parcel',
  ],
  'audit log': [
    '/api/admin/audit?limit=50',
    '/api/admin/audit?limit=50&actor=user_4711',
    '/api/admin/audit?limit=50&action=sign_in.succeeded',
  ],
  overview: ['/api/admin/overview'],
}

/** An installation after years: every share with a file, made by one of the users. */
async function seed(floe: Floe): Promise<void> {
  const database = openDatabase({ url: databaseUrl(floe), maxConnections: 1 })
  const { knex } = database
  const userId = `('00000000-0000-4000-8000-' || lpad(number::text, 12, '0'))::uuid`
  try {
    await knex.raw(
      `insert into users (id, username, email, is_admin, created_at)
       select ${userId}, 'user_' || number, md5(number::text) || '@example.org', false,
         now() - number * interval '1 hour'
       from generate_series(1, ?) as number`,
      [USERS],
    )
    await knex.raw(
      `insert into shares (uid, id, name, created_at, expires_at, views, creator_id, state,
         completed_at, last_activity_at)
       select ${userId}, 'share-' || number, 'Parcel ' || md5(number::text),
         now() - number * interval '1 minute',
         case when number % 10 > 0 then now() + number * interval '1 hour' end, number % 100,
         ('00000000-0000-4000-8000-' || lpad((number % ? + 1)::text, 12, '0'))::uuid,
         'completed', now(), now()
       from generate_series(1, ?) as number`,
      [USERS, SHARES],
    )
    await knex.raw(
      `insert into files (share_uid, id, name, size_bytes, crc32, sha256, object_key, created_at)
       select ${userId}, gen_random_uuid(), 'file.bin', 1000 + number, 0, '\\x00', number::text,
         now()
       from generate_series(1, ?) as number`,
      [SHARES],
    )
    await knex.raw(
      `insert into audit_entries (id, at, action, actor_name, address, user_agent, target_type,
         target_id, target_name, details)
       select gen_random_uuid(), now() - number * interval '1 minute', 'sign_in.succeeded',
         'user_' || number % ?, '192.0.2.1', 'Browser', 'user', number::text, 'user_' || number, '{}'
       from generate_series(1, ?) as number`,
      [USERS, ENTRIES],
    )
    await knex.raw('vacuum analyze')
  } finally {
    await database.close()
  }
}

async function ask({ port }: Floe, { cookie }: Session, path: string): Promise<number> {
  const startedAt = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } })
  const body = await response.text()
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${body}`)
  return performance.now() - startedAt
}

async function measureTables({ scratch, rounds }: Bench): Promise<Line[]> {
  const floe = await startFloe(scratch)
  try {
    const admin = await signUp(floe)
    await seed(floe)
    await waitUntilQuiet(floe)
    const lines: Line[] = []
    for (const [table, paths] of Object.entries(questions)) {
      const values: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        const times: number[] = []
        for (const path of paths) times.push(await ask(floe, admin, path))
        values.push(Math.max(...times))
      }
      lines.push(
        limitLine({
          what: `Administration: ${table}, ${SHARES} shares and ${USERS} users, slowest question`,
          values,
          unit: 'ms',
          digits: 0,
          atMost: 300,
        }),
      )
    }
    return lines
  } finally {
    await floe.stop()
  }
}

export const adminTablesRow: Row = { name: 'admin-tables', measure: measureTables }

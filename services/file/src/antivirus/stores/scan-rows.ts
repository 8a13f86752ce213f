import { appendEvents, type Database, type Knex } from '@floe/db'
import { withScans } from '../../files/stores/file-row.ts'
import type { ScanOutcome, ScanStore, UnscannedFile } from '../domain/scan-ports.ts'

interface WaitingRow {
  share_uid: string
  id: string
  object_key: string
  size_bytes: number
}

interface CountRow {
  waiting: number
  failed: number
  too_big: number
  infected: number
  latest_infected_at: Date | null
}

/** `limit` names the parameter of the size up to which files are scanned. */
function isWaiting(limit: string): string {
  return `purge_at is null and (state is null or state = 'failed'
    or (state = 'too_big' and limit_bytes < ${limit}::bigint and size_bytes <= ${limit}::bigint))`
}

export function createScanStore(
  { knex, query }: Pick<Database, 'knex' | 'query'>,
  clock: () => Date,
): ScanStore {
  return {
    sharesWaiting: async ({ after, limit, limitBytes }) => {
      const rows = await query<{ share_uid: string }>({
        name: 'page-of-shares-waiting-for-scans',
        text: `select distinct share_uid from ${withScans}
               where ${isWaiting('$3')} and ($1::uuid is null or share_uid > $1::uuid)
               order by share_uid limit $2`,
        values: [after, limit, limitBytes],
      })
      return rows.map((row) => row.share_uid)
    },

    listWaiting: async (shareUid, { limitBytes }) => {
      const rows = await query<WaitingRow>({
        name: 'list-files-waiting-for-scans',
        text: `select share_uid, id, object_key, size_bytes from ${withScans}
               where share_uid = $1 and ${isWaiting('$2')} order by created_at desc, id`,
        values: [shareUid, limitBytes],
      })
      return rows.map(toUnscanned)
    },

    settle: (file, outcome, { limitBytes }) =>
      knex.transaction((trx) => settle(trx, file, { outcome, limitBytes, scannedAt: clock() })),

    count: async () => {
      const [row] = await query<CountRow>({
        name: 'count-scans',
        text: `select count(*) filter (where state is null or state = 'failed') as waiting,
                 count(*) filter (where state = 'failed') as failed,
                 count(*) filter (where state = 'too_big') as too_big,
                 count(*) filter (where state = 'infected') as infected,
                 max(scanned_at) filter (where state = 'infected') as latest_infected_at
               from ${withScans} where removed_edition is null`,
        values: [],
      })
      return {
        waiting: row?.waiting ?? 0,
        failed: row?.failed ?? 0,
        tooBig: row?.too_big ?? 0,
        infected: row?.infected ?? 0,
        latestInfectedAt: row?.latest_infected_at?.toISOString() ?? null,
      }
    },

    countIn: async (shareUids, states) => {
      const rows = await query<{ share_uid: string; count: number }>({
        name: 'count-files-by-scan',
        text: `select share_uid, count(*) as count from ${withScans}
               where share_uid = any($1::uuid[]) and removed_edition is null
                 and coalesce(state, 'not_scanned') = any($2::text[])
               group by share_uid`,
        values: [[...shareUids], [...states]],
      })
      return new Map(rows.map(({ share_uid: uid, count }) => [uid, count]))
    },
  }
}

async function settle(
  trx: Knex.Transaction,
  { shareUid, id }: UnscannedFile,
  { outcome, limitBytes, scannedAt }: { outcome: ScanOutcome; limitBytes: number; scannedAt: Date },
): Promise<void> {
  const { state } = outcome
  const threat = outcome.state === 'infected' ? outcome.threat : null
  // Two that settle the last files of a share at once would each see the other's as unsettled.
  await trx.raw('select 1 from share_totals where share_uid = ? for no key update', [shareUid])
  await trx.raw(
    `insert into file_scans (share_uid, id, state, threat, limit_bytes, scanned_at)
     select share_uid, id, ?::text, ?::text, ?::bigint, ?::timestamptz
     from files where share_uid = ? and id = ?
     on conflict (share_uid, id) do update set
       state = excluded.state, threat = excluded.threat,
       limit_bytes = excluded.limit_bytes, scanned_at = excluded.scanned_at`,
    [state, threat, limitBytes, scannedAt, shareUid, id],
  )
  if (state === 'failed') return
  if (state === 'infected') {
    await appendEvents(trx, [{ name: 'file.infected', payload: { shareUid, fileId: id } }])
  }
  const { rows } = await trx.raw<{ rows: object[] }>(
    `select 1 from ${withScans} where share_uid = ? and ${isWaiting('?')} limit 1`,
    [shareUid, limitBytes, limitBytes],
  )
  if (rows.length === 0) await appendEvents(trx, [{ name: 'share.scanned', payload: { shareUid } }])
}

function toUnscanned(row: WaitingRow): UnscannedFile {
  const { share_uid: shareUid, id, object_key: objectKey, size_bytes: sizeBytes } = row
  return { shareUid, id, objectKey, sizeBytes }
}

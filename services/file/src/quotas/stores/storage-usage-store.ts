import type { Database } from '@floe/db'
import { AppError } from '@floe/errors'
import type { Miscount, StorageUsage } from '../domain/quotas.ts'

/** The row that counts everything, also what belongs to no account. */
export const INSTANCE_ID = '00000000-0000-0000-0000-000000000000'

export const usageConstraints = {
  user: 'storage_usage_user_limit',
  instance: 'storage_usage_instance_limit',
} as const

/** SQL expressions of the limits that an addition is held against; 0 is none. */
export interface LimitExpressions {
  user: string
  instance: string
}

const unlimited: LimitExpressions = { user: '0', instance: '0' }

/**
 * `insert` that counts `bytes` (positive or negative) of `charged_to`, both columns of `from`, to be
 * part of the statement that changes the rows. What passes a limit breaks a constraint, which undoes
 * the whole statement: see `rejectFull`.
 *
 * Everybody waits for the row of the instance, so it comes last, after every row of a user, and the
 * statement should not wait for the disk afterwards: see `flush`.
 */
export function chargeSql(from: string, limits: LimitExpressions = unlimited): string {
  return `insert into storage_usage (owner_id, used_bytes, limit_bytes)
    select account.owner_id, sum(charge.bytes),
      case when sum(charge.bytes) > 0 then max(account.limit_bytes) else 0 end
    from ${from} as charge cross join lateral (values
      (charge.charged_to, ${limits.user}::bigint),
      ('${INSTANCE_ID}'::uuid, ${limits.instance}::bigint)
    ) as account (owner_id, limit_bytes)
    where account.owner_id is not null
    group by account.owner_id
    order by account.owner_id desc
    on conflict (owner_id) do update
      set used_bytes = storage_usage.used_bytes + excluded.used_bytes,
        limit_bytes = excluded.limit_bytes`
}

const CHECK_VIOLATION = '23514'

/** Fails with `quota_exceeded`, `instance_quota_exceeded` where that is what `error` means. */
export function rejectFull(error: unknown): never {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  if (code === CHECK_VIOLATION && constraint === usageConstraints.user) {
    throw new AppError('quota_exceeded', { cause: error })
  }
  if (code === CHECK_VIOLATION && constraint === usageConstraints.instance) {
    throw new AppError('instance_quota_exceeded', { cause: error })
  }
  throw error
}

/**
 * Makes what this process committed before survive the loss of the machine. A statement that holds
 * the counters commits without waiting for the disk, because all others would wait with it; the wait
 * comes here, where nothing is held and parallel ones share it.
 */
export async function flush({ query }: Pick<Database, 'query'>): Promise<void> {
  await query({
    name: 'flush-commits',
    text: `with mode as (select set_config('synchronous_commit', 'on', true))
           select pg_logical_emit_message(true, 'floe', '') from mode`,
    values: [],
  })
}

export function createStorageUsage({ query }: Pick<Database, 'query'>): StorageUsage {
  const ofUsers: StorageUsage['ofUsers'] = async (userIds) => {
    const rows = await query<{ owner_id: string; used_bytes: number }>({
      name: 'storage-usage-of-users',
      text: `select owner_id, ${shown('used_bytes')} as used_bytes
             from storage_usage where owner_id = any($1::uuid[])`,
      values: [[...new Set(userIds)]],
    })
    return rows.map((row) => ({ userId: row.owner_id, usedBytes: row.used_bytes }))
  }

  async function findMiscounts(): Promise<Miscount[]> {
    const rows = await query<MiscountRow>({
      name: 'find-miscounts',
      text: `${miscounts}
        select counter, id, ${shown('counted')} as counted_bytes, ${shown('actual')} as actual_bytes
        from miscounts order by counter, id`,
      values: [],
    })
    return rows.map((row) => ({
      counter: row.counter === 'owner' && row.id === INSTANCE_ID ? 'instance' : toCounter(row),
      id: row.id === INSTANCE_ID ? null : row.id,
      countedBytes: row.counted_bytes,
      actualBytes: row.actual_bytes,
    }))
  }

  return {
    ofUsers,
    ofInstance: async () => (await ofUsers([INSTANCE_ID]))[0]?.usedBytes ?? 0,
    findMiscounts,
    repair: async () => {
      const [row] = await query<{ count: number }>({
        name: 'repair-miscounts',
        text: repairStatement,
        values: [],
      })
      return row?.count ?? 0
    },
  }
}

interface MiscountRow {
  counter: 'share' | 'owner'
  id: string
  counted_bytes: number
  actual_bytes: number
}

function toCounter({ counter }: MiscountRow): Miscount['counter'] {
  return counter === 'share' ? 'share' : 'user'
}

/** Beyond what a number holds exactly nobody needs to know. */
function shown(column: string): string {
  return `greatest(least(${column}, ${Number.MAX_SAFE_INTEGER}), 0)::bigint`
}

/** One snapshot: rows and counters change together, so without a fault they agree at any moment. */
const miscounts = `
  with held as (
    select share_totals.share_uid, share_totals.charged_to, size_bytes::numeric as bytes,
      case when removed_edition is null then size_bytes else 0 end::numeric as share_bytes
    from files join share_totals using (share_uid)
    union all
    select share_uid, charged_to, reserved_bytes,
      case when share_uid is null then 0 else reserved_bytes end
    from uploads where finished_at is null or kind = 'partial'
  ), owners as (
    select owner_id, sum(bytes) as bytes from (
      select charged_to as owner_id, bytes from held where charged_to is not null
      union all select '${INSTANCE_ID}', bytes from held
    ) as charges group by owner_id
  ), shares as (
    select share_uid, sum(share_bytes) as bytes from held where share_uid is not null
    group by share_uid
  ), miscounts as (
    select 'owner' as counter, coalesce(storage_usage.owner_id, owners.owner_id) as id,
      coalesce(used_bytes, 0) as counted, coalesce(bytes, 0) as actual
    from storage_usage full join owners using (owner_id)
    where coalesce(used_bytes, 0) <> coalesce(bytes, 0)
    union all
    select 'share', share_totals.share_uid, reserved_bytes, coalesce(bytes, 0)
    from share_totals left join shares using (share_uid)
    where reserved_bytes <> coalesce(bytes, 0)
  )`

// The difference, not the sum, is what is written: it stays right while others count on.
const repairStatement = `${miscounts},
  shares_repaired as (
    update share_totals set reserved_bytes = reserved_bytes + actual - counted
    from miscounts where counter = 'share' and share_totals.share_uid = miscounts.id
  ), owners_repaired as (
    insert into storage_usage (owner_id, used_bytes, limit_bytes)
    select id, actual - counted, 0 from miscounts where counter = 'owner' order by id desc
    on conflict (owner_id) do update
      set used_bytes = storage_usage.used_bytes + excluded.used_bytes, limit_bytes = 0
  )
  select count(*) as count from miscounts`

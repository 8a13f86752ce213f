import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createRandom,
  isFullRun,
  queryDataDirectory,
  queryNewDataDirectory,
  type RunningFloe,
  startFloe,
} from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startCommand } from '../../world/command.ts'
import { dataOf, LOSSES, sharesOf } from '../../world/pingvin-data.ts'
import { importPingvin, lossesOf, usePingvin } from '../../world/pingvin.ts'
import { verify } from '../../world/verify.ts'

const KILLS = isFullRun ? 30 : 3
const SHARES = isFullRun ? 3000 : 300
const seed = Number(process.env['SEED'] ?? 20_240_203)

/** Everything that an import writes, but what is drawn, and when it was. */
const content = `select
  (select json_agg(row_to_json(one) order by id) from (
    select id, username, email, is_admin, created_at, storage_limit from users) one) as users,
  (select json_agg(row_to_json(one) order by user_id) from (select * from credentials) one) as credentials,
  (select json_agg(row_to_json(one) order by user_id) from (select user_id from totp_secrets) one) as totp,
  (select json_agg(row_to_json(one) order by user_id) from (
    select user_id, created_at, expires_at from sessions) one) as sessions,
  (select json_agg(row_to_json(one) order by id) from (select * from reverse_shares) one) as reverse_shares,
  (select json_agg(row_to_json(one) order by id) from (
    select id, uid, created_at, name, description, expires_at, password_hash, max_views, views, creator_id,
      state, edition, completed_at, removed_reason, reverse_share_id, receiver_id, is_private
    from shares) one) as shares,
  (select json_agg(row_to_json(one) order by share_uid, email) from (
    select share_uid, email from share_recipients) one) as recipients,
  (select json_agg(row_to_json(one) order by share_uid, id) from (
    select share_uid, id, name, size_bytes, crc32, sha256, created_at, added_edition from files) one) as files,
  (select json_agg(row_to_json(one) order by share_uid) from (select * from share_totals) one) as totals,
  (select json_agg(row_to_json(one) order by owner_id) from (
    select owner_id, used_bytes from storage_usage) one) as usage,
  (select json_agg(row_to_json(one) order by key) from (select key from config_values) one) as settings,
  (select count(*) from uploads) as uploads`

describe('an import that is killed', () => {
  let floe: RunningFloe
  let undisturbed: string
  const write = usePingvin()
  beforeAll(async () => {
    floe = await startFloe({ arrangement: 'embedded' })
    undisturbed = await mkdtemp(join(tmpdir(), 'floe-import-'))
  })
  afterAll(async () => {
    await floe?.stop()
    await rm(undisturbed, { recursive: true, force: true })
  })

  test(
    'again and again, at any moment, ends with what one run alone makes',
    { timeout: 1_800_000 },
    async () => {
      console.log(`seed ${seed}, ${KILLS} kills (repeat with SEED=${seed})`)
      const random = createRandom(seed)
      const rich = dataOf('B')
      const many = sharesOf('killed', SHARES, 10_000)
      const rows = {
        ...rich.rows,
        Share: [...(rich.rows.Share ?? []), ...(many.rows.Share ?? [])],
        File: [...(rich.rows.File ?? []), ...(many.rows.File ?? [])],
      }
      const source = await write({ version: 'B', rows, files: { ...rich.files, ...many.files } })

      const begun = performance.now()
      expect((await importPingvin(floe, source, '--dry-run')).code).toBe(1)
      // So long it takes until the first byte is written.
      const readMs = performance.now() - begun
      for (let kills = 0; kills < KILLS; kills += 1) {
        const environment = { DATA_DIR: floe.dataDirectory }
        const importing = startCommand('import', environment, 'pingvin', source)
        const moment = random.between(Math.round(readMs / 2), Math.round(readMs + 1000))
        setTimeout(() => importing.kill('SIGKILL'), moment)
        await once(importing, 'close')
      }
      const last = await importPingvin(floe, source)
      expect(last).toMatchObject({ code: 1, errors: '' })
      const again = await importPingvin(floe, source, '--json')
      expect(JSON.parse(again.lines.join('\n'))).toMatchObject({ shares: 0, files: 0, accounts: 0 })

      const alone = await importPingvin({ dataDirectory: undisturbed }, source)
      expect(lossesOf(alone)).toEqual(LOSSES.toSorted())
      expect(await queryDataDirectory(floe.dataDirectory, content)).toEqual(
        await queryNewDataDirectory(undisturbed, content),
      )
      const { lines } = await verify(floe.dataDirectory, '--deep')
      expect(lines).toEqual([expect.stringMatching(/^checked [\d ]+ files, .*: no differences$/)])
    },
  )
})

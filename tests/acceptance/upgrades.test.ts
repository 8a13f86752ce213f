import { queryDataDirectory, type RunningFloe, startFloe } from '@floe/testing'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Account, newAccount, signIn, signUp } from './world/accounts.ts'
import { runCommand } from './world/command.ts'

// Its database is changed while it is stopped: a Floe of its own.
describe('upgrades of npm start', () => {
  let floe: RunningFloe
  let directory: string
  const account: Account = newAccount()

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'floe-upgrades-'))
    floe = await startFloe({ arrangement: 'embedded', environment: { LOG_LEVEL: 'info' } })
    await signUp(floe, account)
  })
  afterAll(async () => {
    await floe?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  test('a database of a newer version is refused in one sentence, by commands too', async () => {
    const refusal =
      'The database belongs to a newer version of Floe, whose migration 9999-of-tomorrow of the share service is unknown to this one; start the newer version, or restore the backup made before the upgrade.\n'
    await floe.shutDown()
    const newer = "insert into migrations_share (name) values ('9999-of-tomorrow')"
    await queryDataDirectory(floe.dataDirectory, newer)

    await expect(floe.restart()).rejects.toThrow(/Floe ended with 1\./)
    await expect(floe.restart()).rejects.toThrow(`\n${refusal}`)
    const environment = { DATA_DIR: floe.dataDirectory }
    for (const [name, failure, ...args] of [
      ['migrate', 'The database could not be brought up to date'],
      ['verify', 'Storage and database could not be compared'],
      ['backup', 'There is no backup', join(directory, 'none')],
    ] as const) {
      expect(await runCommand(name, environment, ...args)).toMatchObject({
        code: 2,
        errors: `${failure}: ${refusal}`,
      })
    }

    const gone = "delete from migrations_share where name = '9999-of-tomorrow'"
    await queryDataDirectory(floe.dataDirectory, gone)
    await floe.restart()
    await signIn(floe.url, account)
  })
})

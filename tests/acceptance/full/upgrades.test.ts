import {
  createNeighbourDatabase,
  queryDatabase,
  queryDataDirectory,
  type RunningFloe,
  startFloe,
} from '@floe/testing'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Account, newAccount, signIn, signUp } from '../world/accounts.ts'
import { runCommand } from '../world/command.ts'
import { createClient } from '../world/http-client.ts'

// Its database is changed while it is stopped: a Floe of its own.
describe('upgrades of npm start', () => {
  let floe: RunningFloe
  let directory: string
  const account: Account = newAccount()
  const afterwards: Account = newAccount()

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

  /** The tables as the version before the last migration of the auth service left them. */
  const olderTables = [
    'drop table provider_sessions',
    "delete from migrations_auth where name = '0017-create-provider-sessions'",
  ]
  const downgrade = (dataDirectory: string) => queryDataDirectory(dataDirectory, ...olderTables)
  const migrationsOf = (dataDirectory: string) =>
    queryDataDirectory(dataDirectory, 'select name from migrations_auth order by name desc')
  const copies = async () => (await readdir(join(floe.dataDirectory, 'backups'))).toSorted()

  test('no copy is made where nothing is upgraded', async () => {
    await floe.restart()
    expect(existsSync(join(floe.dataDirectory, 'backups'))).toBe(false)
  })

  test('nothing is upgraded where the database cannot be copied before', async () => {
    await floe.shutDown()
    await downgrade(floe.dataDirectory)
    const inTheWay = join(floe.dataDirectory, 'backups')
    await writeFile(inTheWay, '')
    await expect(floe.restart()).rejects.toThrow(
      /ended with 1\..+The database could not be copied to \S+\/backups\/before-\S+ before the upgrade, so nothing was upgraded: E/s,
    )
    const [{ name } = {}] = await migrationsOf(floe.dataDirectory)
    expect(name).toBe('0016-keep-sharing-exceptions')
    await rm(inTheWay)
  })

  test('the database is copied before an upgrade, and the copy leads back', async () => {
    await floe.restart()
    const [copy = ''] = await copies()
    const path = join(floe.dataDirectory, 'backups', copy)
    expect(copy).toMatch(/^before-\d+\.\d+\.\d+-floe\.\d+-\d{8}T\d{9}Z$/)
    expect(floe.output()).toContain(`The database was copied to ${path} before the upgrade`)
    expect(await migrationsOf(floe.dataDirectory)).toContainEqual({
      name: '0017-create-provider-sessions',
    })
    await signUp(floe, afterwards)

    // The steps of docs/operate/upgrade.md.
    await floe.shutDown()
    const postgres = join(floe.dataDirectory, 'postgres')
    await rename(postgres, `${postgres}.upgraded`)
    await cp(path, postgres, { recursive: true })
    const [{ name } = {}] = await migrationsOf(floe.dataDirectory)
    expect(name).toBe('0016-keep-sharing-exceptions')

    // As the version before, so this one upgrades it again.
    await floe.restart()
    await signIn(floe.url, account)
    const { email, password } = afterwards
    const json = { email, password }
    const gone = await createClient(floe.url).send('POST', '/api/auth/signIn', { json })
    expect(gone.status).toBe(401)
  })

  test('an upgrade that fails leaves the tables as they were, and no copy of them', async () => {
    const before = await copies()
    await floe.shutDown()
    // It makes a table that is there already.
    const [, forgotten = ''] = olderTables
    await queryDataDirectory(floe.dataDirectory, forgotten)
    await expect(floe.restart()).rejects.toThrow(/relation .+provider_sessions.+ already exists/)
    expect(await copies()).toEqual(before)
    const restored = "insert into migrations_auth (name) values ('0017-create-provider-sessions')"
    await queryDataDirectory(floe.dataDirectory, restored)
    await floe.restart()
  })

  test('npm run migrate makes a copy too, and the last three are kept', async () => {
    const before = await copies()
    for (let made = 0; made < 2; made += 1) {
      await floe.shutDown()
      await downgrade(floe.dataDirectory)
      const { code, lines } = await runCommand('migrate', { DATA_DIR: floe.dataDirectory })
      expect(code).toBe(0)
      expect(lines).toEqual([
        expect.stringMatching(/^The database was copied to .+ before the upgrade$/),
        'auth: 0017-create-provider-sessions',
        'applied 1 migration',
      ])
    }
    const kept = await copies()
    expect(kept).toHaveLength(3)
    expect(kept).not.toContain(before[0])
    expect(kept).toContain(before[1])
  })

  test('npm run migrate leaves a database in use as it is', async () => {
    await floe.restart()
    await downgrade(floe.dataDirectory)
    expect(await runCommand('migrate', { DATA_DIR: floe.dataDirectory })).toMatchObject({
      code: 2,
      errors: expect.stringContaining('is in use by a Floe that runs; stop it'),
    })
    await floe.restart()
  })

  test('an external database is upgraded without a copy, and the log says so', async () => {
    const url = await createNeighbourDatabase(floe.dataDirectory, 'external')
    const environment = { LOG_LEVEL: 'info', DATABASE_URL: url }
    const other = await startFloe({ arrangement: 'embedded', environment })
    try {
      const line =
        /An upgrade is applied to the database, of which Floe makes no copy; docs\S+upgrade/
      expect(other.output()).not.toMatch(line)
      await other.shutDown()
      await queryDatabase(url, ...olderTables)
      await other.restart()
      expect(other.output()).toMatch(line)
      expect(await readdir(other.dataDirectory)).not.toContain('backups')
    } finally {
      await other.stop()
    }
  })
})

import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { queryDataDirectory, replaceDatabase, type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { signUp } from '../../world/accounts.ts'
import { runCommand } from '../../world/command.ts'
import { dataOf, sharesOf } from '../../world/pingvin-data.ts'
import { importPingvin, lossesOf, usePingvin } from '../../world/pingvin.ts'
import { publishShare } from '../../world/shares.ts'

const DATABASE = 'pingvin-share.db'

/** How each spoils a data folder, and what is said of it. */
const spoiled: [string, (folder: string) => Promise<unknown>, RegExp][] = [
  ['a truncated database', (folder) => truncate(join(folder, DATABASE), 8192), /damaged|cannot be/],
  [
    "another product's database",
    (folder) => replaceDatabase(folder, 'create table notes (id text)'),
    /is no database of Pingvin Share: it has no User, /,
  ],
  [
    'a version that is too old',
    (folder) => replaceDatabase(folder, 'create table Config (key text primary key, value text)'),
    /older than 0\.20; bring it up to date first/,
  ],
  [
    'an empty folder',
    async (folder) => {
      await rm(join(folder, DATABASE))
      await rm(join(folder, 'uploads'), { recursive: true })
    },
    /there is no pingvin-share\.db in /,
  ],
  ['no uploads', (folder) => rm(join(folder, 'uploads'), { recursive: true }), /shares is missing/],
  [
    'a broken config.yaml',
    (folder) => writeFile(join(folder, 'config.yaml'), 'a: ["'),
    /config\.yaml cannot be read/,
  ],
]

describe('an import that is refused', () => {
  let floe: RunningFloe
  const write = usePingvin()
  beforeAll(async () => {
    floe = await startFloe({ arrangement: 'embedded' })
    const own = await signUp(floe, {
      username: 'alice',
      email: 'a@floe.test',
      password: 'own pass',
    })
    await publishShare(own, { 'own.txt': 'own' }, { id: 'Holiday_2024' })
    // A job adds its digest, which is no change of the import.
    const undigested = 'select count(*)::int as count from files where sha256 is null'
    await vi.waitFor(async () => {
      expect(await queryDataDirectory(floe.dataDirectory, undigested)).toEqual([{ count: 0 }])
    }, 20_000)
  })
  afterAll(() => floe?.stop())

  const everything = () =>
    queryDataDirectory(
      floe.dataDirectory,
      `select (select json_agg(users) from users) as users,
         (select json_agg(shares) from shares) as shares,
         (select json_agg(files) from files) as files,
         (select json_agg(uploads) from uploads) as uploads,
         (select json_agg(reverse_shares) from reverse_shares) as reverse_shares,
         (select json_agg(config_values) from config_values) as settings`,
    )

  for (const version of ['A', 'B'] as const) {
    test.each(spoiled)(
      `by %s, version ${version}, says why and writes nothing`,
      async (_, spoil, why) => {
        const source = await write(dataOf(version))
        await spoil(source)
        const before = await everything()
        const { code, lines, errors } = await importPingvin(floe, source)
        expect({ code, lines }).toEqual({ code: 2, lines: [''] })
        expect(errors).toMatch(/^Nothing was imported: [^\n]+\n$/)
        expect(errors).toMatch(why)
        expect(await everything()).toEqual(before)
      },
    )

    test(`by a conflict, version ${version}, lists all of them and writes nothing`, async () => {
      const source = await write(dataOf(version))
      const before = await everything()
      const { code, lines, errors } = await importPingvin(floe, source)
      expect(code).toBe(2)
      expect(errors).toMatch(/--on-conflict/)
      expect(lines.filter((line) => line.startsWith('conflict: '))).toEqual([
        'conflict: account alice: an account here has this name',
        'conflict: share Holiday_2024: a share here has this link',
      ])
      expect(await everything()).toEqual(before)
    })
  }

  test('by a disk that is too small, says how much it lacks and writes nothing', async () => {
    const source = await write(sharesOf('vast', 1, 4))
    const [folder = ''] = await readdir(join(source, 'uploads/shares'))
    const [file = ''] = await readdir(join(source, 'uploads/shares', folder))
    await truncate(join(source, 'uploads/shares', folder, file), 8e12)
    const before = await everything()
    const { code, errors } = await importPingvin(floe, source)
    expect({ code, errors }).toEqual({
      code: 2,
      errors: expect.stringMatching(
        /^Nothing was imported: 80{12} bytes are to be copied, and \d+ are free\.\n$/,
      ),
    })
    expect(await everything()).toEqual(before)
    const tried = await importPingvin(floe, source, '--dry-run')
    expect(lossesOf(tried)).toContainEqual(expect.stringMatching(/^80{12} bytes are to be/))
  })

  test.each([
    ['no product', [], /specify what to import/],
    ['an unknown option', ['pingvin', '/nowhere', '--all'], /unknown option/],
    ['no folder', ['pingvin', '/nowhere'], /is not a folder/],
    ['two ways at once', ['pingvin', '/nowhere', '--link', '--move'], /one too many/],
  ])('%s is refused with code 2', async (_, args, sentence) => {
    const { code, errors } = await runCommand('import', { DATA_DIR: floe.dataDirectory }, ...args)
    expect(code).toBe(2)
    expect(errors).toMatch(sentence)
  })

  test('a refusal makes no installation where there is none', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'floe-import-'))
    const source = await write(dataOf('A'))
    await rm(join(source, DATABASE))
    const nowhere = join(directory, 'data')
    expect((await importPingvin({ dataDirectory: nowhere }, source)).code).toBe(2)
    await expect(rm(nowhere, { recursive: true })).rejects.toThrow(/ENOENT/)
    await rm(directory, { recursive: true })
  })
})

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  gokapiEncryption,
  type RunningFloe,
  startFloe,
  writeGokapi,
  writeSqlite,
} from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from '../../world/command.ts'
import { createClient } from '../../world/http-client.ts'
import { lossesOf } from '../../world/pingvin.ts'
import { openShare, readFiles } from '../../world/shares.ts'
import { verify } from '../../world/verify.ts'

const files = [
  { Id: 'aBcDeFgHiJkLmNo', content: 'open', Name: 'holiday.txt' },
  { Id: 'twice', content: 'open', Name: 'again.txt' },
  { Id: 'once', content: 'limited', UnlimitedDownloads: 0, DownloadsRemaining: 1 },
  { Id: 'over', content: 'over', UnlimitedTime: 0, ExpireAt: 1_700_000_000 },
  { Id: 'locked', content: 'locked', PasswordHash: 'da39a3ee5e6b4b0d3255bfef95601890afd80709' },
  { Id: 'sealed', content: 'sealed', Encryption: gokapiEncryption(true) },
]

describe('npm run import -- gokapi', () => {
  let floe: RunningFloe
  let source: string
  const run = (...args: string[]) =>
    runCommand('import', { DATA_DIR: floe.dataDirectory }, 'gokapi', source, ...args)

  beforeAll(async () => {
    source = await writeGokapi({ files, users: ['admin'] })
    floe = await startFloe({ arrangement: 'embedded' })
    const verdict = await run()
    expect(verdict).toMatchObject({ code: 1, errors: '' })
    expect(lossesOf(verdict)).toEqual([
      expect.stringMatching(/^1 accounts are left out/),
      'settings are left out',
      expect.stringMatching(/^share locked is left out: its password has a SHA-1 hash/),
      'share once: its 1 downloads are as many visits of its page here',
      'share over expired on 2023-11-14T22:13:20.000Z, and is left out',
      'share sealed is left out: its file is encrypted',
    ])
  })
  afterAll(async () => {
    await floe?.stop()
    await rm(source, { recursive: true, force: true })
  })

  test('opens shares by their ids with all bytes, and none that had a password', async () => {
    const visitor = createClient(floe.url)
    expect((await openShare(visitor, 'aBcDeFgHiJkLmNo')).status).toBe(200)
    expect(await readFiles(visitor, 'aBcDeFgHiJkLmNo')).toEqual({ 'holiday.txt': 'open' })
    expect((await openShare(visitor, 'twice')).status).toBe(200)
    expect(await readFiles(visitor, 'twice')).toEqual({ 'again.txt': 'open' })
    for (const id of ['locked', 'sealed', 'over']) {
      expect((await openShare(visitor, id)).status, id).toBe(404)
    }
    const { lines } = await verify(floe.dataDirectory, '--deep')
    expect(lines).toEqual([expect.stringMatching(/: no differences$/)])
  })

  test('opens one with a download left once', async () => {
    expect((await openShare(createClient(floe.url), 'once')).status).toBe(200)
    expect((await openShare(createClient(floe.url), 'once')).status).toBe(403)
  })

  test('brings nothing a second time', async () => {
    const { lines } = await run()
    expect(lines.join('\n')).toMatch(/Shares +0\n/)
  })

  test('refuses to move files that several shares have', async () => {
    const { code, errors } = await run('--move')
    expect(code).toBe(2)
    expect(errors).toMatch(/--move would delete files/)
  })

  test('refuses the folder of another product with code 2', async () => {
    const other = await writeGokapi({ files: [] })
    const path = join(other, 'data', 'gokapi.sqlite')
    await rm(path)
    await writeSqlite(path, 'create table notes (id text)', {})
    const { code, errors } = await runCommand(
      'import',
      { DATA_DIR: floe.dataDirectory },
      ...['gokapi', other],
    )
    expect({ code, errors }).toEqual({
      code: 2,
      errors: expect.stringMatching(/^Nothing was imported: this is no database of Gokapi: /),
    })
    await rm(other, { recursive: true })
  })
})

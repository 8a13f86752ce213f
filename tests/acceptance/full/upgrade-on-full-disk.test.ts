import { queryDataDirectory, type RunningFloe, startFloe } from '@floe/testing'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAccount, signIn, signUp } from '../world/accounts.ts'
import { mountMemory, unmount } from '../world/faulty-disk.ts'

// Its copies go to a disk that is too small: a Floe of its own.
let floe: RunningFloe
let backups: string
beforeAll(async () => {
  floe = await startFloe({
    arrangement: 'embedded',
    prepare: async (dataDirectory) => {
      backups = join(dataDirectory, 'backups')
      await mkdir(backups)
      await mountMemory(backups, 4)
    },
  })
})
afterAll(() => floe?.stop())

test('an upgrade waits for space for the copy of the database', async () => {
  const account = newAccount()
  await signUp(floe, account)
  await floe.shutDown()
  await queryDataDirectory(
    floe.dataDirectory,
    'alter table users drop column shows_name',
    "delete from migrations_auth where name = '0007-show-names'",
  )
  for (let started = 0; started < 2; started += 1) {
    await expect(floe.restart()).rejects.toThrow(
      'before the upgrade, so nothing was upgraded: the disk is full; free some space, then start Floe again.',
    )
    expect(await readdir(backups)).toEqual([])
  }
  await unmount(backups)
  await floe.restart()
  await signIn(floe.url, account)
  expect(await readdir(backups)).toHaveLength(1)
})

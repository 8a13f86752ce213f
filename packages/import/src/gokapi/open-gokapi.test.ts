import { rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { gokapiEncryption, writeGokapi, writeSqlite } from '@floe/testing'
import { expect, test } from 'vitest'
import { allShares } from '../testing/read-pingvin.ts'
import { useSource } from '../testing/use-source.ts'
import { isPlain } from './is-plain.ts'
import { openGokapi } from './open-gokapi.ts'

const { write, read } = useSource({ write: writeGokapi, open: openGokapi })

const MADE = 1_700_000_000
const settings = 'settings are left out'

test('a file is a share with its link, name, expiry and bytes', async () => {
  const files = [
    {
      ...{ Id: 'aBcDeFgHiJkLmNo', Name: 'ä "b".txt', content: 'one', DownloadCount: 4 },
      ...{ UnlimitedTime: 0, ExpireAt: MADE, UploadDate: MADE - 100 },
    },
  ]
  await read({ files }, async (source) => {
    expect(await allShares(source)).toMatchObject([
      {
        ...{ id: 'aBcDeFgHiJkLmNo', name: null, creatorId: null, views: 4, maxViews: null },
        expiresAt: new Date(MADE * 1000),
        createdAt: new Date((MADE - 100) * 1000),
        files: [{ name: 'ä "b".txt', sizeBytes: 3, content: { sizeBytes: 3 } }],
      },
    ])
    expect(source.losses()).toEqual([settings])
    expect([source.hasShare('aBcDeFgHiJkLmNo'), source.hasShare('x')]).toEqual([true, false])
  })
})

test('downloads that are left become visits, and an expiry that is unknown is over', async () => {
  const limited = { UnlimitedDownloads: 0, DownloadsRemaining: 2, DownloadCount: 3 }
  const files = [
    { Id: 'limited', content: 'a', ...limited },
    { Id: 'undated', content: 'b', UnlimitedTime: 0 },
  ]
  await read({ files, users: ['admin'] }, async (source) => {
    expect(await allShares(source)).toMatchObject([
      { id: 'limited', views: 3, maxViews: 5, expiresAt: null },
      { id: 'undated', expiresAt: new Date(0) },
    ])
    expect(source.losses()).toEqual([
      settings,
      expect.stringMatching(/^1 accounts are left out/),
      'share limited: its 2 downloads are as many visits of its page here',
    ])
  })
})

test('what nobody could open, or anybody suddenly could, is left out and told', async () => {
  const files = [
    { Id: 'password', content: '1', PasswordHash: 'da39a3ee5e6b4b0d3255bfef95601890afd80709' },
    { Id: 'encrypted', content: '2', Encryption: gokapiEncryption(true) },
    { Id: 'bucket', content: '3', AwsBucket: 'bucket' },
    { Id: 'request', content: '4', UploadRequestId: 'r' },
    { Id: 'deleted', content: '5', PendingDeletion: MADE },
    { Id: 'used-up', content: '6', UnlimitedDownloads: 0 },
  ]
  await read({ files }, async (source) => {
    expect(await allShares(source)).toEqual([])
    expect(source.losses()).toEqual([
      settings,
      'share password is left out: its password has a SHA-1 hash, which is not verified here',
      'share encrypted is left out: its file is encrypted',
      'share bucket is left out: its file is in S3',
      'share request is left out: it came through a file request',
      'share deleted is left out: it is being deleted',
      'share used-up is left out: it has no downloads left',
    ])
  })
})

test('an old version is read by the times of its files, from its data folder too', async () => {
  const digest = '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8'
  const folder = await write({ files: [{ Id: 'old', content: 'a' }], isOld: true })
  await utimes(join(folder, 'data', digest), MADE, MADE)
  const source = await openGokapi(join(folder, 'data'))
  expect(await allShares(source)).toMatchObject([{ createdAt: new Date(MADE * 1000) }])
  await source.close()
})

test('a path instead of a digest leads nowhere', async () => {
  const files = [{ Id: 'away', content: 'a', SHA1: '../config/config.json' }]
  const [found] = await read({ files }, allShares)
  expect(found?.files[0]?.content).toBeNull()
})

test('what is no encoding of theirs does not count as plain', () => {
  for (const bytes of [[], [3, 0xff], [3, 0xff, 0x82, 7], [200, 200, 200]]) {
    expect(isPlain(Uint8Array.from(bytes)), String(bytes)).toBe(false)
  }
  // Of a server with more types than a byte can count.
  expect(isPlain(Uint8Array.from([4, 0xfe, 1, 2, 0]))).toBe(true)
})

test('a folder without a database, of another product or of an unknown version is refused', async () => {
  const folder = await write({ files: [] })
  const path = join(folder, 'data', 'gokapi.sqlite')
  await rm(path)
  await expect(openGokapi(folder)).rejects.toThrow(/there is no gokapi\.sqlite/)
  await writeSqlite(path, 'create table notes (id text)', {})
  await expect(openGokapi(folder)).rejects.toThrow(/is no database of Gokapi: it has no FileMeta/)
  await rm(path)
  const newer = ['FileMetaData (NameEncrypted blob)', 'ApiKeys (Id text)', 'Hotlinks (Id text)']
  await writeSqlite(path, newer.map((table) => `create table ${table};`).join(''), {})
  await expect(openGokapi(folder)).rejects.toThrow(/of a version that is not known here/)
})

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writePalmr, writeSqlite } from '@floe/testing'
import { expect, test } from 'vitest'
import { allShares } from '../testing/read-pingvin.ts'
import { useSource } from '../testing/use-source.ts'
import { openPalmr } from './open-palmr.ts'

const { write, read } = useSource({ write: writePalmr, open: openPalmr })

const MADE = 1_700_000_000_123
const BCRYPT = '$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'
const ARGON2ID = '$argon2id$v=19$m=4096,t=3,p=1$c2FsdHNhbHQ$aGFzaGhhc2g'
const user = { id: 'u1', username: 'ann', email: 'ann@example.org', createdAt: MADE }
const share = { id: 'cshare1', securityId: 's1', creatorId: 'u1', createdAt: MADE }
const file = { id: 'f1', name: 'a.txt', size: 3, objectName: 'u1/1-a.txt', userId: 'u1' }
const settings = 'settings are left out, and the logo'

test('an account comes with its rights and second factor, and is told to set a password', async () => {
  const users = [
    {
      ...{ ...user, password: BCRYPT, isAdmin: 1 },
      ...{ twoFactorEnabled: 1, twoFactorVerified: 1, twoFactorSecret: 'JBSWY3DPEHPK3PXP' },
    },
    { ...user, id: 'u2', username: 'ben', email: 'ben@example.org', password: ARGON2ID },
    { ...user, id: 'u3', username: 'cat', email: 'cat@example.org', isActive: 0 },
  ]
  await read({ rows: { users } }, (source) => {
    expect(source.users()).toMatchObject([
      {
        ...{ id: 'u1', username: 'ann', email: 'ann@example.org', createdAt: new Date(MADE) },
        ...{ isAdmin: true, passwordHash: null, totpSecret: 'JBSWY3DPEHPK3PXP' },
      },
      { id: 'u2', isAdmin: false, passwordHash: ARGON2ID, totpSecret: null },
    ])
    expect(source.losses()).toEqual([
      settings,
      expect.stringMatching(/^account ann has a bcrypt hash.*: it has no password here until/),
      expect.stringMatching(/^account cat was deactivated, and is left out/),
    ])
  })
})

test('a share comes with all its parts, its files in their folders', async () => {
  const rows = {
    shares: [{ ...share, name: 'Holiday', description: 'By the sea', views: 7 }],
    share_security: [{ id: 's1', maxViews: 9 }],
    share_aliases: [{ id: 'a1', alias: 'holiday', shareId: share.id }],
    share_recipients: [{ id: 'r1', email: 'bob@example.org', shareId: share.id }],
    folders: [
      { id: 'd1', name: 'outer', userId: 'u1' },
      { id: 'd2', name: 'inner', parentId: 'd1', userId: 'u1' },
    ],
    files: [
      file,
      { ...file, id: 'f2', objectName: 'u1/2-b c.txt', name: 'b c.txt', folderId: 'd2' },
    ],
    _ShareFiles: [{ A: 'f1', B: share.id }],
    _ShareFolders: [{ A: 'd1', B: share.id }],
  }
  const files = { 'u1/1-a.txt': 'one', 'u1/2-b_c.txt': 'two' }
  await read({ rows, files }, async (source) => {
    const [found, ...others] = await allShares(source)
    expect(others).toEqual([])
    expect(found).toMatchObject({
      ...{ id: 'holiday', name: 'Holiday', description: 'By the sea', creatorId: 'u1' },
      ...{ views: 7, maxViews: 9, expiresAt: null, passwordHash: null },
      recipients: ['bob@example.org'],
      files: [
        { name: 'a.txt', sizeBytes: 3, content: { sizeBytes: 3 } },
        { name: 'outer/inner/b c.txt', content: { sizeBytes: 3 } },
      ],
    })
    expect(source.losses()).toEqual([settings])
    expect([source.hasShare('holiday'), source.hasShare('other')]).toEqual([true, false])
  })
})

test('a share of before there were folders and aliases has its id as its link', async () => {
  const rows = {
    shares: [{ ...share, expiration: MADE }],
    share_security: [{ id: 's1', password: ARGON2ID }],
    files: [file],
    _ShareFiles: [{ A: 'f1', B: share.id }],
  }
  const found = await read({ rows, isOld: true, files: { 'u1/1-a.txt': 'one' } }, allShares)
  expect(found).toMatchObject([
    { id: share.id, expiresAt: new Date(MADE), passwordHash: ARGON2ID, files: [{ name: 'a.txt' }] },
  ])
})

test('a share whose password cannot be verified is left out, and told', async () => {
  const rows = {
    shares: [share, { ...share, id: 'cshare2', securityId: 'gone' }],
    share_security: [{ id: 's1', password: BCRYPT }],
  }
  await read({ rows }, async (source) => {
    expect(await allShares(source)).toEqual([])
    expect(source.losses()).toEqual([
      settings,
      'share cshare1 is left out: its password has a bcrypt hash, which is not verified here',
      'share cshare2 is left out: its terms are gone',
    ])
  })
})

test('bytes that are not those that were sent are not taken for them, and all else is told', async () => {
  const rows = {
    shares: [share],
    share_security: [{ id: 's1' }],
    files: [
      file,
      { ...file, id: 'f2', objectName: '../secret' },
      { ...file, id: 'f3', objectName: 'u1/3' },
    ],
    _ShareFiles: ['f1', 'f2'].map((id) => ({ A: id, B: share.id })),
    reverse_shares: [{ id: 'r1', creatorId: 'u1' }],
    reverse_share_files: [{ id: 'rf1', name: 'x', size: 1, objectName: 'x', reverseShareId: 'r1' }],
  }
  const files = { 'u1/1-a.txt': Buffer.alloc(32), '../secret': 'abc', 'u1/3': 'abc' }
  await read({ rows, files }, async (source) => {
    const [found] = await allShares(source)
    expect(found?.files.map(({ content }) => content)).toEqual([null, null])
    expect(source.losses()).toEqual([
      settings,
      '1 reverse shares are left out, and 1 files that were received through them',
      expect.stringMatching(/^2 files are not in .*uploads as they were sent/),
      '1 files are in no share that comes, and are left out',
    ])
  })
})

test('a folder without files, without a database or of another product is refused', async () => {
  const folder = await write({ rows: {} })
  await rm(join(folder, 'uploads'), { recursive: true })
  await expect(openPalmr(folder)).rejects.toThrow(/uploads is missing/)
  const other = await write({ rows: {} })
  const path = join(other, 'prisma', 'palmr.db')
  await rm(path)
  await expect(openPalmr(other)).rejects.toThrow(/there is no prisma\/palmr\.db/)
  await writeSqlite(path, 'create table notes (id text)', {})
  await expect(openPalmr(other)).rejects.toThrow(/is no database of Palmr: it has no users, /)
})

import { mkdir, open, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PingvinData, replaceDatabase } from '@floe/testing'
import sqlite from 'node-sqlite3-wasm'
import { expect, test } from 'vitest'
import { allShares, usePingvin } from '../testing/read-pingvin.ts'
import { openPingvin } from './open-pingvin.ts'

const ALICE = '3f0d6b1e-52a7-4a9d-a9f0-8c4b2d1e0f11'
const NEVER = 0
const MADE = 1_700_000_000_123
const user = {
  id: ALICE,
  createdAt: MADE,
  updatedAt: MADE,
  username: 'Alice',
  email: 'Alice@example.org',
  password: '$argon2id$v=19$m=4096,t=3,p=1$c2FsdHNhbHQ$aGFzaGhhc2g',
  isAdmin: 1,
}
const share = { id: 'Holiday_2023', createdAt: MADE, expiration: NEVER, uploadLocked: 1 }

const { writePingvin, read } = usePingvin()

test.each([
  ['A', 'Pingvin Share 0.24 or later'],
  ['B', 'Pingvin Share 1.7 or later'],
  ['X', 'Pingvin Share X'],
] as const)('version %s is told as %s', async (version, product) => {
  expect(await read({ version, rows: {} }, (source) => source.product)).toBe(product)
})

test('dates and booleans are read in each form in which they are stored', async () => {
  const forms = [
    { id: 'number', expiration: MADE, uploadLocked: 1 },
    { id: 'text', expiration: '2023-11-14 22:13:20', uploadLocked: 'true' },
    { id: 'rfc-3339', expiration: '2023-11-15T00:13:20.000+02:00', uploadLocked: '1' },
    { id: 'never', expiration: NEVER, uploadLocked: 0 },
  ]
  const rows = forms.map((form) => ({ ...form, createdAt: MADE }))
  const shares = await read({ version: 'A', rows: { Share: rows } }, allShares)
  expect(
    shares.map(({ expiresAt, isCompleted }) => [expiresAt?.toISOString(), isCompleted]),
  ).toEqual([
    ['2023-11-14T22:13:20.123Z', true],
    ['2023-11-14T22:13:20.000Z', true],
    ['2023-11-14T22:13:20.000Z', true],
    [undefined, false],
  ])
})

test('an account comes with its password, second factor, identities and sessions', async () => {
  const data: PingvinData = {
    version: 'B',
    rows: {
      User: [{ ...user, totpEnabled: 1, totpVerified: 1, totpSecret: 'JBSWY3DPEHPK3PXP' }],
      OAuthUser: [
        {
          id: '1',
          provider: 'github',
          providerUserId: '42',
          providerUsername: 'ali',
          userId: ALICE,
        },
        {
          id: '2',
          provider: 'github',
          providerUserId: '42',
          providerUsername: 'ali',
          userId: 'bob',
        },
      ],
      RefreshToken: [
        { id: '1', token: 'refresh', createdAt: MADE, expiresAt: MADE + 1, userId: ALICE },
      ],
    },
  }
  await read(data, (source) => {
    expect(source.users()).toEqual([
      {
        id: ALICE,
        createdAt: new Date(MADE),
        username: 'Alice',
        email: 'Alice@example.org',
        passwordHash: user.password,
        isAdmin: true,
        totpSecret: 'JBSWY3DPEHPK3PXP',
        identities: [{ provider: 'github', subject: '42', username: 'ali' }],
        sessions: [
          { refreshToken: 'refresh', createdAt: new Date(MADE), expiresAt: new Date(MADE + 1) },
        ],
        storageLimitBytes: null,
        showsName: true,
        emailStanding: 'assumed',
        shareSizeLimitBytes: null,
        directoryId: null,
      },
    ])
    expect(source.losses()).toEqual(['github account ali is linked twice: only the first is kept'])
  })
})

test('an account of the fork that was never activated is told apart', async () => {
  const waiting = { ...user, id: 'b', username: 'bob', email: 'bob@example.org', isActivated: 0 }
  await read({ version: 'X', rows: { User: [user, waiting] } }, (source) => {
    expect(source.users().map(({ emailStanding }) => emailStanding)).toEqual(['assumed', 'owed'])
  })
})

test('an account of the fork comes with its limits', async () => {
  const limited = { ...user, storageQuotaLimit: '5000', shareSizeLimit: '1000' }
  await read({ version: 'X', rows: { User: [limited] } }, (source) => {
    expect(source.users()).toMatchObject([{ storageLimitBytes: 5000, shareSizeLimitBytes: 1000 }])
  })
})

test('a share of the fork for its recipients alone has accounts among them', async () => {
  const row = { createdAt: MADE, expiration: 0, uploadLocked: 1, creatorId: ALICE }
  const rows = {
    User: [user],
    Share: [
      { ...row, id: 'closed' },
      { ...row, id: 'open' },
    ],
    ShareSecurity: [{ id: '1', shareId: 'closed', restrictToRecipients: 1 }],
    ShareRecipient: [{ id: '1', email: 'carol@example.org', shareId: 'closed' }],
    ShareUserRecipient: [
      { id: '1', userId: ALICE, shareId: 'closed' },
      { id: '2', userId: 'nobody', shareId: 'closed' },
    ],
  }
  await read({ version: 'X', rows }, async (source) => {
    const shares = []
    for await (const page of source.shares(10)) shares.push(...page)
    expect(
      shares.map(({ recipients, restrictsToRecipients }) => [recipients, restrictsToRecipients]),
    ).toEqual([
      [['carol@example.org', 'Alice@example.org'], true],
      [[], false],
    ])
  })
})

test('a second factor that was never confirmed is left out, and told', async () => {
  const half = { ...user, totpEnabled: 1, totpVerified: 0, totpSecret: 'JBSWY3DPEHPK3PXP' }
  await read({ version: 'A', rows: { User: [half] } }, (source) => {
    expect(source.users()[0]?.totpSecret).toBeNull()
    expect(source.losses()).toHaveLength(1)
  })
})

test('a share comes with all its parts, its files in their order', async () => {
  const data: PingvinData = {
    version: 'B',
    rows: {
      Share: [{ ...share, name: 'Holiday', description: 'By the sea', views: 7, creatorId: ALICE }],
      ShareSecurity: [{ id: 's', password: 'hash', maxViews: 9, shareId: share.id }],
      ShareRecipient: [
        { id: 'r1', email: 'bob@example.org', shareId: share.id },
        { id: 'r2', email: 'bob@example.org', shareId: share.id },
      ],
      File: [
        { id: 'f2', createdAt: MADE, name: 'b "quoted" \\ 🏖.jpg', size: '3', shareId: share.id },
        { id: 'f1', createdAt: MADE, name: 'a.txt', size: '0', shareId: share.id },
      ],
    },
    files: { [`${share.id}/f2`]: 'sea', [`${share.id}/f1`]: '', [`${share.id}/archive.zip`]: 'PK' },
  }
  const [read1] = await read(data, allShares)
  expect(read1).toMatchObject({
    id: 'Holiday_2023',
    name: 'Holiday',
    description: 'By the sea',
    views: 7,
    maxViews: 9,
    passwordHash: 'hash',
    creatorId: ALICE,
    recipients: ['bob@example.org'],
    restrictsToRecipients: false,
    files: [
      { id: 'f2', name: 'b "quoted" \\ 🏖.jpg', sizeBytes: 3 },
      { id: 'f1', name: 'a.txt', sizeBytes: 0 },
    ],
  })
  expect(read1?.files[0]?.content?.path).toMatch(/uploads\/shares\/Holiday_2023\/f2$/)
})

test('recipients with an account of the fork are recipients by their address', async () => {
  const data: PingvinData = {
    version: 'X',
    rows: {
      User: [user],
      Share: [share],
      ShareRecipient: [
        { id: 'r1', email: 'bob@example.org', shareId: share.id },
        { id: 'r2', email: user.email, shareId: share.id },
      ],
      ShareUserRecipient: [{ id: 'u1', userId: ALICE, shareId: share.id }],
    },
  }
  const [read1] = await read(data, allShares)
  expect(read1?.recipients).toEqual(['bob@example.org', user.email])
})

test('rows without files and files without rows are told, and nothing is invented', async () => {
  const data: PingvinData = {
    version: 'A',
    rows: {
      Share: [share],
      File: [
        { id: 'gone', createdAt: MADE, name: 'gone.txt', size: '5', shareId: share.id },
        { id: '../../secret', createdAt: MADE, name: 'no.txt', size: '5', shareId: share.id },
      ],
    },
    files: {
      'of-no-share/x': 'x',
      [`${share.id}/stray`]: 'x',
      [`${share.id}/half.tmp-chunk`]: 'x',
      secret: 'x',
    },
  }
  await read(data, async (source) => {
    const [read1] = await allShares(source)
    expect(read1?.files.map(({ content }) => content)).toEqual([null, null])
    expect(source.losses().toSorted()).toEqual([
      expect.stringMatching(
        /shares: 2 of the folders belong to no share, and are left out, such as /,
      ),
      'share Holiday_2023: half.tmp-chunk is the beginning of an upload, and is left out',
      'share Holiday_2023: stray belongs to no file, and is left out',
    ])
  })
})

test('shares are read page by page until the last one', async () => {
  const rows = Array.from({ length: 5 }, (_, index) => ({ ...share, id: `share-${index}` }))
  const shares = await read({ version: 'A', rows: { Share: rows } }, allShares)
  expect(shares.map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
})

test.each(['A', 'B', 'X'] as const)(
  'a database that its server has open is read as last committed, and left as it is, %s',
  async (version) => {
    const folder = await writePingvin({ version, rows: { Share: [share] } })
    const path = join(folder, 'pingvin-share.db')
    const running = new sqlite.Database(path)
    running.exec(`begin immediate; update "Share" set views = 99`)
    const before = await stat(path)

    const source = await openPingvin(folder)
    expect((await allShares(source))[0]?.views).toBe(0)
    await source.close()

    expect((await stat(path)).mtimeMs).toBe(before.mtimeMs)
    running.exec('rollback')
    running.close()
  },
)

const refused: [string, (folder: string) => Promise<unknown>, RegExp][] = [
  [
    'an empty folder',
    (folder) => rm(join(folder, 'pingvin-share.db')),
    /there is no pingvin-share\.db/,
  ],
  [
    'no uploads',
    (folder) => rm(join(folder, 'uploads'), { recursive: true }),
    /uploads\/shares is missing/,
  ],
  [
    'no database at all',
    (folder) => writeFile(join(folder, 'pingvin-share.db'), 'x'),
    /is not a SQLite database/,
  ],
  [
    'a truncated database',
    (folder) => truncate(join(folder, 'pingvin-share.db'), 8192),
    /damaged|cannot be read/,
  ],
  [
    'a database with a damaged page',
    async (folder) => {
      const file = await open(join(folder, 'pingvin-share.db'), 'r+')
      await file.write(Buffer.alloc(2000, 0xff), 0, 2000, 4096)
      await file.close()
    },
    /damaged|cannot be read/,
  ],
]

test.each(refused)('%s is refused in one sentence', async (_, spoil, sentence) => {
  const folder = await writePingvin({ version: 'A', rows: { Share: [share] } })
  await spoil(folder)
  await expect(openPingvin(folder)).rejects.toThrow(sentence)
})

test('the database of another product is refused, and so is one that is too old', async () => {
  for (const [table, sentence] of [
    ['create table notes (id text)', /is no database of Pingvin Share/],
    ['create table Config (key text primary key, value text)', /older than 0\.20/],
  ] as const) {
    const folder = await writePingvin({ version: 'A', rows: {} })
    await replaceDatabase(folder, table)
    await expect(openPingvin(folder)).rejects.toThrow(sentence)
  }
})

test('each logo is read from where the images are, and is none where it is missing', async () => {
  const folder = await writePingvin({ version: 'X', rows: {} })
  const source = await openPingvin(folder)
  expect([await source.logo('light'), await source.logo('dark')]).toEqual([null, null])
  const images = join(folder, 'images')
  await mkdir(images)
  await writeFile(join(images, 'logo-dark.png'), 'dark')
  expect([await source.logo('light'), String(await source.logo('dark'))]).toEqual([null, 'dark'])
  await writeFile(join(images, 'logo.png'), 'light')
  expect(String(await source.logo('light'))).toBe('light')
  await source.close()
})

test('a folder that is not there is refused', async () => {
  await expect(openPingvin(join(tmpdir(), 'floe-pingvin-nowhere'))).rejects.toThrow(
    /is not a folder/,
  )
})

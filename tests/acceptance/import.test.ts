import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  colourPng,
  isFullRun,
  type PingvinData,
  type RunningFloe,
  startFloe,
  writePingvin,
} from '@floe/testing'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signIn, signUp } from './world/accounts.ts'
import { ownArrangements } from './world/arrangements.ts'
import { runCommand, startCommand } from './world/command.ts'
import { createClient } from './world/http-client.ts'
import { beginSending, complete, openSender } from './world/reverse-shares.ts'
import { openShare, publishShare } from './world/shares.ts'
import { beginSignIn, finishSignIn, totpCode } from './world/totp.ts'
import { verify } from './world/verify.ts'

const ALICE = '3f0d6b1e-52a7-4a9d-a9f0-8c4b2d1e0f11'
const BOB = '8a6f4a57-93a5-4a43-8b0f-0a8f4b1d2c3e'
const REVERSE = '11f2b7a0-6b1d-4f0e-9d3c-6f1e2d3c4b5a'
const TOTP_SECRET = 'JBSWY3DPEHPK3PXP'
const SESSION = '0c2b6f3e-2f8c-4a53-9a4e-5d6b7c8d9e0f'
const MADE = Date.parse('2024-02-03T04:05:06.789Z')
const NEVER = 0
const KILLS = isFullRun ? 30 : 3

/** Of "old password 1", "old password 2" and "share password", as 2022's, later and share's hashes. */
const hashes = {
  alice:
    '$argon2id$v=19$m=4096,t=3,p=1$iszHy73z86z78EmD4uMfoQ$6VdFrpbOyYdCIRoqMMmHF5r3Kv7ApmWVyOrAPCZkezM',
  bob: '$argon2id$v=19$m=65536,t=3,p=4$CiOvlEk/x3mgnPqlb4p2Cw$LH642xlLYa6XofEixcw3QXHNMp8qzRcpBGC2a3m52gA',
  share:
    '$argon2id$v=19$m=65536,t=3,p=4$E4yQ/cGXoa86BkS/T8AdRQ$KSW5Q9tQT8lBGifzMYs+woWW6/LAVvtma9CD3oQtbHI',
}

const large = randomBytes(3_000_000)
const files = [
  { id: 'b7f1a0c2-1111-4222-8333-444455556666', name: 'large.bin', content: large },
  { id: 'b7f1a0c2-1111-4222-8333-444455556667', name: 'x'.repeat(255), content: Buffer.from('x') },
  { id: 'b7f1a0c2-1111-4222-8333-444455556668', name: '"q" \\ 🏖.txt', content: Buffer.from('sea') },
  { id: 'b7f1a0c2-1111-4222-8333-444455556669', name: 'empty', content: Buffer.alloc(0) },
  { id: 'b7f1a0c2-1111-4222-8333-44445555666a', name: 'empty', content: Buffer.from('twice') },
]

function dataOf(version: PingvinData['version']): PingvinData {
  const user = { createdAt: MADE, updatedAt: MADE }
  const share = { createdAt: MADE, expiration: NEVER, uploadLocked: 1 }
  return {
    version,
    rows: {
      User: [
        {
          ...user,
          id: ALICE,
          username: 'alice',
          email: 'Alice@Example.org',
          password: hashes.alice,
          isAdmin: 1,
        },
        {
          ...user,
          id: BOB,
          username: 'bob',
          email: 'bob@example.org',
          password: hashes.bob,
          totpEnabled: 1,
          totpVerified: 1,
          totpSecret: TOTP_SECRET,
        },
      ],
      RefreshToken: [
        {
          id: '1',
          token: SESSION,
          createdAt: MADE,
          expiresAt: Date.now() + 86_400_000,
          userId: ALICE,
        },
      ],
      ReverseShare: [
        {
          id: REVERSE,
          createdAt: MADE,
          token: 'send-to-bob',
          shareExpiration: Date.now() + 86_400_000,
          maxShareSize: '1000000000',
          sendEmailNotification: 0,
          remainingUses: 2,
          creatorId: BOB,
        },
      ],
      Share: [
        { ...share, id: 'Holiday_2024', name: 'Holiday', views: 7, creatorId: ALICE },
        { ...share, id: 'holiday_2024', views: 1, creatorId: ALICE },
        { ...share, id: 'expired-one', expiration: MADE, creatorId: ALICE },
        { ...share, id: 'unfinished', uploadLocked: 0, creatorId: ALICE },
        { ...share, id: 'taken-down', removedReason: 'Not allowed', creatorId: BOB },
        { ...share, id: 'sent-to-bob', reverseShareId: REVERSE },
      ],
      Config: [
        { category: 'general', name: 'appName', type: 'string', value: 'Old name', order: 0 },
        { category: 'share', name: 'maxExpiration', type: 'timespan', value: '2 weeks', order: 0 },
        { category: 'smtp', name: 'password', type: 'string', value: 'smtp secret', order: 0 },
        { category: 'smtp', name: 'port', type: 'number', value: '99999999', order: 1 },
        { category: 'cache', name: 'ttl', type: 'number', value: '60', order: 0 },
        { category: 'internal', name: 'jwtSecret', type: 'string', value: 'jwt', order: 0 },
        { category: 'share', name: 'maxSize', type: 'number', value: null, order: 1 },
      ],
      ShareSecurity: [{ id: '1', password: hashes.share, maxViews: 9, shareId: 'Holiday_2024' }],
      ShareRecipient: [{ id: '1', email: 'carol@example.org', shareId: 'Holiday_2024' }],
      File: [
        ...files.map(({ id, name, content }) => ({
          id,
          createdAt: MADE,
          name,
          size: String(content.length),
          shareId: 'Holiday_2024',
        })),
        { id: 'lost', createdAt: MADE, name: 'lost.txt', size: '3', shareId: 'Holiday_2024' },
        { id: 'sent', createdAt: MADE, name: 'sent.txt', size: '4', shareId: 'sent-to-bob' },
      ],
    },
    files: {
      ...Object.fromEntries(files.map(({ id, content }) => [`Holiday_2024/${id}`, content])),
      'Holiday_2024/archive.zip': 'PK',
      'sent-to-bob/sent': 'sent',
    },
  }
}

const LOSSES = [
  'setting cache.ttl has no counterpart here',
  'setting smtp.port has a value that is none here',
  'share Holiday_2024: "lost.txt" has no bytes, and is left out',
  'share expired-one expired on 2024-02-03T04:05:06.789Z, and is left out',
  'share sent-to-bob: "sent.txt" has another direct link here',
  'share holiday_2024 has no files, and its page says so',
]

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe.each(ownArrangements)('npm run import, %s', (arrangement) => {
  let floe: RunningFloe
  let source: string

  beforeAll(async () => {
    source = await writePingvin(dataOf('A'))
    await mkdir(join(source, 'images'))
    await writeFile(join(source, 'images/logo.png'), colourPng(64, [200, 30, 30]))
    floe = await startFloe({ arrangement })
  })
  afterAll(async () => {
    await floe?.stop()
    await rm(source, { recursive: true, force: true })
  })

  const run = (...args: string[]) =>
    runCommand('import', { DATA_DIR: floe.dataDirectory }, 'pingvin', source, ...args)
  const visit = async (id: string, password?: string) => {
    const visitor = createClient(floe.url)
    const opened = await openShare(visitor, id, password)
    return { visitor, opened }
  }

  test('tells as JSON what would come, and brings none of it', async () => {
    const { code, lines, errors } = await run('--dry-run', '--json')
    expect(JSON.parse(lines.join('\n')), errors).toMatchObject({
      isDryRun: true,
      settings: 3,
      accounts: 2,
      reverseShares: 1,
      shares: 5,
      files: 6,
      conflicts: [],
    })
    expect(code).toBe(1)
    expect((await visit('Holiday_2024')).opened.status).toBe(404)
  })

  test('brings all but what it lists, and says where its report is', async () => {
    const { code, lines, errors } = await run()
    expect({ code, errors }).toEqual({ code: 1, errors: '' })
    const losses = lines.filter((line) => line.startsWith('loss: ')).map((line) => line.slice(6))
    expect(losses.toSorted()).toEqual(LOSSES.toSorted())
    const [html, json] = lines.slice(-2)
    expect(html).toBe(join(floe.dataDirectory, 'import-report.html'))
    const report = await readFile(json ?? '', 'utf8')
    expect((JSON.parse(report) as { shares: number }).shares).toBe(5)
    for (const secret of ['smtp secret', TOTP_SECRET, SESSION, hashes.share])
      expect(report).not.toContain(secret)
  })

  test('accounts sign in with password and second factor', async () => {
    const alice = await signIn(floe.url, { email: 'alice@example.org', password: 'old password 1' })
    expect((await alice.send('GET', '/api/users/me')).body).toMatchObject({
      id: ALICE,
      username: 'alice',
      isAdmin: true,
    })
    const step = await beginSignIn(floe.url, {
      username: 'bob',
      email: 'bob@example.org',
      password: 'old password 2',
    })
    expect((await finishSignIn(step, totpCode(TOTP_SECRET))).status).toBe(200)
  })

  test('settings show in the administration, with secrets sealed', async () => {
    const admin = await signIn(floe.url, { email: 'alice@example.org', password: 'old password 1' })
    const general = await admin.send('GET', '/api/configs/admin/general')
    expect(general.body).toContainEqual(
      expect.objectContaining({ key: 'general.appName', value: 'Old name' }),
    )
    const share = await admin.send('GET', '/api/configs/admin/share')
    expect(share.body).toContainEqual(
      expect.objectContaining({ key: 'share.maxExpiration', value: '336' }),
    )
    const smtp = await admin.send('GET', '/api/configs/admin/smtp')
    expect(smtp.text).not.toContain('smtp secret')
  })

  test('the logo is theirs', async () => {
    const { bytes } = await createClient(floe.url).send('GET', '/img/logo.png')
    expect([...PNG.sync.read(bytes).data.subarray(0, 3)]).toEqual([200, 30, 30])
  })

  test('a browser that was signed in goes on', async () => {
    const browser = createClient(floe.url)
    browser.cookies.set('refresh_token', SESSION)
    expect((await browser.send('POST', '/api/auth/token')).status).toBe(200)
    expect((await browser.send('GET', '/api/users/me')).body).toMatchObject({ id: ALICE })
  })

  test('a share opens at its old address with its password, and its files are exact', async () => {
    expect((await visit('Holiday_2024', 'wrong')).opened.status).toBe(403)
    const { visitor, opened } = await visit('Holiday_2024', 'share password')
    expect(opened.status, opened.text).toBe(200)
    const share = await visitor.send('GET', '/api/shares/Holiday_2024')
    const listed = (share.body as { files: { id: string; name: string }[] }).files
    expect(listed.map(({ id }) => id).toSorted()).toEqual(files.map(({ id }) => id).toSorted())
    for (const { id, content } of files) {
      const { bytes } = await visitor.send('GET', `/api/shares/Holiday_2024/files/${id}`)
      expect(sha256(bytes)).toBe(sha256(content))
    }
  })

  test('views, limits and recipients are as they were', async () => {
    const alice = await signIn(floe.url, { email: 'alice@example.org', password: 'old password 1' })
    const { body } = await alice.send('GET', '/api/shares/Holiday_2024/from-owner')
    expect(body).toMatchObject({
      id: 'Holiday_2024',
      name: 'Holiday',
      views: 8,
      security: { maxViews: 9, passwordProtected: true },
      recipients: ['carol@example.org'],
    })
  })

  test('unfinished and removed shares are not open', async () => {
    expect((await visit('unfinished')).opened.status).toBe(404)
    expect((await visit('taken-down')).opened.body).toMatchObject({ error: 'share_removed' })
  })

  test('a reverse share takes files', async () => {
    const sender = openSender({ url: floe.url }, 'send-to-bob')
    const id = await beginSending(sender, { 'new.txt': 'new' })
    expect((await complete(sender, id)).status).toBe(202)
  })

  test('a second run brings only what is new, and leaves the rest as it is', async () => {
    const { code, lines } = await run('--json')
    expect(code).toBe(1)
    expect(JSON.parse(lines.join('\n'))).toMatchObject({
      settings: 0,
      accounts: 0,
      reverseShares: 0,
      shares: 0,
      files: 0,
      conflicts: [],
    })
  })

  test('what is stored is as the database says', async () => {
    const { code, lines } = await verify(floe.dataDirectory, '--deep')
    expect(lines).toEqual([expect.stringMatching(/: no differences$/)])
    expect(code).toBe(0)
  })
})

describe('npm run import, step by step', () => {
  let floe: RunningFloe
  const sources: string[] = []
  beforeAll(async () => {
    floe = await startFloe({ arrangement: 'embedded' })
  })
  afterAll(async () => {
    await floe?.stop()
    for (const source of sources) await rm(source, { recursive: true, force: true })
  })

  const write = async (data: PingvinData) => {
    const source = await writePingvin(data)
    sources.push(source)
    return source
  }
  const run = (source: string, ...args: string[]) =>
    runCommand('import', { DATA_DIR: floe.dataDirectory }, 'pingvin', source, ...args)
  const sharesOf = (prefix: string, count: number, bytes: number): PingvinData => {
    const ids = Array.from({ length: count }, (_, index) => `${prefix}-${index}`)
    const row = { createdAt: MADE, expiration: NEVER, uploadLocked: 1 }
    return {
      version: 'X',
      rows: {
        Share: ids.map((id) => ({ ...row, id })),
        File: ids.map((id) => ({
          id: randomUUID(),
          createdAt: MADE,
          name: `${id}.bin`,
          size: String(bytes),
          shareId: id,
        })),
      },
    }
  }
  /** With a file for each row. */
  const writeWhole = async (data: PingvinData, bytes: number) =>
    write({
      ...data,
      files: Object.fromEntries(
        (data.rows.File ?? []).map(({ id, shareId }) => [
          `${String(shareId)}/${String(id)}`,
          randomBytes(bytes),
        ]),
      ),
    })
  const fetchFile = async (data: PingvinData, index: number) => {
    const { id, shareId } = data.rows.File?.[index] ?? {}
    const visitor = createClient(floe.url)
    await openShare(visitor, String(shareId))
    return visitor.send('GET', `/api/shares/${String(shareId)}/files/${String(id)}`)
  }

  test('killed again and again, it ends with what one run alone makes', async () => {
    const data = sharesOf('killed', 300, 50_000)
    const source = await writeWhole(data, 50_000)
    for (let kills = 0; kills < KILLS; kills += 1) {
      const importing = startCommand('import', { DATA_DIR: floe.dataDirectory }, 'pingvin', source)
      setTimeout(() => importing.kill('SIGKILL'), 700 + Math.random() * 800)
      await once(importing, 'close')
    }
    expect(await run(source)).toMatchObject({ code: 0 })
    const { lines } = await run(source, '--json')
    expect(JSON.parse(lines.join('\n'))).toMatchObject({ shares: 0, files: 0 })
    for (const [index, { id, shareId }] of (data.rows.File ?? []).entries()) {
      if (index % 50 !== 0) continue
      const content = await readFile(join(source, 'uploads/shares', String(shareId), String(id)))
      expect(sha256((await fetchFile(data, index)).bytes)).toBe(sha256(content))
    }
    expect((await verify(floe.dataDirectory, '--deep')).lines).toEqual([
      expect.stringMatching(/^checked 300 files, .*: no differences$/),
    ])
  })

  test('links files instead of copying them, and moves them', async () => {
    const linked = sharesOf('linked', 2, 10_000)
    const source = await writeWhole(linked, 10_000)
    const pathOf = (data: PingvinData, index: number) => {
      const { id, shareId } = data.rows.File?.[index] ?? {}
      return join(source, 'uploads/shares', String(shareId), String(id))
    }
    expect(await run(source, '--link')).toMatchObject({ code: 0 })
    expect((await stat(pathOf(linked, 0))).nlink).toBe(2)
    expect((await fetchFile(linked, 1)).bytes).toEqual(await readFile(pathOf(linked, 1)))

    const moved = sharesOf('moved', 2, 10_000)
    const from = await writeWhole(moved, 10_000)
    expect(await run(from, '--move')).toMatchObject({ code: 0 })
    expect((await fetchFile(moved, 1)).bytes).toHaveLength(10_000)
    const { shareId } = moved.rows.File?.[0] ?? {}
    expect(await readdir(join(from, 'uploads/shares', String(shareId)))).toEqual([])
    expect((await verify(floe.dataDirectory)).code).toBe(0)
  })

  test('a taken name, address, link or token is refused, and then settled as it is asked', async () => {
    const own = await signUp(floe, {
      username: 'Dora',
      email: 'dora@example.org',
      password: 'own password',
    })
    await publishShare(own, { 'own.txt': 'own' }, { id: 'taken-link' })
    const user = { createdAt: MADE, updatedAt: MADE, password: hashes.alice }
    const share = { createdAt: MADE, expiration: NEVER, uploadLocked: 1, creatorId: ALICE }
    const data: PingvinData = {
      version: 'B',
      rows: {
        User: [
          { ...user, id: ALICE, username: 'dora', email: 'other@example.org' },
          { ...user, id: BOB, username: 'dorothea', email: 'Dora@example.org' },
        ],
        Share: [
          { ...share, id: 'taken-link' },
          { ...share, id: 'free-link', creatorId: BOB },
        ],
        File: ['taken-link', 'free-link'].map((shareId, index) => ({
          id: `f${index}`,
          createdAt: MADE,
          name: 'a.txt',
          size: '1',
          shareId,
        })),
      },
      files: { 'taken-link/f0': 'a', 'free-link/f1': 'b' },
    }
    const source = await write(data)
    const refused = await run(source)
    expect(refused).toMatchObject({ code: 2, errors: expect.stringContaining('--on-conflict') })
    expect(refused.lines.filter((line) => line.startsWith('conflict: '))).toHaveLength(3)
    expect((await openShare(createClient(floe.url), 'free-link')).status).toBe(404)

    expect((await run(source, '--on-conflict=rename')).code).toBe(1)
    await signIn(floe.url, { email: 'other@example.org', password: 'old password 1' })
    expect((await openShare(createClient(floe.url), 'taken-link-2')).status).toBe(200)
    // The account with that address has it.
    const list = await own.send('GET', '/api/shares')
    expect((list.body as { id: string }[]).map(({ id }) => id).toSorted()).toEqual([
      'free-link',
      'taken-link',
    ])
  })

  test('what comes replaces what has its link, where that is asked for', async () => {
    const own = await signUp(floe)
    await publishShare(own, { 'own.txt': 'own' }, { id: 'replaced' })
    const data = sharesOf('replaced', 1, 100)
    const [share] = data.rows.Share ?? []
    const [file] = data.rows.File ?? []
    const source = await write({
      version: 'A',
      rows: { Share: [{ ...share, id: 'replaced' }], File: [{ ...file, shareId: 'replaced' }] },
      files: { [`replaced/${String(file?.id)}`]: 'x'.repeat(100) },
    })
    const skipped = await run(source, '--on-conflict=skip')
    expect(skipped.lines).toContain('loss: share replaced is left out: its link is taken here')
    expect((await run(source, '--on-conflict=replace')).code).toBe(1)
    const visitor = createClient(floe.url)
    await openShare(visitor, 'replaced')
    const { bytes } = await visitor.send('GET', `/api/shares/replaced/files/${String(file?.id)}`)
    expect(bytes).toHaveLength(100)
    expect((await own.send('GET', '/api/shares')).body).toEqual([])
  })

  test('an installation that was never started gets them as well', async () => {
    const data = sharesOf('early', 1, 100)
    const directory = await mkdtemp(join(tmpdir(), 'floe-import-'))
    sources.push(directory)
    const source = await writeWhole(data, 100)
    const never = { DATA_DIR: directory }
    expect(await runCommand('import', never, 'pingvin', source)).toMatchObject({ code: 0 })
    expect((await verify(directory)).lines).toEqual([expect.stringMatching(/^checked 1 file,/)])
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
})

import { type PingvinData, type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signIn, signUp } from '../world/accounts.ts'
import { createClient } from '../world/http-client.ts'
import { hashes, MADE, NEVER } from '../world/pingvin-data.ts'
import { importPingvin, lossesOf, usePingvin } from '../world/pingvin.ts'
import { openShare } from '../world/shares.ts'
import { verify } from '../world/verify.ts'

const idOf = (number: number) => `c7f1a0c2-1111-4222-8333-${String(number).padStart(12, '0')}`

const user = { createdAt: MADE, updatedAt: MADE, password: hashes.alice }
const share = { createdAt: MADE, expiration: NEVER, uploadLocked: 1 }
const names = [
  'twice.txt',
  'twice.txt',
  'x'.repeat(255),
  '"quoted" \\ back.txt',
  "it's.txt",
  '🏖 é é.txt',
  'folder/below.txt',
  '../../above.txt',
  'line\nbreak.txt',
]

function oddData(version: PingvinData['version']): PingvinData {
  const file = { createdAt: MADE, shareId: 'odd-names' }
  const only = (rows: Record<string, string | number>, first: PingvinData['version']) =>
    version >= first ? rows : {}
  return {
    version,
    rows: {
      User: [
        { ...user, id: idOf(1), username: 'Mixed.Case', email: 'Mixed@Example.ORG' },
        { ...user, id: idOf(2), username: 'a b/ü', email: 'not an address' },
        {
          ...{ ...user, id: idOf(3), username: 'ben', email: 'ben@example.org' },
          ...only({ ldapDN: 'uid=ben,dc=example' }, 'B'),
        },
        {
          ...{ ...user, id: idOf(4), username: 'cat', email: 'cat@example.org' },
          ...only({ isActivated: 0 }, 'X'),
        },
      ],
      Share: [
        { ...share, id: 'odd-names', description: 'Two\nlines' },
        { ...share, id: 'ODD-names' },
        { ...share, id: 'nobodys', creatorId: idOf(99) },
        { ...share, id: 'missing' },
        { ...share, id: 'longer' },
        { ...share, id: 'for-some', creatorId: idOf(1) },
        { ...share, id: 'ab' },
        { ...share, id: 'ab-2' },
        { ...share, id: 'odd_owner' },
        { ...share, id: 'half', uploadLocked: 0, creatorId: idOf(1) },
      ],
      ShareSecurity: [{ id: '1', shareId: 'for-some', ...only({ restrictToRecipients: 1 }, 'X') }],
      File: [
        ...names.map((name, index) => ({ ...file, id: idOf(100 + index), name, size: '1' })),
        { ...file, shareId: 'ODD-names', id: 'NOT_a-uuid', name: 'other.txt', size: '5' },
        { ...file, shareId: 'nobodys', id: idOf(200), name: 'a.txt', size: '1' },
        ...['ab', 'ab-2', 'odd_owner'].map((shareId, index) => ({
          ...{ ...file, shareId, id: idOf(300 + index), name: shareId, size: '1' },
        })),
        { ...file, shareId: 'missing', id: idOf(201), name: 'gone.txt', size: '1' },
        { ...file, shareId: 'longer', id: idOf(202), name: 'b.txt', size: '1' },
        { ...file, shareId: 'for-some', id: idOf(203), name: 'c.txt', size: '1' },
      ],
    },
    files: {
      ...Object.fromEntries(names.map((_, index) => [`odd-names/${idOf(100 + index)}`, 'x'])),
      'odd-names/archive.zip': 'PK',
      'ODD-names/NOT_a-uuid': 'other',
      [`ab/${idOf(300)}`]: '1',
      [`ab-2/${idOf(301)}`]: '2',
      [`odd_owner/${idOf(302)}`]: '3',
      [`nobodys/${idOf(200)}`]: 'a',
      [`longer/${idOf(202)}`]: 'longer than its row says',
      [`longer/${idOf(900)}`]: 'of no row',
      [`for-some/${idOf(203)}`]: 'c',
      [`half/${idOf(901)}.tmp-chunk`]: 'ha',
      'of-no-share/stray': 'x',
    },
  }
}

const told = {
  A: [
    'share ab has the link ab-3 here, where no share can have its own',
    'share odd_owner has the link odd_owner-2 here, where no share can have its own',
    'share ODD-names: "other.txt" has another direct link here',
    `share half: ${idOf(901)}.tmp-chunk is the beginning of an upload, and is left out`,
    'share longer: "b.txt" has 24 bytes, its row says 1',
    `share longer: ${idOf(900)} belongs to no file, and is left out`,
    'share missing has no files, and its page says so',
    'share missing: "gone.txt" has no bytes, and is left out',
  ],
  B: ['account ben signs in with the LDAP directory, once that is set up here'],
}

describe.each([
  ['A', told.A],
  ['B', [...told.A, ...told.B]],
  ['X', [...told.A, ...told.B]],
] as const)('odd data of version %s', (version, losses) => {
  let floe: RunningFloe
  const write = usePingvin()
  beforeAll(async () => {
    floe = await startFloe({ arrangement: 'embedded' })
    await signUp(floe)
    const verdict = await importPingvin(floe, await write(oddData(version)))
    const [folders, ...others] = lossesOf(verdict)
    expect({ errors: verdict.errors, others }).toEqual({ errors: '', others: losses.toSorted() })
    expect(folders).toMatch(/uploads\/shares: 1 of the folders belong to no share/)
  })
  afterAll(async () => {
    await floe?.stop()
  })

  test('has every name as it was, and all bytes that are there', async () => {
    const visitor = createClient(floe.url)
    await openShare(visitor, 'odd-names')
    const { body } = await visitor.send('GET', '/api/shares/odd-names')
    const listed = (body as { files: { name: string }[] }).files.map(({ name }) => name)
    expect(listed.toSorted()).toEqual(names.toSorted())
    await openShare(visitor, 'longer')
    const longer = await visitor.send('GET', `/api/shares/longer/files/${idOf(202)}`)
    expect(longer.text).toBe('longer than its row says')
    const { lines } = await verify(floe.dataDirectory, '--deep')
    expect(lines).toEqual([expect.stringMatching(/: no differences$/)])
  })

  test('has two shares whose links differ in case alone', async () => {
    const visitor = createClient(floe.url)
    await openShare(visitor, 'ODD-names')
    const { body } = await visitor.send('GET', '/api/shares/ODD-names')
    expect(body).toMatchObject({ files: [{ name: 'other.txt', size: '5' }] })
  })

  test('opens shares without an owner, and none that nobody may open', async () => {
    const statusOf = async (id: string) => (await openShare(createClient(floe.url), id)).status
    for (const id of ['nobodys', 'ab-2', 'ab-3', 'odd_owner-2']) {
      expect(await statusOf(id), id).toBe(200)
    }
    expect(await statusOf('half')).toBe(404)
    expect(await statusOf('for-some')).toBe(version === 'X' ? 403 : 200)
  })

  test('lets accounts in as before', async () => {
    await signIn(floe.url, { email: 'mixed@example.org', password: 'old password 1' })
    const byName = await createClient(floe.url).send('POST', '/api/auth/signIn', {
      json: { username: 'a b/ü', password: 'old password 1' },
    })
    expect(byName.status).toBe(200)
  })
})

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Browser } from '../testing/browser.ts'
import {
  newShareId,
  openShareWorld,
  publishShare,
  shareInput,
  type ShareWorld,
} from '../testing/share-world.ts'

let world: ShareWorld
let owner: Browser
let id: string

beforeAll(async () => {
  world = await openShareWorld()
  owner = world.signIn().browser
  id = await publishShare(world, owner, { name: 'Untouched', security: { password: 'secret' } })
})
afterAll(() => world.close())
afterEach(() => expect(world.failures).toEqual([]))

const readTables = async () => ({
  shares: await world.database.knex('shares').orderBy('uid'),
  recipients: await world.database.knex('share_recipients').orderBy('email'),
  events: await world.database.knex('outbox').count('*'),
})

async function expectRefused(
  method: string,
  path: string,
  body?: unknown,
  caller = owner,
): Promise<void> {
  const before = await readTables()
  const response = await caller.send(method, path, body === undefined ? {} : { body })
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(response.status).toBeLessThan(500)
  expect(response.body).toMatchObject({ code: expect.stringMatching(/^[a-z_]+$/) })
  expect(await readTables()).toEqual(before)
}

/** Long values would drown the names of the tests. */
function withLabels<T>(cases: readonly T[]): [string, T][] {
  return cases.map((value) => [(JSON.stringify(value) ?? '').slice(0, 60), value])
}

const control = 'abc\u0000def'
const hostileFields: [string, unknown][] = [
  ['id', undefined],
  ['id', null],
  ['id', 7],
  ['id', ['abc']],
  ['id', { a: 1 }],
  ['id', ''],
  ['id', 'ab'],
  ['id', 'a'.repeat(51)],
  ['id', '../../etc'],
  ['id', 'a/b/c'],
  ['id', 'a\\b\\c'],
  ['id', 'ünïcode'],
  ['id', 'abc '],
  ['id', 'abc\n'],
  ['id', control],
  ['name', 'ab'],
  ['name', 'n'.repeat(300)],
  ['name', control],
  ['name', 'line\nbreak'],
  ['name', 12345],
  ['description', 'd'.repeat(513)],
  ['description', control],
  ['description', {}],
  ['expiration', undefined],
  ['expiration', null],
  ['expiration', ''],
  ['expiration', 7],
  ['expiration', 'tomorrow'],
  ['expiration', '0-days'],
  ['expiration', '-1-days'],
  ['expiration', '1.5-days'],
  ['expiration', '1e9-years'],
  ['expiration', '99999-years'],
  ['expiration', '7974-years'],
  ['expiration', '3-fortnights'],
  ['expiration', 'never\u0000'],
  ['expiration', '7-days\n'],
  ['recipients', undefined],
  ['recipients', null],
  ['recipients', 'a@example.org'],
  ['recipients', ['nobody']],
  ['recipients', ['a@example.org\r\nBcc: b@example.org']],
  ['recipients', [control]],
  ['recipients', Array<string>(101).fill('a@example.org')],
  ['security', 'none'],
  ['security', []],
  ['security', { password: 'ab' }],
  ['security', { password: 'p'.repeat(31) }],
  ['security', { password: 123 }],
  ['security', { maxViews: -1 }],
  ['security', { maxViews: 1.5 }],
  ['security', { maxViews: '3' }],
  ['security', { maxViews: 1e21 }],
  ['security', { maxViews: Number.MAX_SAFE_INTEGER }],
]

describe('creating a share from hostile input', () => {
  it.each(withLabels(hostileFields))('refuses %s', async (_label, [field, value]) => {
    await expectRefused('POST', '/api/shares', shareInput(newShareId(), { [field]: value }))
  })

  it.each(['', '{', 'null', '[]', '"text"', '7', '\u0000', '{"id": "abc"'])(
    'refuses the body %j',
    (body) => expectRefused('POST', '/api/shares', body),
  )

  it('refuses more than the limit of a body', () =>
    expectRefused('POST', '/api/shares', { padding: 'x'.repeat(200_000) }))
})

describe('changing a share by hostile input', () => {
  const bodies: unknown[] = [
    '{',
    '[]',
    { name: 'ab' },
    { name: control },
    { name: 'n'.repeat(300) },
    { name: 5 },
    { description: control },
    { description: 'd'.repeat(513) },
    { expiration: null },
    { expiration: 'nonsense' },
    { expiration: '2026-13-45T00:00:00Z' },
    { expiration: '2027-01-01' },
    { expiration: '+012027-01-01T00:00:00Z' },
    { expiration: '9999-12-31T23:59:59-14:00' },
    { expiration: '99999-years' },
    { security: { password: '' } },
    { security: { password: 'p'.repeat(31) } },
    { security: { password: 'new one', removePassword: true } },
    { security: { removePassword: 'yes' } },
    { security: { maxViews: -1 } },
    { security: { maxViews: 1e300 } },
    { name: 'Good name', security: { maxViews: 'many' } },
  ]
  it.each(withLabels(bodies))('refuses %s and changes nothing', (_label, body) =>
    expectRefused('PATCH', `/api/shares/${id}`, body),
  )
})

describe('opening a share by hostile input', () => {
  const bodies: unknown[] = [
    '{',
    { password: 5 },
    { password: null },
    { password: ['secret'] },
    { password: control },
    { password: 'p'.repeat(1025) },
  ]
  it.each(withLabels(bodies))('refuses %s', (_label, body) =>
    expectRefused('POST', `/api/shares/${id}/token`, body, world.visit()),
  )
})

describe('hostile ids in the path', () => {
  const hostileIds = [
    '..%2f',
    '..%2f..%2fetc%2fpasswd',
    '%00',
    'abc%00',
    '%E0%A4%A',
    '%',
    '%ff',
    '%F0%9F%98%80',
    "'%20or%201=1--",
    '%0d%0aSet-Cookie:a=b',
    'a'.repeat(5000),
    '__proto__',
    'constructor',
  ]
  const calls = [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/metaData'],
    ['GET', '/from-owner'],
    ['POST', '/token'],
    ['POST', '/complete'],
    ['DELETE', '/complete'],
  ] as const

  it.each(withLabels(hostileIds))('finds nothing at %s', async (_label, hostileId) => {
    for (const [method, suffix] of calls) {
      await expectRefused(method, `/api/shares/${hostileId}${suffix}`)
    }
    const availability = await owner.send('GET', `/api/shares/isShareIdAvailable/${hostileId}`)
    expect([200, 400]).toContain(availability.status)
  })

  it('calls no id free that cannot be used', async () => {
    for (const bad of ['..%2f', '%00', 'ab', 'a%20b']) {
      const { body } = await owner.send('GET', `/api/shares/isShareIdAvailable/${bad}`)
      expect(body).toEqual({ isAvailable: false })
    }
  })
})

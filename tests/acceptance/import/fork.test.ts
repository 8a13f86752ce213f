import { type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../world/accounts.ts'
import { ALICE, BOB, hashes, MADE, NEVER, REVERSE } from '../world/pingvin-data.ts'
import { importPingvin, usePingvin } from '../world/pingvin.ts'
import { createClient } from '../world/http-client.ts'
import { openShare, readFiles } from '../world/shares.ts'

const DAY_MS = 86_400_000
/** A while ago, and kept since. */
const ENDED = Date.now() - 3 * DAY_MS

const write = usePingvin()
let floe: RunningFloe

beforeAll(async () => {
  const user = { createdAt: MADE, updatedAt: MADE }
  const setting = { type: 'boolean', value: 'true', order: 0 }
  const retention = { ...setting, category: 'share', name: 'fileRetentionPeriod', type: 'timespan' }
  const alice = { id: ALICE, username: 'alice', email: 'alice@x.test', password: hashes.alice }
  const bob = { id: BOB, username: 'bob', email: 'bob@x.test', password: hashes.bob }
  const source = await write({
    version: 'X',
    rows: {
      User: [
        { ...user, ...alice },
        { ...user, ...bob, isActivated: 0 },
      ],
      Share: [
        { createdAt: MADE, expiration: NEVER, uploadLocked: 1, id: 'for-two', creatorId: ALICE },
        { createdAt: MADE, expiration: ENDED, uploadLocked: 1, id: 'ended', creatorId: ALICE },
      ],
      ShareSecurity: [{ id: '1', shareId: 'for-two', restrictToRecipients: 1 }],
      ShareRecipient: [{ id: '1', email: 'carol@x.test', shareId: 'for-two' }],
      ShareUserRecipient: [{ id: '1', userId: BOB, shareId: 'for-two' }],
      File: [
        { id: REVERSE, createdAt: MADE, name: 'a.txt', size: '1', shareId: 'for-two' },
        { id: BOB, createdAt: MADE, name: 'kept.txt', size: '4', shareId: 'ended' },
      ],
      Config: [
        { ...setting, category: 'email', name: 'enableEmailVerification' },
        { ...setting, category: 'security', name: 'minLength', type: 'number', value: '14' },
        { ...setting, category: 'smtp', name: 'enabled' },
        { ...retention, value: '30 days' },
      ],
    },
    files: { [`for-two/${REVERSE}`]: 'a', [`ended/${BOB}`]: 'kept' },
  })
  floe = await startFloe({ arrangement: 'embedded' })
  const { code, errors } = await importPingvin(floe, source)
  expect(code, errors).toBe(0)
})
afterAll(() => floe?.stop())

test('an account that was never activated still owes a proof of its address', async () => {
  const me = async (name: string, password: string) => {
    const client = await signIn(floe.url, { email: `${name}@x.test`, password })
    return (await client.send('GET', '/api/users/me')).body
  }
  expect(await me('alice', 'old password 1')).not.toHaveProperty('mustVerifyEmail')
  expect(await me('bob', 'old password 2')).toMatchObject({ mustVerifyEmail: true })
})

test('a share for its recipients alone stays so, and accounts are recipients by their address', async () => {
  expect(await openShare(createClient(floe.url), 'for-two')).toMatchObject({
    status: 403,
    body: { code: 'share_recipient_required' },
  })
  const alice = await signIn(floe.url, { email: 'alice@x.test', password: 'old password 1' })
  const { body } = await alice.send('GET', '/api/shares/for-two/from-owner')
  expect(body).toMatchObject({ security: { restrictToRecipients: true } })
  const { recipients } = body as { recipients: string[] }
  expect(recipients.toSorted()).toEqual(['bob@x.test', 'carol@x.test'])
})

test('an expired share whose files were kept is kept here, and its owner revives it', async () => {
  expect((await openShare(createClient(floe.url), 'ended')).status).toBe(404)
  const alice = await signIn(floe.url, { email: 'alice@x.test', password: 'old password 1' })
  const { body } = await alice.send('GET', '/api/shares')
  const keptUntil = new Date(ENDED + 30 * DAY_MS).toISOString()
  expect(body).toContainEqual(expect.objectContaining({ id: 'ended', keptUntil }))
  await alice.send('PATCH', '/api/shares/ended', { json: { expiration: '1-day' } })
  const visitor = createClient(floe.url)
  await openShare(visitor, 'ended')
  expect(await readFiles(visitor, 'ended')).toEqual({ 'kept.txt': 'kept' })
})

test('settings that are called otherwise here come under their names', async () => {
  const { body } = await createClient(floe.url).send('GET', '/api/configs')
  expect(body).toContainEqual(
    expect.objectContaining({ key: 'general.minPasswordLength', value: '14' }),
  )
  expect(body).toContainEqual(
    expect.objectContaining({ key: 'general.requireEmailVerification', value: 'true' }),
  )
})

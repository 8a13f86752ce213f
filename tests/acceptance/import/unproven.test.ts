import { type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../world/accounts.ts'
import { ALICE, BOB, hashes, MADE } from '../world/pingvin-data.ts'
import { importPingvin, usePingvin } from '../world/pingvin.ts'

const write = usePingvin()
let floe: RunningFloe

beforeAll(async () => {
  const user = { createdAt: MADE, updatedAt: MADE }
  const setting = { type: 'boolean', value: 'true', order: 0 }
  const alice = { id: ALICE, username: 'alice', email: 'alice@x.test', password: hashes.alice }
  const bob = { id: BOB, username: 'bob', email: 'bob@x.test', password: hashes.bob }
  const source = await write({
    version: 'X',
    rows: {
      User: [
        { ...user, ...alice },
        { ...user, ...bob, isActivated: 0 },
      ],
      Config: [
        { ...setting, category: 'general', name: 'requireEmailVerification' },
        { ...setting, category: 'smtp', name: 'enabled' },
      ],
    },
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

import { expect, test } from 'vitest'

import { createTimeoutGuard } from './timeout-guard.ts'

function setUp() {
  let nowMs = 0
  const guard = createTimeoutGuard({
    clock: () => new Date(nowMs),
    isTimeout: (error) => error instanceof Error && error.message === 'timeout',
  })
  return {
    guard,
    pass: (ms: number) => {
      nowMs += ms
    },
    fail: (server = 'mail:25') =>
      expect(guard.run(server, () => Promise.reject(new Error('timeout')))).rejects.toThrow(
        'timeout',
      ),
  }
}

const refusedAtOnce = { code: 'mail_unavailable' }

test('leaves a server that timed out alone for a while, and no other', async () => {
  const { guard, fail, pass } = setUp()
  await fail()
  let runs = 0
  const work = async () => void (runs += 1)
  await expect(guard.run('mail:25', work)).rejects.toMatchObject(refusedAtOnce)
  await guard.run('mail:587', work)
  expect(runs).toBe(1)
  pass(15_000)
  await guard.run('mail:25', work)
  await guard.run('mail:25', work)
  expect(runs).toBe(3)
})

test('tries again with a single message', async () => {
  const { guard, fail, pass } = setUp()
  await fail()
  pass(15_000)
  let fallSilent = (_error: Error) => {}
  const probe = guard.run('mail:25', () => new Promise((_resolve, reject) => (fallSilent = reject)))
  pass(60_000)
  await expect(guard.run('mail:25', async () => {})).rejects.toMatchObject(refusedAtOnce)
  fallSilent(new Error('timeout'))
  await expect(probe).rejects.toThrow('timeout')
  await expect(guard.run('mail:25', async () => {})).rejects.toMatchObject(refusedAtOnce)
  pass(15_000)
  await guard.run('mail:25', async () => {})
})

test('takes any other failure for a response', async () => {
  const { guard, fail, pass } = setUp()
  await fail()
  pass(15_000)
  const refused = guard.run('mail:25', () => Promise.reject(new Error('refused')))
  await expect(refused).rejects.toThrow('refused')
  await guard.run('mail:25', async () => {})
})

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createReadiness, type ReadinessCheck } from './readiness.ts'

const silent = { info: () => undefined, warn: () => undefined }

function checkOf(name: string, check: () => Promise<unknown>): ReadinessCheck {
  return { name, check }
}

test('is ready while nothing is missing, and tells the log once what is', async () => {
  let isThere = true
  const told: object[] = []
  const note = (fields: object) => void told.push(fields)
  const readiness = createReadiness({
    checks: [
      checkOf('database', async () => undefined),
      checkOf('queue', () => (isThere ? Promise.resolve() : Promise.reject(new Error('gone')))),
    ],
    log: { info: note, warn: note },
    freshMs: 0,
  })

  expect(await readiness.isReady()).toBe(true)
  isThere = false
  expect(await readiness.isReady()).toBe(false)
  expect(await readiness.isReady()).toBe(false)
  expect(await readiness.passes(['database'])).toBe(true)
  isThere = true
  expect(await readiness.isReady()).toBe(true)
  expect(told).toMatchObject([{ part: 'queue' }, { part: 'queue' }])
})

test('a part that does not respond is missing, and is not asked again meanwhile', async () => {
  const check = vi.fn(() => new Promise<never>(() => undefined))
  const readiness = createReadiness({
    checks: [checkOf('database', check)],
    log: silent,
    freshMs: 0,
    timeoutMs: 20,
  })

  expect(await readiness.isReady()).toBe(false)
  expect(await readiness.isReady()).toBe(false)
  expect(check).toHaveBeenCalledTimes(1)
})

test('however often it is asked, a part is asked once in a while', async () => {
  const check = vi.fn(() => sleep(5))
  const readiness = createReadiness({ checks: [checkOf('objects', check)], log: silent })

  const together = await Promise.all([readiness.isReady(), readiness.isReady()])
  const after = await readiness.isReady()

  expect([...together, after]).toEqual([true, true, true])
  expect(check).toHaveBeenCalledTimes(1)
})

test('a process that stops is ready for nothing', async () => {
  const readiness = createReadiness({ checks: [], log: silent })
  expect(await readiness.isReady()).toBe(true)

  readiness.stop()

  expect(await readiness.isReady()).toBe(false)
  expect(await readiness.passes([])).toBe(false)
})

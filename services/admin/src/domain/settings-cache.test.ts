import { defaultSettings, type Settings } from '@floe/contracts'
import { expect, test } from 'vitest'
import { createSettingsCache } from './settings-cache.ts'

function setUp() {
  let nowMs = Date.parse('2026-01-01T00:00:00Z')
  let appName = 'first'
  let failure: Error | null = null
  let loads = 0
  const cache = createSettingsCache({
    clock: () => new Date(nowMs),
    load: async (): Promise<Settings> => {
      loads += 1
      if (failure) throw failure
      return { ...defaultSettings(), 'general.appName': appName }
    },
  })
  return {
    cache,
    appName: async () => (await cache.read())['general.appName'],
    store: (name: string) => {
      appName = name
    },
    fail: (error: Error | null) => {
      failure = error
    },
    passMs: (ms: number) => {
      nowMs += ms
    },
    loads: () => loads,
  }
}

test('asks once for many reads within a second', async () => {
  const { appName, loads } = setUp()
  await Promise.all([appName(), appName()])
  await appName()
  expect(loads()).toBe(1)
})

test('shows a change made elsewhere after at most a second', async () => {
  const { appName, store, passMs } = setUp()
  await appName()
  store('second')
  passMs(999)
  await expect(appName()).resolves.toBe('first')
  passMs(1)
  await expect(appName()).resolves.toBe('second')
})

test('shows a change made here at once, even to a read that overtakes an older one', async () => {
  const { cache, appName, store } = setUp()
  const older = appName()
  store('second')
  cache.invalidate()
  await expect(appName()).resolves.toBe('second')
  await older
  await expect(appName()).resolves.toBe('second')
})

test('does not remember a failure', async () => {
  const { appName, fail } = setUp()
  fail(new Error('database away'))
  await expect(appName()).rejects.toThrow('database away')
  fail(null)
  await expect(appName()).resolves.toBe('first')
})

test('asks again when the clock was set back', async () => {
  const { appName, store, passMs } = setUp()
  await appName()
  store('second')
  passMs(-60_000)
  await expect(appName()).resolves.toBe('second')
})

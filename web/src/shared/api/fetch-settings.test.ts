import { expect, it } from 'vitest'
import { fetchSettings } from './fetch-settings.ts'
import { createHttpClient } from './http-client.ts'
import { createTokenTabs } from './token-tabs.ts'

const told = (value: string) =>
  fetchSettings(
    createHttpClient({
      fetch: async () => new Response(JSON.stringify([{ key: 'share.maxSize', value }])),
      now: () => 0,
      accessTokenExpiresAt: null,
      tabs: createTokenTabs({
        locks: undefined,
        storage: { getItem: () => null, setItem: () => undefined, removeItem: () => undefined },
      }),
    }),
  )

it('takes a limit that no file reaches for none', async () => {
  expect((await told('9007199254740991'))['share.maxSize']).toBe(0)
  expect((await told('5000'))['share.maxSize']).toBe(5000)
})

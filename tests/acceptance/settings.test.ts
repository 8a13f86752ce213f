import { configCatalogue } from '@floe/contracts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newAccount, signInAsAdmin, signUp } from './world/accounts.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { codeOf, keysOf } from './world/shares.ts'

interface Variable {
  key: string
  value: string
  type: string
  defaultValue: string
}

onOneArrangement('split', 'settings', (floe) => {
  let admin: Client
  let stranger: Client
  beforeAll(async () => {
    admin = await signInAsAdmin(floe)
    stranger = createClient(floe.url)
  })
  const save = (json: unknown, client = admin) =>
    client.send('PATCH', '/api/configs/admin', { json })
  const list = async () => (await stranger.send('GET', '/api/configs')).body as Variable[]
  const valueOf = async (key: string) => (await list()).find((one) => one.key === key)?.value

  afterAll(() =>
    save([
      { key: 'general.appName', value: '' },
      { key: 'share.allowRegistration', value: '' },
      { key: 'share.maxExpiration', value: '' },
      { key: 'general.minPasswordLength', value: '' },
    ]),
  )

  test('anyone reads the public ones as text, and no others', async () => {
    const variables = await list()
    const isPublic = Object.entries(configCatalogue).filter(([, variable]) => variable.public)
    expect(variables.map(({ key }) => key).sort()).toEqual(isPublic.map(([key]) => key).sort())
    for (const variable of variables) {
      expect(keysOf(variable)).toEqual(['defaultValue', 'key', 'type', 'value'])
      expect(typeof variable.value).toBe('string')
    }
  })

  test('an administrator reads every category', async () => {
    for (const category of new Set(Object.keys(configCatalogue).map((key) => key.split('.')[0]))) {
      const response = await admin.send('GET', `/api/configs/admin/${category}`)
      expect(response.status).toBe(200)
      const keys = (response.body as Variable[]).map(({ key }) => key)
      expect(keys).toEqual(
        Object.keys(configCatalogue).filter((key) => key.startsWith(`${category}.`)),
      )
    }
    expect(await admin.send('GET', '/api/configs/admin/nothing')).toMatchObject({
      status: 200,
      body: [],
    })
  })

  test('new passwords are as long as the setting wants', async () => {
    const key = 'general.minPasswordLength'
    expect((await save([{ key, value: 7 }])).status).toBe(400)
    expect((await save([{ key, value: 20 }])).status).toBe(200)
    await vi.waitFor(async () => {
      const json = { ...newAccount(), password: 'nineteen characters' }
      expect(codeOf(await stranger.send('POST', '/api/auth/signUp', { json }))).toBe(
        'password_too_short',
      )
    })
    await signUp(floe, { ...newAccount(), password: 'just twenty of these' })
    expect((await save([{ key, value: '' }])).status).toBe(200)
  })

  test('a change takes effect in every part within seconds, and is undone by an empty text', async () => {
    const response = await save([
      { key: 'general.appName', value: 'Acceptance' },
      { key: 'share.maxExpiration', value: 24 },
      { key: 'share.allowRegistration', value: false },
    ])
    expect(response.status).toBe(200)
    expect(response.body).toMatchObject([
      { key: 'general.appName', value: 'Acceptance', defaultValue: 'Floe' },
      { key: 'share.maxExpiration', value: '24' },
      { key: 'share.allowRegistration', value: 'false' },
    ])
    const signUpStatus = async () => {
      const json = newAccount()
      return (await stranger.send('POST', '/api/auth/signUp', { json })).status
    }
    await vi.waitFor(async () => {
      expect(await valueOf('general.appName')).toBe('Acceptance')
      expect(await signUpStatus()).toBe(403)
      const json = { id: `long-${Date.now()}`, expiration: '2-days', recipients: [] }
      expect(codeOf(await admin.send('POST', '/api/shares', { json }))).toBe(
        'share_expiration_too_long',
      )
    }, 10_000)
    await save([
      { key: 'general.appName', value: '' },
      { key: 'share.maxExpiration', value: '' },
      { key: 'share.allowRegistration', value: '' },
    ])
    await vi.waitFor(async () => {
      expect(await valueOf('general.appName')).toBe('Floe')
      expect(await signUpStatus()).toBe(201)
    }, 10_000)
  })

  test.each([
    ['an unknown key', { key: 'share.nothing', value: 1 }, 404, 'config_variable_not_found'],
    ['a text for a number', { key: 'share.maxSize', value: '5' }, 400, 'config_wrong_type'],
    ['a number out of range', { key: 'share.maxSize', value: -1 }, 400, 'config_out_of_range'],
    [
      'a text that is too long',
      { key: 'general.appUrl', value: 'x'.repeat(301) },
      400,
      'config_out_of_range',
    ],
    ['a text for a switch', { key: 'smtp.enabled', value: 'true' }, 400, 'config_wrong_type'],
    ['an object', { key: 'share.maxSize', value: {} }, 400, 'validation_failed'],
  ])('a save with %s among good changes saves none', async (_what, bad, status, code) => {
    const before = await list()
    const response = await save([
      { key: 'general.appName', value: 'Half' },
      bad,
      { key: 'smtp.enabled', value: true },
    ])
    expect(response.status).toBe(status)
    expect(codeOf(response)).toBe(code)
    expect(await list()).toEqual(before)
  })

  test('only administrators see or change what is theirs', async () => {
    const before = await list()
    for (const client of [stranger, await signUp(floe)]) {
      expect((await client.send('GET', '/api/configs/admin/share')).status).toBe(403)
      const refused = await save([{ key: 'general.appName', value: 'Theirs' }], client)
      expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    }
    expect(await list()).toEqual(before)
  })
})

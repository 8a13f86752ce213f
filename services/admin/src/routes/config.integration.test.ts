import { configCatalogue, defaultSettings } from '@floe/contracts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  ADMIN_TOKEN,
  type AdminServer,
  startAdminServer,
  USER_TOKEN,
} from '../testing/admin-server.ts'

let server: AdminServer
beforeEach(async () => {
  server = await startAdminServer()
})
afterEach(() => server.close())

const list = () => server.send('GET', '/api/configs')
const listCategory = (category: string, token = ADMIN_TOKEN) =>
  server.send('GET', `/api/configs/admin/${category}`, { token })
const save = (body: unknown, token = ADMIN_TOKEN) =>
  server.send('PATCH', '/api/configs/admin', { token, body })
const toldDefault = (key: string, value: unknown) =>
  key === 'share.maxSize' ? String(Number.MAX_SAFE_INTEGER) : String(value)
const rows = () => server.database.knex('config_values').orderBy('key')

test('no limit of a share is told to clients as one that no file reaches, and stays 0 to administrators', async () => {
  const told = async () => {
    const settings = (await list()).body as { key: string; value: string; defaultValue: string }[]
    return settings.find(({ key }) => key === 'share.maxSize')
  }
  const none = String(Number.MAX_SAFE_INTEGER)
  expect(await told()).toMatchObject({ value: none, defaultValue: none })
  await save([{ key: 'share.maxSize', value: 5_000 }])
  expect(await told()).toMatchObject({ value: '5000' })
  await save([{ key: 'share.maxSize', value: 0 }])
  expect(await told()).toMatchObject({ value: none })
  const forAdmins = (await listCategory('share')).body
  expect(forAdmins).toContainEqual(
    expect.objectContaining({ key: 'share.maxSize', value: '0', defaultValue: '0' }),
  )
  expect((await server.port.settings({}))['share.maxSize']).toBe(0)
})

test('the public list holds every public setting as text and nothing else', async () => {
  const { status, body } = await list()
  expect(status).toBe(200)
  expect(body).toEqual(
    Object.entries(configCatalogue)
      .filter(([, variable]) => variable.public)
      .map(([key, variable]) => ({
        key,
        value: toldDefault(key, variable.default),
        type: variable.type,
        defaultValue: toldDefault(key, variable.default),
      })),
  )
})

test('a save returns the changed rows and shows at once everywhere in this process', async () => {
  await list()
  const { status, body } = await save([
    { key: 'general.appName', value: 'Ours' },
    { key: 'share.allowRegistration', value: false },
    { key: 'share.shareIdLength', value: 12 },
  ])
  expect(status).toBe(200)
  const common = { secret: false, obscured: false, updatedAt: expect.any(String), allowEdit: true }
  expect(body).toEqual([
    {
      ...common,
      key: 'general.appName',
      name: 'appName',
      value: 'Ours',
      defaultValue: 'Floe',
      type: 'string',
    },
    {
      ...common,
      key: 'share.allowRegistration',
      name: 'allowRegistration',
      value: 'false',
      defaultValue: 'true',
      type: 'boolean',
    },
    {
      ...common,
      key: 'share.shareIdLength',
      name: 'shareIdLength',
      value: '12',
      defaultValue: '8',
      type: 'number',
    },
  ])
  expect((await list()).body).toContainEqual({
    key: 'share.allowRegistration',
    value: 'false',
    type: 'boolean',
    defaultValue: 'true',
  })
  await expect(server.port.settings({})).resolves.toEqual({
    ...defaultSettings(),
    'general.appName': 'Ours',
    'share.allowRegistration': false,
    'share.shareIdLength': 12,
  })
})

test('an empty text restores the default', async () => {
  await save([{ key: 'share.zipCompressionLevel', value: 5 }])
  const { body } = await save([{ key: 'share.zipCompressionLevel', value: '' }])
  expect(body).toEqual([
    expect.objectContaining({ value: null, defaultValue: '0', updatedAt: null }),
  ])
  await expect(rows()).resolves.toEqual([])
  await expect(server.port.settings({})).resolves.toEqual(defaultSettings())
})

test('of two values for one key in a save the last counts', async () => {
  const { body } = await save([
    { key: 'general.appName', value: 'First' },
    { key: 'general.appName', value: 'Last' },
  ])
  expect(body).toEqual([expect.objectContaining({ key: 'general.appName', value: 'Last' })])
})

test('a number for a text setting is kept as text', async () => {
  const { body } = await save([{ key: 'general.appName', value: 2026 }])
  expect(body).toEqual([expect.objectContaining({ value: '2026' })])
})

test('saves at the same time in opposite orders both succeed', async () => {
  const name = { key: 'general.appName', value: 'Both' }
  const size = { key: 'share.maxSize', value: 5 }
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) => save(index % 2 ? [name, size] : [size, name])),
  )
  expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200))
})

test('another replica is told of a change, and sees it within a second in any case', async () => {
  const replica = await server.replicate()
  await expect(replica.port.settings({})).resolves.toEqual(defaultSettings())
  await save([{ key: 'general.appName', value: 'Ours' }])
  // Its clock stands still.
  await expect.poll(async () => (await replica.port.settings({}))['general.appName']).toBe('Ours')

  await server.database.knex('config_values').update({ value: 'Theirs' })
  replica.passMs(1_000)
  expect((await replica.port.settings({}))['general.appName']).toBe('Theirs')
  await replica.close()
})

test('an administrator reads a category in order, private settings included', async () => {
  const { status, body } = await listCategory('share')
  expect(status).toBe(200)
  const keys = Object.keys(configCatalogue).filter((key) => key.startsWith('share.'))
  expect((body as { key: string }[]).map(({ key }) => key)).toEqual(keys)
  expect(keys).toContain('share.zipCompressionLevel')
})

test.each(['nothing', 'shar', '__proto__', 'share.', '%00', 'x'.repeat(50)])(
  'category %s has no settings',
  async (category) => {
    expect(await listCategory(category)).toMatchObject({ status: 200, body: [] })
  },
)

test.each([
  ['nobody', 'unknown-token'],
  ['a user', USER_TOKEN],
])('%s neither reads nor changes what is for administrators', async (_, token) => {
  expect(await listCategory('share', token)).toMatchObject({
    status: 403,
    body: { code: 'forbidden', message: 'Forbidden resource' },
  })
  expect(await save([{ key: 'general.appName', value: 'Theirs' }], token)).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  })
  await expect(rows()).resolves.toEqual([])
})

test('the address of the installation is the default of its setting', async () => {
  const publicUrl = 'https://floe.example'
  const own = await startAdminServer(publicUrl)
  expect((await own.send('GET', '/api/configs')).body).toContainEqual({
    key: 'general.appUrl',
    value: publicUrl,
    type: 'string',
    defaultValue: publicUrl,
  })
  await own.send('PATCH', '/api/configs/admin', {
    token: ADMIN_TOKEN,
    body: [{ key: 'general.appUrl', value: 'https://other.example' }],
  })
  expect((await own.port.settings({}))['general.appUrl']).toBe('https://other.example')
  await own.close()
})

const secretKey = 'oauth.github-clientSecret'
const secretText = 'a client secret nobody may read'

test('a secret is used and never shown again, to administrators neither', async () => {
  const saved = await save([
    { key: secretKey, value: secretText },
    { key: 'oauth.github-clientId', value: 'id' },
  ])
  expect(saved.body).toMatchObject([
    { key: secretKey, value: null, secret: true, obscured: true, updatedAt: expect.any(String) },
    { key: 'oauth.github-clientId', value: 'id', secret: false },
  ])
  const listed = await listCategory('oauth')
  expect(listed.body).toContainEqual(
    expect.objectContaining({ key: secretKey, value: null, updatedAt: expect.any(String) }),
  )
  expect(listed.body).toContainEqual(
    expect.objectContaining({ key: 'oauth.oidc-clientSecret', value: null, updatedAt: null }),
  )
  for (const { body } of [saved, listed, await list()]) {
    expect(JSON.stringify(body)).not.toContain(secretText)
  }
  expect((await server.port.settings({}))[secretKey]).toBe(secretText)
  const replica = await server.replicate()
  expect((await replica.port.settings({}))[secretKey]).toBe(secretText)
  await replica.close()
})

test('the database does not hold a secret in clear', async () => {
  await save([{ key: secretKey, value: secretText }])
  const [row] = await rows()
  expect(row.key).toBe(secretKey)
  const bytes = Buffer.from(row.value, 'base64')
  for (const part of ['secret', 'nobody']) {
    expect(row.value).not.toContain(part)
    expect(bytes.includes(part)).toBe(false)
  }
})

test('an empty text clears a secret', async () => {
  await save([{ key: secretKey, value: secretText }])
  const { body } = await save([{ key: secretKey, value: '' }])
  expect(body).toEqual([expect.objectContaining({ key: secretKey, value: null, updatedAt: null })])
  await expect(rows()).resolves.toEqual([])
  expect((await server.port.settings({}))[secretKey]).toBe('')
})

test('a secret of another installation key counts as absent until it is entered again', async () => {
  await save([{ key: secretKey, value: secretText }])
  const moved = await server.replicate(Buffer.alloc(32, 7))
  expect((await moved.port.settings({}))[secretKey]).toBe('')
  const listed = await moved.send('GET', '/api/configs/admin/oauth', { token: ADMIN_TOKEN })
  expect(listed.body).toContainEqual(expect.objectContaining({ key: secretKey, updatedAt: null }))

  await moved.send('PATCH', '/api/configs/admin', {
    token: ADMIN_TOKEN,
    body: [{ key: secretKey, value: 'entered again' }],
  })
  expect((await moved.port.settings({}))[secretKey]).toBe('entered again')
  await moved.close()
})

test('passwords are not switched off while no provider works', async () => {
  const change = await save([{ key: 'oauth.disablePassword', value: true }])
  expect(change).toMatchObject({ status: 400, body: { code: 'config_needs_provider' } })
})

test.each(['roles[', '[?', '@@'])('%s is no path to roles', async (value) => {
  const change = await save([{ key: 'oauth.oidc-rolePath', value }])
  expect(change).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  const good = await save([{ key: 'oauth.oidc-rolePath', value: 'realm_access.roles' }])
  expect(good.status).toBe(200)
})

test('the public list names no setting that is not public, whatever is stored', async () => {
  await save([
    { key: secretKey, value: secretText },
    { key: 'smtp.password', value: secretText },
    { key: 'smtp.host', value: 'mail.internal.example' },
    { key: 'oauth.github-enabled', value: true },
  ])
  const { body } = await list()
  const text = JSON.stringify(body)
  for (const hidden of [
    secretText,
    'mail.internal.example',
    'oauth.github',
    'smtp.host',
    'smtp.password',
  ]) {
    expect(text).not.toContain(hidden)
  }
})

const appName = (value: unknown) => [{ key: 'general.appName', value }]
const maxSize = (value: unknown) => [{ key: 'share.maxSize', value }]
const badSaves: [what: string, body: unknown, status: number, code: string][] = [
  ['invalid JSON', '[{"key"', 400, 'invalid_json'],
  ['no list', {}, 400, 'validation_failed'],
  ['a bare text', '"text"', 400, 'validation_failed'],
  ['a list of texts', ['general.appName'], 400, 'validation_failed'],
  ['a change without value', [{ key: 'general.appName' }], 400, 'validation_failed'],
  ['a change without key', [{ value: 'x' }], 400, 'validation_failed'],
  ['null as value', appName(null), 400, 'validation_failed'],
  ['an object as value', appName({ a: 1 }), 400, 'validation_failed'],
  ['a NUL character', appName('a\u0000b'), 400, 'validation_failed'],
  ['a line break', appName('a\nb'), 400, 'validation_failed'],
  ['a text of 300 characters', appName('x'.repeat(300)), 400, 'config_out_of_range'],
  ['a text beyond every limit', appName('x'.repeat(20_001)), 400, 'validation_failed'],
  ['a text for a number', maxSize('5'), 400, 'config_wrong_type'],
  ['a boolean for a number', maxSize(true), 400, 'config_wrong_type'],
  ['a negative size', maxSize(-1), 400, 'config_out_of_range'],
  ['a fraction', maxSize(0.5), 400, 'config_out_of_range'],
  ['a number without end', '[{"key":"share.maxSize","value":1e999}]', 400, 'validation_failed'],
  ['a text for a boolean', [{ key: 'smtp.enabled', value: 'true' }], 400, 'config_wrong_type'],
  [
    'a compression level of 10',
    [{ key: 'share.zipCompressionLevel', value: 10 }],
    400,
    'config_out_of_range',
  ],
  ['an address that is none', [{ key: 'general.appUrl', value: 'x' }], 400, 'validation_failed'],
  ['a port that is none', [{ key: 'smtp.port', value: 70_000 }], 400, 'config_out_of_range'],
  ['an unknown key', [{ key: 'share.nothing', value: 'x' }], 404, 'config_variable_not_found'],
  ['a key with NUL', [{ key: 'a\u0000', value: 'x' }], 404, 'config_variable_not_found'],
  ['a key of every object', [{ key: 'constructor', value: 'x' }], 404, 'config_variable_not_found'],
]

test.each(badSaves)('refuses %s', async (_, body, status, code) => {
  expect(await save(body)).toMatchObject({ status, body: { code, statusCode: status } })
  await expect(rows()).resolves.toEqual([])
})

test('names the variable it does not know', async () => {
  const { body } = await save([{ key: 'share.nothing', value: 'x' }])
  expect(body).toMatchObject({ message: 'Config variable share.nothing not found' })
})

test.each([
  ['an unknown key', { key: 'share.nothing', value: 'x' }],
  ['a wrong type', { key: 'share.maxSize', value: 'x' }],
])('one change with %s among good ones saves nothing', async (_, bad) => {
  const response = await save([
    { key: 'general.appName', value: 'Ours' },
    bad,
    { key: 'smtp.enabled', value: true },
  ])
  expect(response.status).toBeGreaterThanOrEqual(400)
  await expect(rows()).resolves.toEqual([])
  await expect(server.port.settings({})).resolves.toEqual(defaultSettings())
})

test('email verification cannot be turned on without SMTP, nor SMTP off with it', async () => {
  const key = 'general.requireEmailVerification'
  const refusal = { status: 400, body: { code: 'config_needs_smtp' } }
  expect(await save([{ key, value: true }])).toMatchObject(refusal)
  expect(await rows()).toEqual([])
  const both = [
    { key, value: true },
    { key: 'smtp.enabled', value: true },
  ]
  expect(await save(both)).toMatchObject({ status: 200 })
  expect(await save([{ key: 'smtp.enabled', value: false }])).toMatchObject(refusal)
  expect(await save([{ key: 'smtp.enabled', value: '' }])).toMatchObject(refusal)
  expect(await save([{ key: 'general.appName', value: 'Other' }])).toMatchObject({ status: 200 })
  expect(await save([{ key, value: false }])).toMatchObject({ status: 200 })
  expect(await save([{ key: 'smtp.enabled', value: false }])).toMatchObject({ status: 200 })
})

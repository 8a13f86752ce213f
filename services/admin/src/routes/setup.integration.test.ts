import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from '../stores/migrations.ts'
import {
  ADMIN_TOKEN,
  type AdminServer,
  startAdminServer,
  USER_TOKEN,
} from '../testing/admin-server.ts'

let server: AdminServer
beforeAll(async () => {
  server = await startAdminServer()
})
afterAll(() => server.close())

const finish = (body: unknown, token = ADMIN_TOKEN) =>
  server.send('POST', '/api/configs/admin/finishSetup', { token, body })
const isFinished = async (by = server) => (await by.port.setup({})).isFinished
const appName = async () => (await server.port.settings({}))['general.appName']

test('is not finished by anyone but an administrator, nor by a change that cannot be', async () => {
  const change = (key: string, value: unknown) => ({ changes: [{ key, value }] })
  expect(await finish(change('general.appName', 'Theirs'), USER_TOKEN)).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  })
  for (const [body, code] of [
    [change('general.nothing', 1), 'config_variable_not_found'],
    [change('share.allowRegistration', 'yes'), 'config_wrong_type'],
    [change('general.appUrl', 'javascript:alert(1)'), 'validation_failed'],
    [
      { changes: [...change('general.appName', 'Half').changes, { key: 'x.y', value: 1 }] },
      'config_variable_not_found',
    ],
    [{ changes: 'all' }, 'validation_failed'],
  ] as const) {
    expect((await finish(body)).body).toMatchObject({ code })
  }
  expect([await isFinished(), await appName()]).toEqual([false, 'Floe'])
})

test('saves the changes and is over, for every replica and for good', async () => {
  const replica = await server.replicate()
  const changes = [
    { key: 'general.appName', value: 'Harbour' },
    { key: 'share.allowRegistration', value: false },
  ]
  expect((await finish({ changes })).status).toBe(204)
  expect(await server.port.settings({})).toMatchObject({
    'general.appName': 'Harbour',
    'share.allowRegistration': false,
  })
  expect([await isFinished(), await isFinished(replica)]).toEqual([true, true])
  expect((await finish({})).status).toBe(204)
  expect([await isFinished(), await appName()]).toEqual([true, 'Harbour'])
  await replica.close()
})

test('counts as finished where somebody had configured the installation before', async () => {
  const { knex } = server.database
  await knex.schema.dropTable('setup')
  await migrations.find(({ name }) => name.endsWith('create-setup'))?.up(knex)
  expect(await isFinished()).toBe(true)
})

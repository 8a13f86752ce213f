import { type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrations } from '../stores/migrations.ts'
import {
  ADMIN_TOKEN,
  type AdminServer,
  startAdminServer,
  USER_TOKEN,
} from '../testing/admin-server.ts'

const login = { username: 'floe', password: 'what the mail server wants' }

let server: AdminServer
let catcher: SmtpCatcher
beforeEach(async () => {
  server = await startAdminServer('https://files.example.org')
  catcher = await startSmtpCatcher({ login, offersTls: true })
})
afterEach(async () => {
  await server.close()
  await catcher.stop()
})

const sendTest = (email: unknown, token = ADMIN_TOKEN) =>
  server.send('POST', '/api/configs/admin/testEmail', { token, body: { email } })

async function configure(values: Record<string, string | number | boolean>) {
  const body = Object.entries(values).map(([key, value]) => ({ key, value }))
  const { status } = await server.send('PATCH', '/api/configs/admin', { token: ADMIN_TOKEN, body })
  expect(status).toBe(200)
}

const useCatcher = (password = login.password) =>
  configure({
    'general.appName': 'Fjord',
    'smtp.enabled': true,
    'smtp.host': catcher.host,
    'smtp.port': catcher.port,
    'smtp.email': 'fjord@example.org',
    'smtp.username': login.username,
    'smtp.password': password,
    'smtp.allowUnauthorizedCertificates': true,
  })

test("a test message goes by the saved settings, and the server's reply comes back", async () => {
  await useCatcher()
  const { status, body } = await sendTest('ann@example.org')
  expect(status).toBe(201)
  expect(body).toEqual({ reply: expect.stringMatching(/^250 /) })
  expect(catcher.messages).toHaveLength(1)
  expect(catcher.messages[0]).toMatchObject({
    to: ['ann@example.org'],
    from: 'fjord@example.org',
    subject: 'Test message from Fjord',
    text: expect.stringContaining('https://files.example.org'),
  })
})

test('what the server says against it is told, the password is not', async () => {
  await useCatcher('wrong')
  const refused = await sendTest('ann@example.org')
  expect(refused).toMatchObject({ status: 400, body: { code: 'mail_test_failed' } })
  expect(JSON.stringify(refused.body)).toMatch(/535/)
  expect(JSON.stringify(refused.body)).not.toContain('"wrong"')

  await useCatcher()
  catcher.refuse('for good')
  expect(JSON.stringify((await sendTest('ann@example.org')).body)).toMatch(/550/)
  await catcher.stop()
  expect(JSON.stringify((await sendTest('ann@example.org')).body)).toContain(
    `connect ECONNREFUSED 127.0.0.1:${catcher.port}`,
  )
})

test('a server without TLS gets no password unless told so, and the reason is told', async () => {
  const plain = await startSmtpCatcher({ login })
  await useCatcher()
  await configure({ 'smtp.port': plain.port })
  const refused = await sendTest('ann@example.org')
  expect(refused).toMatchObject({ status: 400, body: { code: 'mail_test_failed' } })
  expect(JSON.stringify(refused.body)).toContain('the mail server does not change to TLS')
  expect(plain.logins).toEqual([])

  await configure({ 'smtp.tls': 'opportunistic' })
  expect((await sendTest('ann@example.org')).status).toBe(201)
  expect(plain.logins).toEqual([login])
  await plain.stop()
})

test('only a mail server that was set before TLS could be required goes on without', async () => {
  const migration = migrations.find(({ name }) => name.endsWith('keep-opportunistic-tls'))
  const upgrade = async () => {
    await migration?.up(server.database.knex)
    server.passMs(2_000)
    return (await server.port.settings({}))['smtp.tls']
  }
  await configure({ 'general.appName': 'Fjord' })
  expect(await upgrade()).toBe('automatic')
  await configure({ 'smtp.host': 'mail.example.org' })
  expect(await upgrade()).toBe('opportunistic')
  await configure({ 'smtp.tls': 'required' })
  expect(await upgrade()).toBe('required')
})

test('nothing is sent while mail is off, for others, or to what is no address', async () => {
  expect(await sendTest('ann@example.org')).toMatchObject({
    status: 400,
    body: { code: 'smtp_disabled' },
  })
  await useCatcher()
  expect((await sendTest('ann@example.org', USER_TOKEN)).status).toBe(403)
  for (const email of ['ann', '', 'a@b.example, c@d.example', 7]) {
    expect((await sendTest(email)).status).toBe(400)
  }
  expect(catcher.connections).toBe(0)
})

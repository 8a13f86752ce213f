import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jobs, type Webhook } from '@floe/contracts'
import { type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { republishAdminEvents } from '../index.ts'
import {
  ADMIN_TOKEN,
  type AdminServer,
  startAdminServer,
  USER_TOKEN,
} from '../testing/admin-server.ts'

const HOUR_MS = 3_600_000
/** Whose access tokens the test's own identity port knows. */
const OWNER_ID = '00000000-0000-4000-8000-000000000001'
const email = `${OWNER_ID}@example.org`

let server: AdminServer
let catcher: SmtpCatcher
let receiver: Server
let host: string
let status: number

beforeEach(async () => {
  server = await startAdminServer('https://files.example.org')
  catcher = await startSmtpCatcher()
  receiver = createServer((req, res) => {
    req.resume().on('end', () => res.writeHead(status).end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
  await configure({
    'smtp.enabled': true,
    'smtp.host': catcher.host,
    'smtp.port': catcher.port,
    'smtp.email': 'fjord@example.org',
  })
})
afterEach(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await server.close()
  await catcher.stop()
})

async function configure(values: Record<string, string | number | boolean>) {
  const body = Object.entries(values).map(([key, value]) => ({ key, value }))
  const response = await server.send('PATCH', '/api/configs/admin', { token: ADMIN_TOKEN, body })
  expect(response.status).toBe(200)
}

/** A webhook that its receiver has turned off, at once or by three days of failures. */
async function turnedOff(
  by: 410 | 503,
  { token = USER_TOKEN, language = 'en', scope = 'own' } = {},
) {
  const body = { url: `http://${host}/hook?key=hidden`, events: ['share.completed'], scope }
  const headers = { 'accept-language': language }
  const created = await server.send('POST', '/api/webhooks', { token, body, headers })
  expect(created.status, created.text).toBe(201)
  status = by
  const type = 'share.completed'
  const at = new Date(server.now()).toISOString()
  const happening = { id: randomUUID(), type, at, ownerId: OWNER_ID, data: {} } as const
  await server.runJob(jobs.recordHappening, happening)
  for (let hour = 0; hour < (by === 410 ? 1 : 90); hour += 1) {
    await server.runJob(jobs.sendWebhooks, {})
    server.passMs(HOUR_MS)
  }
  return created.body as Webhook
}

const events = () => server.database.knex('outbox').where({ name: 'webhook.disabled' })

/** What the relay and the queue do with each event. */
async function deliver(): Promise<void> {
  const due = await events().delete('payload')
  for (const { payload } of due) await server.runJob(jobs.sendWebhookMail, payload)
}

test('the owner is told once when nothing could be delivered for three days', async () => {
  const { id } = await turnedOff(503)
  await deliver()
  await server.runJob(jobs.sendWebhookMail, { webhookId: id })
  const [message, ...others] = catcher.messages
  expect(others).toEqual([])
  expect(message?.to).toEqual([email])
  expect(message?.subject).toBe('A webhook was turned off')
  expect(message?.text).toContain(`Your webhook to ${host} was turned off: for three days`)
  expect(message?.text).toContain('https://files.example.org/account')
  expect(message?.source).not.toContain('hidden')
})

test('the owner is told in the language the webhook was made in when its receiver is gone', async () => {
  await turnedOff(410, { language: 'de' })
  await deliver()
  const [message] = await catcher.waitForMessages(1, { to: email })
  expect(message?.text).toContain('Die Adresse meldet, dass es sie nicht mehr gibt')
})

test('for one of the installation the message leads to the administration', async () => {
  server.metrics.administrators = [{ id: OWNER_ID, email }]
  await turnedOff(410, { token: ADMIN_TOKEN, scope: 'instance' })
  await deliver()
  const [message] = await catcher.waitForMessages(1, { to: email })
  expect(message?.text).toContain('https://files.example.org/admin/webhooks')
})

test.each<[string, (webhook: Webhook) => Promise<unknown>]>([
  [
    'is on again',
    ({ id }) =>
      server.send('PATCH', `/api/webhooks/${id}`, { token: USER_TOKEN, body: { enabled: true } }),
  ],
  ['is deleted', ({ id }) => server.send('DELETE', `/api/webhooks/${id}`, { token: USER_TOKEN })],
  ['is of an installation without mails', () => configure({ 'smtp.enabled': false })],
])('nobody is told of one that %s', async (_, change) => {
  const webhook = await turnedOff(410)
  await change(webhook)
  await deliver()
  expect(catcher.connections).toBe(0)
})

test('who turns a webhook off is not told of it', async () => {
  const { id } = await turnedOff(410)
  const path = `/api/webhooks/${id}`
  await events().delete()
  await server.send('PATCH', path, { token: USER_TOKEN, body: { enabled: true } })
  await server.send('PATCH', path, { token: USER_TOKEN, body: { enabled: false } })
  expect(await events()).toEqual([])
})

test('a message waits for a mail server that is away, and outlasts a lost queue', async () => {
  const { id: webhookId } = await turnedOff(410)
  await catcher.stop()
  await events().delete()
  await expect(server.runJob(jobs.sendWebhookMail, { webhookId })).rejects.toThrow()
  await server.database.knex.transaction(republishAdminEvents)
  await catcher.start()
  await deliver()
  expect(catcher.messages).toHaveLength(1)
  await server.database.knex.transaction(republishAdminEvents)
  expect(await events()).toEqual([])
})

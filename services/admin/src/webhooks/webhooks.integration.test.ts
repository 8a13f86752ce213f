import { randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import {
  type Happening,
  jobs,
  type Webhook,
  type WebhookDelivery,
  type WebhookWithSecret,
} from '@floe/contracts'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  ADMIN_TOKEN,
  type AdminServer,
  startAdminServer,
  USER_TOKEN,
} from '../testing/admin-server.ts'

const HOUR_MS = 3_600_000
const OWNER_ID = '00000000-0000-4000-8000-000000000001'

interface Call {
  headers: IncomingHttpHeaders
  body: string
}

let server: AdminServer
let receiver: Server
let receiverUrl: string
let calls: Call[]
let respond: (res: ServerResponse) => void

beforeEach(async () => {
  server = await startAdminServer()
  calls = []
  respond = (res) => res.writeHead(204).end()
  receiver = createServer(async (req, res) => {
    calls.push({ headers: req.headers, body: await text(req) })
    respond(res)
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
afterEach(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await server.close()
})

async function create(input: object = {}, token = USER_TOKEN): Promise<WebhookWithSecret> {
  const body = { url: receiverUrl, events: ['share.completed', 'share.opened'], ...input }
  const response = await server.send('POST', '/api/webhooks', { token, body })
  expect(response.status, response.text).toBe(201)
  return response.body as WebhookWithSecret
}

function happen(changes: Partial<Happening> = {}): Happening {
  return {
    id: randomUUID(),
    type: 'share.completed',
    at: new Date(server.now()).toISOString(),
    ownerId: OWNER_ID,
    data: { shareId: 'abc', name: 'Trip' },
    ...changes,
  }
}

const owe = (happening: Happening) => server.runJob(jobs.recordHappening, happening)
const sendDue = () => server.runJob(jobs.sendWebhooks, {})

async function deliveriesOf({ id }: Pick<Webhook, 'id'>): Promise<WebhookDelivery[]> {
  const response = await server.send('GET', `/api/webhooks/${id}/deliveries`, { token: USER_TOKEN })
  expect(response.status, response.text).toBe(200)
  return response.body as WebhookDelivery[]
}

async function read({ id }: Pick<Webhook, 'id'>): Promise<Webhook | undefined> {
  const list = (await server.send('GET', '/api/webhooks', { token: USER_TOKEN })).body as Webhook[]
  return list.find((webhook) => webhook.id === id)
}

function verify(secret: string, { headers, body }: Call): unknown {
  const named = Object.entries(headers).map(([name, value]) => [name, String(value)])
  return new Verifier(secret).verify(body, Object.fromEntries(named) as Record<string, string>)
}

test('an event is sent once, signed by Standard Webhooks', async () => {
  const { secret } = await create()
  const happening = happen()
  await owe(happening)
  await owe(happening)
  await sendDue()
  await sendDue()
  expect(calls).toHaveLength(1)
  const [call] = calls
  expect(call?.headers).toMatchObject({
    'webhook-id': happening.id,
    'content-type': 'application/json',
  })
  expect(call && verify(secret, call)).toEqual({
    type: 'share.completed',
    timestamp: happening.at,
    data: { shareId: 'abc', name: 'Trip' },
  })
  const wrong = `whsec_${Buffer.alloc(32).toString('base64')}`
  expect(() => call && verify(wrong, call)).toThrow()
})

test('the time of an event is UTC in milliseconds, however the database wrote it', async () => {
  await create()
  await owe(happen({ at: '2026-11-27T03:20:39.114796+02:00' }))
  await sendDue()
  expect(calls.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
    { timestamp: '2026-11-27T01:20:39.114Z' },
  ])
})

test('events of others, events that were not chosen and webhooks that are off are left out', async () => {
  const { id } = await create()
  await owe(happen({ ownerId: randomUUID() }))
  await owe(happen({ type: 'share.deleted' }))
  await server.send('PATCH', `/api/webhooks/${id}`, { token: USER_TOKEN, body: { enabled: false } })
  await owe(happen())
  await sendDue()
  expect(calls).toEqual([])
})

test('a receiver that was down for an hour is told by the schedule, with the same id', async () => {
  const webhook = await create()
  respond = (res) => res.writeHead(500).end('out of order')
  const happening = happen()
  await owe(happening)
  const times: number[] = []
  for (let second = 0; second <= 3_600; second += 5) {
    const before = calls.length
    await sendDue()
    if (calls.length > before) times.push(second)
    server.passMs(5_000)
  }
  expect(times).toEqual([0, 5, 305, 2_105])
  respond = (res) => res.writeHead(200).end('ok')
  server.passMs(2 * HOUR_MS)
  await sendDue()
  expect(calls).toHaveLength(5)
  expect(new Set(calls.map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set([happening.id]),
  )
  const [delivery] = await deliveriesOf(webhook)
  expect(delivery).toMatchObject({
    state: 'delivered',
    attempts: 5,
    nextAttemptAt: null,
    lastAttempt: { status: 200, error: null, response: 'ok' },
  })
})

test('after three days of failures it is off, and says why', async () => {
  const webhook = await create()
  respond = (res) => res.writeHead(503).end()
  await owe(happen())
  for (let hour = 0; hour < 90; hour += 1) {
    await sendDue()
    server.passMs(HOUR_MS)
  }
  expect(calls).toHaveLength(10)
  expect(await read(webhook)).toMatchObject({ disabledReason: 'failing' })
  expect(await deliveriesOf(webhook)).toMatchObject([{ state: 'failed', nextAttemptAt: null }])
  const path = `/api/webhooks/${webhook.id}`
  await server.send('PATCH', path, { token: USER_TOKEN, body: { enabled: true } })
  expect(await read(webhook)).toMatchObject({ disabledAt: null, disabledReason: null })
})

test('410 turns it off at once, and what waits is given up', async () => {
  const webhook = await create()
  respond = (res) => res.writeHead(410).end()
  await owe(happen())
  await owe(happen())
  await sendDue()
  expect(calls).toHaveLength(1)
  expect(await read(webhook)).toMatchObject({ disabledReason: 'gone' })
  const states = (await deliveriesOf(webhook)).map(({ state }) => state)
  expect(states).toEqual(['failed', 'failed'])
})

test('a redirect is not followed: it is a failure like any other', async () => {
  const webhook = await create()
  respond = (res) => res.writeHead(302, { Location: 'http://169.254.169.254/latest/' }).end()
  await owe(happen())
  await sendDue()
  expect(calls).toHaveLength(1)
  expect(await deliveriesOf(webhook)).toMatchObject([
    { state: 'waiting', lastAttempt: { status: 302 } },
  ])
})

test('no more than 64 KiB of a response are read, and its beginning is kept', async () => {
  const webhook = await create()
  let isCut = false
  respond = (res) => {
    res.writeHead(200)
    const write = () => {
      while (res.write('x'.repeat(65_536)));
      res.once('drain', write)
    }
    res.once('close', () => (isCut = true))
    write()
  }
  await owe(happen())
  await sendDue()
  const [delivery] = await deliveriesOf(webhook)
  expect(delivery).toMatchObject({ state: 'delivered' })
  expect(delivery?.lastAttempt?.response).toBe('x'.repeat(2000))
  await expect.poll(() => isCut).toBe(true)
})

test('a worker that is killed after sending sends again with the same id, and none is lost', async () => {
  await create()
  const happening = happen()
  await owe(happening)
  // Its signal aborts as the receiver is told: nothing is written down any more.
  const killed = new AbortController()
  respond = (res) => {
    killed.abort()
    res.writeHead(200).end()
  }
  await server.runJob(jobs.sendWebhooks, {}, killed.signal).catch(() => undefined)
  respond = (res) => res.writeHead(200).end()
  await sendDue()
  expect(calls).toHaveLength(1)
  server.passMs(61_000)
  await sendDue()
  await sendDue()
  expect(calls.map(({ headers }) => headers['webhook-id'])).toEqual([happening.id, happening.id])
})

test('two secrets sign for a day after a rotation', async () => {
  const webhook = await create()
  const path = `/api/webhooks/${webhook.id}/rotate`
  const rotated = (await server.send('POST', path, { token: USER_TOKEN })).body as WebhookWithSecret
  expect(rotated.secret).not.toBe(webhook.secret)
  await owe(happen())
  await sendDue()
  const [first] = calls
  for (const { secret } of [webhook, rotated]) expect(first && verify(secret, first)).toBeTruthy()
  server.passMs(25 * HOUR_MS)
  await owe(happen())
  await sendDue()
  expect(String(calls[1]?.headers['webhook-signature']).split(' ')).toHaveLength(1)
})

test('a test is sent at once, told how it went, and not repeated', async () => {
  const webhook = await create()
  respond = (res) => res.writeHead(410).end()
  const path = `/api/webhooks/${webhook.id}/test`
  const tested = await server.send('POST', path, { token: USER_TOKEN })
  expect(tested).toMatchObject({
    status: 200,
    body: { event: 'test', state: 'failed', lastAttempt: { status: 410 } },
  })
  expect(await read(webhook)).toMatchObject({ disabledAt: null })
})

test('one delivery, or all since a time, are sent again with their ids', async () => {
  const webhook = await create()
  const ids: string[] = []
  for (let hour = 0; hour < 3; hour += 1) {
    const happening = happen()
    ids.push(happening.id)
    await owe(happening)
    await sendDue()
    server.passMs(HOUR_MS)
  }
  const [latest] = await deliveriesOf(webhook)
  const path = `/api/webhooks/${webhook.id}`
  const one = await server.send('POST', `${path}/deliveries/${latest?.id}/replay`, {
    token: USER_TOKEN,
  })
  expect(one.status).toBe(202)
  await sendDue()
  expect(calls.at(-1)?.headers['webhook-id']).toBe(ids[2])
  const since = new Date(server.now() - 2.5 * HOUR_MS).toISOString()
  const all = await server.send('POST', `${path}/replay`, { token: USER_TOKEN, body: { since } })
  expect(all.body).toEqual({ replayed: 2 })
  await sendDue()
  expect(calls.slice(-2).map(({ headers }) => headers['webhook-id'])).toEqual(ids.slice(1))
})

test.each([
  'http://10.0.0.1/',
  'http://169.254.169.254/latest/meta-data',
  'http://[::ffff:10.0.0.1]/',
  'http://[::1]/',
  'http://no-such-host.invalid/',
])('%s is refused when it is registered, and nothing is kept', async (url) => {
  const body = { url, events: ['share.completed'] }
  const response = await server.send('POST', '/api/webhooks', { token: USER_TOKEN, body })
  expect(response).toMatchObject({ status: 400, body: { code: 'webhook_address' } })
  expect((await server.send('GET', '/api/webhooks', { token: USER_TOKEN })).body).toEqual([])
})

test.each([
  { url: 'ftp://example.org/' },
  { url: 'http://user:secret@127.0.0.1/' },
  { events: [] },
  { events: ['user.created'] },
  { format: 'carrier pigeon' },
])('%j is no webhook', async (wrong) => {
  const body = { url: receiverUrl, events: ['share.completed'], ...wrong }
  const response = await server.send('POST', '/api/webhooks', { token: USER_TOKEN, body })
  expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
})

test('the whole instance is for administrators, and twenty are the most', async () => {
  const body = { url: receiverUrl, events: ['user.created'], scope: 'instance' }
  const refused = await server.send('POST', '/api/webhooks', { token: USER_TOKEN, body })
  expect(refused.status).toBe(403)
  for (let count = 0; count < 20; count += 1) await create(body, ADMIN_TOKEN)
  const last = await server.send('POST', '/api/webhooks', { token: ADMIN_TOKEN, body })
  expect(last).toMatchObject({ status: 409, body: { code: 'too_many_webhooks' } })
})

test.each([
  ['ntfy', 'text/plain; charset=utf-8', 'Floe: share “Trip” is ready'],
  ['slack', 'application/json', '{"text":"Floe: share “Trip” is ready"}'],
  ['matrix', 'application/json', '{"text":"Floe: share “Trip” is ready"}'],
  [
    'discord',
    'application/json',
    '{"content":"Floe: share “Trip” is ready","allowed_mentions":{"parse":[]}}',
  ],
])('%s gets a sentence', async (format, type, body) => {
  await create({ format })
  await owe(happen())
  await sendDue()
  expect(calls).toMatchObject([{ headers: { 'content-type': type }, body }])
})

test('without a secret that can be read nothing is sent, and the log says why', async () => {
  const webhook = await create()
  const moved = await server.replicate(randomBytes(32))
  await owe(happen())
  await moved.runJob(jobs.sendWebhooks, {})
  await moved.close()
  expect(calls).toEqual([])
  expect(await deliveriesOf(webhook)).toMatchObject([
    { state: 'waiting', lastAttempt: { status: null, error: expect.stringContaining('secret') } },
  ])
})

test('storage that fills up is told to webhooks without any mail, and once', async () => {
  server.metrics.administrators = [{ id: OWNER_ID, email: 'ann@example.org' }]
  server.metrics.disk = { usedBytes: 95e9, totalBytes: 1e11 }
  await create({ scope: 'instance', events: ['storage.almost_full', 'job.failed'] }, ADMIN_TOKEN)
  await server.runJob(jobs.findNotices, {})
  await server.runJob(jobs.findNotices, {})
  const told = await server.database.knex('outbox').where({ name: 'happening.recorded' })
  expect(told).toHaveLength(1)
  for (const { payload } of told) await owe(payload as Happening)
  await sendDue()
  expect(calls.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
    { type: 'storage.almost_full', data: { usedBytes: 95e9, totalBytes: 1e11 } },
  ])
})

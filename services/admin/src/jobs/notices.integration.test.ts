import { randomUUID } from 'node:crypto'
import { type AuditAction, jobs } from '@floe/contracts'
import { type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { republishAdminEvents } from '../index.ts'
import { ADMIN_TOKEN, type AdminServer, startAdminServer } from '../testing/admin-server.ts'

const hourMs = 3_600_000
/** Whose access token is `ADMIN_TOKEN`. */
const ann = { id: '00000000-0000-4000-8000-000000000001', email: 'ann@example.org' }
const bob = { id: '00000000-0000-4000-8000-00000000000b', email: 'bob@example.org' }

let server: AdminServer
let catcher: SmtpCatcher
beforeEach(async () => {
  server = await startAdminServer('https://files.example.org')
  catcher = await startSmtpCatcher()
  server.metrics.administrators = [ann, bob]
})
afterEach(async () => {
  await server.close()
  await catcher.stop()
})

async function configure(values: Record<string, string | number | boolean>) {
  const body = Object.entries(values).map(([key, value]) => ({ key, value }))
  const { status } = await server.send('PATCH', '/api/configs/admin', { token: ADMIN_TOKEN, body })
  expect(status).toBe(200)
}

const useMail = () =>
  configure({
    'general.appName': 'Fjord',
    'smtp.enabled': true,
    'smtp.host': catcher.host,
    'smtp.port': catcher.port,
    'smtp.email': 'fjord@example.org',
  })

const fill = (percent: number) => {
  server.metrics.disk = { usedBytes: percent * 1e9, totalBytes: 1e11 }
}

const signUp = (username: string, action: AuditAction = 'user.registered') =>
  server.runJob(jobs.recordAuditEvent, {
    id: randomUUID(),
    at: new Date(server.now()).toISOString(),
    action,
    actor: { id: null, name: username, address: '127.0.0.1', userAgent: '' },
    target: { type: 'user', id: randomUUID(), name: username },
    details: {},
  })

const owed = () => server.database.knex('outbox').where({ name: 'notice.owed' })

/** What the relay and the queue do with each event. */
async function deliver(): Promise<void> {
  const events = await owed().delete('payload')
  for (const { payload } of events) await server.runJob(jobs.sendNotice, payload)
}

/** Looks as each hour, and sends what is owed; the subjects to each receiver since. */
async function lookAround(): Promise<string[]> {
  const before = catcher.messages.length
  server.passMs(hourMs)
  await server.runJob(jobs.findNotices, {})
  await deliver()
  return catcher.messages.slice(before).map(({ to, subject }) => `${to.join()}: ${subject}`)
}

test('storage that is almost full is told to each administrator once, also if mail was set up later', async () => {
  fill(92.7)
  expect(await lookAround()).toEqual([])
  await useMail()
  expect((await lookAround()).sort()).toEqual([
    'ann@example.org: Storage is 92% full',
    'bob@example.org: Storage is 92% full',
  ])
  const text = catcher.messages[0]?.text ?? ''
  expect(text).toContain(
    'The storage of Fjord is almost full: 92.7\u00a0GB of 100\u00a0GB are in use',
  )
  expect(text.split('\n')).toContain('https://files.example.org/admin')
  expect(text).toContain('https://files.example.org/admin/config/notices#notices.storage')
  expect(await lookAround()).toEqual([])
  fill(80)
  expect(await lookAround()).toEqual([])
  fill(95)
  expect(await lookAround()).toHaveLength(2)
})

test('the limit of the settings counts as the disk does', async () => {
  await useMail()
  await configure({ 'share.totalStorageLimit': 1_000 })
  server.metrics.storageBytes = 899
  expect(await lookAround()).toEqual([])
  server.metrics.storageBytes = 950
  fill(91)
  expect(await lookAround()).toContain('ann@example.org: Storage is 95% full')
})

test('new accounts of an hour are one message, and those from before the setting are none', async () => {
  await useMail()
  await signUp('early')
  expect(await lookAround()).toEqual([])
  await configure({ 'notices.newAccount': true })
  await signUp('kim')
  await signUp('lou', 'user.created')
  expect(await lookAround()).toHaveLength(2)
  const text = catcher.messages[0]?.text ?? ''
  expect(catcher.messages[0]?.subject).toBe('New accounts: 2')
  expect(text).toMatch(/^kim$/m)
  expect(text).toMatch(/^lou$/m)
  expect(text).not.toContain('early')
  expect(text.split('\n')).toContain('https://files.example.org/admin/users')
  for (let hour = 0; hour < 100; hour += 1) expect(await lookAround()).toEqual([])
  await signUp('max')
  expect(await lookAround()).toContain('ann@example.org: New accounts: 1')
})

test('of very many accounts the first names and the number are told', async () => {
  await useMail()
  await configure({ 'notices.newAccount': true })
  for (let index = 0; index < 25; index += 1) await signUp(`guest-${index}`)
  expect(await lookAround()).toContain('ann@example.org: New accounts: 25')
  const text = catcher.messages[0]?.text ?? ''
  expect(text.match(/^guest-\d+$/gm)).toHaveLength(20)
  expect(text).toMatch(/^…$/m)
})

test('failed jobs are told with the number that the overview shows', async () => {
  await useMail()
  const queue = await server.openQueue()
  const job: typeof jobs.deleteShareFiles = { ...jobs.deleteShareFiles, attempts: 1 }
  await queue.enqueue(job, { shareUid: randomUUID() })
  queue.consume([{ job, handle: () => Promise.reject(new Error('no')) }])
  await vi.waitFor(async () => expect((await queue.counts()).failed).toBe(1), 10_000)
  expect((await lookAround()).sort()).toEqual([
    'ann@example.org: Failed jobs: 1',
    'bob@example.org: Failed jobs: 1',
  ])
  for (let hour = 0; hour < 30; hour += 1) expect(await lookAround()).toEqual([])
})

test('each administrator reads the language of their last look at the overview, others that of the site', async () => {
  await useMail()
  await configure({ 'general.defaultLanguage': 'fr' })
  for (const language of ['it', 'de']) {
    const headers = { 'accept-language': language }
    await server.send('GET', '/api/admin/overview', { token: ADMIN_TOKEN, headers })
  }
  fill(90)
  expect((await lookAround()).sort()).toEqual([
    'ann@example.org: Der Speicher ist zu 90 % belegt',
    'bob@example.org: Le stockage est plein à 90 %',
  ])
})

test('nothing is told unless its messages are owed in the same transaction, and runs at once owe them once', async () => {
  await useMail()
  fill(99)
  const { knex } = server.database
  await knex.schema.renameTable('outbox', 'outbox_away')
  await expect(server.runJob(jobs.findNotices, {})).rejects.toThrow('outbox')
  await knex.schema.renameTable('outbox_away', 'outbox')
  await Promise.all(Array.from({ length: 4 }, () => server.runJob(jobs.findNotices, {})))
  expect(await owed()).toHaveLength(2)
})

test('a queue that forgot its jobs gets them again until they are done', async () => {
  await useMail()
  fill(99)
  await server.runJob(jobs.findNotices, {})
  const [first, second] = await owed().delete('payload')
  const republish = () => server.database.knex.transaction(republishAdminEvents)
  await server.runJob(jobs.sendNotice, first.payload)
  await republish()
  expect(await owed().delete('payload')).toEqual([second])
  await server.runJob(jobs.sendNotice, second.payload)
  await server.runJob(jobs.sendNotice, second.payload)
  await republish()
  expect(await owed()).toEqual([])
  expect(catcher.messages.flatMap(({ to }) => to).sort()).toEqual([ann.email, bob.email])
})

test('a message whose sending was not recorded is sent again under the same id', async () => {
  await useMail()
  server.metrics.administrators = [ann]
  fill(99)
  await server.runJob(jobs.findNotices, {})
  const { knex } = server.database
  await knex.raw('create rule keep_owed as on delete to owed_notices do instead nothing')
  const [event] = await owed()
  for (let run = 0; run < 2; run += 1) await server.runJob(jobs.sendNotice, event.payload)
  const ids = catcher.messages.map(({ messageId }) => messageId)
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
})

test('what is no longer wanted is not sent', async () => {
  await useMail()
  const reasons: (() => Promise<void>)[] = [
    () => configure({ 'notices.storage': false }),
    () => configure({ 'notices.storage': true, 'smtp.enabled': false }),
    async () => {
      server.metrics.administrators = []
    },
  ]
  for (const takeBack of reasons) {
    fill(50)
    await server.runJob(jobs.findNotices, {})
    fill(99)
    await server.runJob(jobs.findNotices, {})
    expect(await owed()).toHaveLength(2)
    await takeBack()
    await deliver()
    await configure({ 'notices.storage': true, 'smtp.enabled': true })
  }
  server.metrics.administrators = [ann]
  fill(50)
  await server.runJob(jobs.findNotices, {})
  fill(99)
  await server.runJob(jobs.findNotices, {})
  fill(50)
  await server.runJob(jobs.findNotices, {})
  await deliver()
  expect(catcher.messages).toEqual([])
})

test('the rest is told while the storage cannot be measured', async () => {
  await useMail()
  await configure({ 'notices.newAccount': true, 'share.totalStorageLimit': 1_000 })
  server.metrics.isFileCut = true
  await signUp('kim')
  expect(await lookAround()).toContain('ann@example.org: New accounts: 1')
})

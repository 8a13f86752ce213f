import { type AuditEntry, jobs, type Overview } from '@floe/contracts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
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

const dayMs = 24 * 60 * 60 * 1000
const shareUid = '00000000-0000-4000-8000-00000000000a'

async function read(): Promise<Overview> {
  const response = await server.send('GET', '/api/admin/overview', { token: ADMIN_TOKEN })
  expect(response.status, response.text).toBe(200)
  return response.body as Overview
}

const retry = (id: string, token = ADMIN_TOKEN) =>
  server.send('POST', `/api/admin/jobs/${encodeURIComponent(id)}/retry`, { token })

test('tells what there is now, and what was recorded on the days before', async () => {
  Object.assign(server.metrics, { storageBytes: 2 ** 40, shares: 2, users: 3 })
  await server.runJob(jobs.recordMetrics, {})
  Object.assign(server.metrics, { storageBytes: 5, shares: 4, users: 6 })
  await server.runJob(jobs.recordMetrics, {})
  server.passMs(dayMs)
  await server.runJob(jobs.recordMetrics, {})
  server.metrics.users = 7
  const { now, days } = await read()
  expect(now).toEqual({ storageBytes: 5, shares: 4, users: 7 })
  const metrics = { storageBytes: 5, shares: 4, users: 6 }
  expect(days.map(({ day: _day, ...rest }) => rest)).toEqual([metrics, metrics])
  const [first, second] = days.map(({ day }) => Date.parse(day))
  expect((second ?? 0) - (first ?? 0)).toBe(dayMs)
  server.passMs(29 * dayMs)
  expect((await read()).days).toHaveLength(1)
})

test('says what it knows while the others cannot be reached', async () => {
  server.metrics.isCut = true
  const overview = await read()
  expect(overview.now).toEqual({ storageBytes: null, shares: null, users: null })
  expect(overview.jobs).toEqual({ counts: [], failed: [] })
})

test('lists failed jobs without what they work on, and runs one again on request', async () => {
  const queue = await server.openQueue()
  const job: typeof jobs.deleteShareFiles = { ...jobs.deleteShareFiles, attempts: 1 }
  let mayRun = false
  let runs = 0
  await queue.enqueue(job, { shareUid })
  queue.consume([
    {
      job,
      handle: () => {
        runs += 1
        return mayRun ? Promise.resolve() : Promise.reject(new Error(`x${'y'.repeat(5_000)}`))
      },
    },
  ])
  const failed = await vi.waitFor(async () => {
    const [first] = (await read()).jobs?.failed ?? []
    expect(first).toBeDefined()
    return first as NonNullable<typeof first>
  }, 10_000)
  expect(Object.keys(failed).sort()).toEqual(['attempts', 'failedAt', 'id', 'name', 'reason'])
  expect(failed).toMatchObject({ name: 'delete-share-files', attempts: 1 })
  expect(failed.reason).toHaveLength(500)
  const { counts } = (await read()).jobs ?? {}
  expect(counts).toEqual([
    { name: 'delete-share-files', waiting: 0, active: 0, delayed: 0, failed: 1 },
  ])
  const response = await server.send('GET', '/api/admin/overview', { token: ADMIN_TOKEN })
  expect(response.text).not.toContain(shareUid)

  mayRun = true
  expect((await retry(failed.id)).status).toBe(204)
  await vi.waitFor(async () => expect((await read()).jobs?.failed).toEqual([]), 10_000)
  await vi.waitFor(() => expect(runs).toBe(2), 10_000)
  await vi.waitFor(
    async () => expect(await retry(failed.id)).toMatchObject({ body: { code: 'job_not_failed' } }),
    10_000,
  )
  await server.deliverAuditEvents()
  const log = await server.send('GET', '/api/admin/audit', { token: ADMIN_TOKEN })
  expect((log.body as AuditEntry[]).map(({ action, target }) => [action, target])).toEqual([
    ['job.retried', { type: 'job', id: failed.id, name: 'delete-share-files' }],
  ])
})

test('refuses jobs that are not there, and ids that are none', async () => {
  expect(await retry('4711')).toMatchObject({ status: 404, body: { code: 'job_not_found' } })
  for (const id of ['a b', '../x', 'x'.repeat(201), '%']) {
    expect(await retry(id)).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  }
})

test('is for administrators only', async () => {
  for (const token of [USER_TOKEN, 'nobody']) {
    for (const response of [
      await server.send('GET', '/api/admin/overview', { token }),
      await retry('1', token),
    ]) {
      expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    }
  }
})

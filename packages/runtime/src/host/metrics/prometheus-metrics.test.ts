import { expect, test } from 'vitest'
import { createPrometheusMetrics } from './prometheus-metrics.ts'

test('counts requests by route and class of status', async () => {
  const metrics = await createPrometheusMetrics()
  const request = { method: 'GET', route: '/api/shares/:id', status: 200, durationMs: 20 }
  metrics.requestCompleted(request)
  metrics.requestCompleted({ ...request, status: 204 })
  metrics.requestCompleted({ ...request, status: 404, method: 'PROPFIND' })

  const { contentType, text } = await metrics.read()

  expect(contentType).toContain('text/plain')
  expect(text).toContain(
    'floe_http_requests_total{method="GET",route="/api/shares/:id",status="2xx"} 2',
  )
  expect(text).toContain(
    'floe_http_requests_total{method="other",route="/api/shares/:id",status="4xx"} 1',
  )
  expect(text).toContain(
    'floe_http_request_duration_seconds_bucket{le="0.025",method="GET",route="/api/shares/:id"} 2',
  )
})

test('tells transfers and jobs while they run and what became of them', async () => {
  const metrics = await createPrometheusMetrics()
  const upload = metrics.transferBegins('upload')
  upload.moved(1_000)
  upload.moved(24)
  const endJob = metrics.jobStarts('hash-share-files')

  const during = (await metrics.read()).text
  upload.end()
  endJob('failed')
  const after = (await metrics.read()).text

  expect(during).toContain('floe_transfers_running{direction="upload"} 1')
  expect(during).toContain('floe_jobs_running{job="hash-share-files"} 1')
  expect(after).toContain('floe_transferred_bytes_total{direction="upload"} 1024')
  expect(after).toContain('floe_transfers_running{direction="upload"} 0')
  expect(after).toContain('floe_job_runs_total{job="hash-share-files",outcome="failed"} 1')
  expect(after).toContain('floe_jobs_running{job="hash-share-files"} 0')
})

test('reads the pool and the queue when asked, and has no figure of a queue that is away', async () => {
  const metrics = await createPrometheusMetrics()
  let asked = 0
  let isAway = true
  metrics.watchPool(() => ({ used: 3, free: 1, waiting: 0 }))
  metrics.watchJobs(async () => {
    asked += 1
    if (isAway) throw new Error('away')
    return [{ name: 'expire-shares', waiting: 1, active: 2, delayed: 3, failed: 4, completed: 5 }]
  })

  const away = (await metrics.read()).text
  isAway = false
  await metrics.read()
  const there = (await metrics.read()).text

  expect(away).toContain('floe_database_connections{state="used"} 3')
  expect(away).not.toContain('floe_jobs{')
  expect(there).toContain('floe_jobs{job="expire-shares",state="failed"} 4')
  expect(asked).toBe(2)
})

test('two of them know nothing of each other', async () => {
  const one = await createPrometheusMetrics()
  one.mailEnds('sent')
  const other = await createPrometheusMetrics()

  expect((await one.read()).text).toContain('floe_mails_total{outcome="sent"} 1')
  expect((await other.read()).text).not.toContain('outcome="sent"')
  expect((await other.read()).text).toContain('nodejs_eventloop_lag_seconds')
})

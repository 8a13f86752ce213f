import { randomBytes } from 'node:crypto'
import { startSmtpCatcher } from '@floe/testing'
import { beforeAll, expect, test, vi } from 'vitest'
import { signInAsAdmin, signUp } from './world/accounts.ts'
import { onBothArrangements } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { sendMailsTo, sendNoMails } from './world/mail.ts'
import { createShare, openShare, publishShare } from './world/shares.ts'
import { append, beginUpload } from './world/tus.ts'

onBothArrangements('metrics', (floe) => {
  let owner: Client
  beforeAll(async () => {
    owner = await signUp(floe)
  })

  /** Of all processes, a line a series. */
  async function readLines(): Promise<string[]> {
    const texts = await Promise.all(
      floe.metricsUrls.map(async (url) => {
        const response = await fetch(url)
        expect(response.status).toBe(200)
        expect(response.headers.get('content-type')).toContain('text/plain')
        return response.text()
      }),
    )
    return texts.flatMap((text) => text.split('\n')).filter((line) => /^[a-z]/.test(line))
  }

  /** The sum of a series over all processes. */
  async function read(series: string): Promise<number> {
    const lines = (await readLines()).filter((line) => line.startsWith(`${series} `))
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
  }

  async function expectMore(series: string, before: number, least: number): Promise<void> {
    await vi.waitFor(
      async () => expect((await read(series)) - before).toBeGreaterThanOrEqual(least),
      { timeout: 20_000, interval: 200 },
    )
  }

  test('count requests by route, bytes both ways, and jobs by name', async () => {
    const content = randomBytes(600_000)
    const series = {
      created: 'floe_http_requests_total{method="POST",route="/api/uploads",status="2xx"}',
      timed:
        'floe_http_request_duration_seconds_count{method="GET",route="/api/shares/:shareId/files/:fileId"}',
      refused: 'floe_http_requests_total{method="GET",route="/api/shares/:id",status="4xx"}',
      up: 'floe_transferred_bytes_total{direction="upload"}',
      down: 'floe_transferred_bytes_total{direction="download"}',
      hashed: 'floe_job_runs_total{job="hash-share-files",outcome="completed"}',
    }
    const before = Object.fromEntries(
      await Promise.all(
        Object.entries(series).map(async ([name, one]) => [name, await read(one)] as const),
      ),
    )
    const open = await createShare(owner)
    const path = await beginUpload(owner, {
      shareId: open,
      filename: 'a.bin',
      lengthBytes: content.length,
    })
    expect((await append(owner, path, 0, content)).status).toBe(204)
    const { id, fileIds } = await publishShare(owner, { 'b.bin': content })
    const visitor = createClient(floe.url)
    expect((await visitor.send('GET', `/api/shares/${id}`)).status).toBe(403)
    await openShare(visitor, id)
    const file = await visitor.send('GET', `/api/shares/${id}/files/${fileIds[0]}`)
    expect(file.bytes.equals(content)).toBe(true)

    await expectMore(series.created, before['created'] ?? 0, 1)
    await expectMore(series.timed, before['timed'] ?? 0, 1)
    await expectMore(series.refused, before['refused'] ?? 0, 1)
    await expectMore(series.up, before['up'] ?? 0, 2 * content.length)
    await expectMore(series.down, before['down'] ?? 0, content.length)
    await expectMore(series.hashed, before['hashed'] ?? 0, 1)
    await expectMore('floe_jobs{job="hash-share-files",state="completed"}', 0, 1)
    await expect.poll(() => read('floe_transfers_running{direction="upload"}')).toBe(0)
    await expect.poll(() => read('floe_transfers_running{direction="download"}')).toBe(0)
  })

  test('count messages, connections and what the process itself does', async () => {
    const sent = await read('floe_mails_total{outcome="sent"}')
    const admin = await signInAsAdmin(floe)
    const catcher = await startSmtpCatcher()
    await sendMailsTo(catcher, admin)
    await sendNoMails(admin)
    await catcher.stop()

    await expectMore('floe_mails_total{outcome="sent"}', sent, 1)
    const lines = await readLines()
    for (const name of [
      'floe_database_connections{state="free"}',
      'nodejs_eventloop_lag_seconds',
      'process_resident_memory_bytes',
    ]) {
      const found = lines.filter((line) => line.startsWith(name))
      expect(found, name).toHaveLength(floe.metricsUrls.length)
    }
  })

  test('grow with the routes and not with what is asked for, and tell nothing of it', async () => {
    const ask = async () => {
      // None like another: the id of a share is no secret, that of an upload is.
      const next = () => `hush-${randomBytes(8).toString('hex')}`
      for (const path of [
        `/api/shares/${next()}`,
        `/api/uploads/${next()}`,
        `/upload/${next()}`,
        `/${next()}/${next()}`,
        `/api/${next()}`,
        `/assets/${next()}.js`,
        `/?q=${next()}`,
      ]) {
        await createClient(floe.url).send('GET', path)
      }
    }
    const countRoutes = async () =>
      new Set((await readLines()).map((line) => /route="[^"]*"/.exec(line)?.[0])).size
    await ask()
    const known = await countRoutes()

    for (let round = 0; round < 10; round += 1) await ask()

    expect(await countRoutes()).toBe(known)
    expect((await readLines()).join()).not.toContain('hush-')
  })

  test('are told at their own port only', async () => {
    const response = await createClient(floe.url).send('GET', '/metrics')
    expect(response.status).toBe(404)
    expect(response.text).not.toContain('floe_')
    const [url = ''] = floe.metricsUrls
    expect((await fetch(url, { method: 'POST' })).status).toBe(404)
    expect((await fetch(new URL('/', url))).status).toBe(404)
  })
})

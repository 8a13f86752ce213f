import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  findReplicas,
  type S3Server,
  reserveMinioServer,
  type RunningFloe,
  type SplitReplica,
  startFloe,
} from '@floe/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount } from '../world/account.ts'
import { runLoad, type LoadOptions, type LoadReport } from '../world/load.ts'

const BACK_LIMIT_MS = 60_000

let minio: S3Server
let floe: RunningFloe
let cookie: string

beforeAll(async () => {
  minio = await reserveMinioServer()
  await minio.start()
  floe = await startFloe({
    arrangement: 'split',
    environment: {
      FLOE_SPLIT_REPLICAS: '2',
      S3_ENDPOINT: minio.endpoint,
      S3_BUCKET: 'floe',
      S3_ACCESS_KEY: minio.accessKey,
      S3_SECRET_KEY: minio.secretKey,
    },
  })
  cookie = await createAccount(floe.url)
})
afterAll(async () => {
  await floe.stop()
  await minio.remove()
})

test('restarting every process one after another fails no request', async () => {
  const published = await publish(randomBytes(8_000_000))
  const stop = new AbortController()
  const load = runLoad({ url: floe.url, cookie, published, stop: stop.signal })
  const startedAt = performance.now()
  const replicas = findReplicas(floe.dataDirectory)
  expect(replicas).toHaveLength(12)
  for (const replica of replicas) await restart(replica)
  stop.abort()
  const report = await load

  print(report, performance.now() - startedAt)
  expect(report.failures).toEqual([])
  expect(report.uploads.length).toBeGreaterThan(0)
  expect(report.downloadedBytes).toBeGreaterThan(0)
  for (const { shareId, fileName, sha256 } of report.uploads) {
    const { files } = (await get(`/api/shares/${shareId}/from-owner`).then((response) =>
      response.json(),
    )) as { files: { id: string; name: string }[] }
    expect(files.map(({ name }) => name)).toEqual([fileName])
    expect(await hashOf(`/api/shares/${shareId}/files/${files[0]?.id}`), fileName).toBe(sha256)
  }
  // Each in good order, and none by itself.
  const endings = floe.output().match(/"reason":"[^"]*"/g)
  expect(endings).toEqual(replicas.map(() => '"reason":"0"'))
})

async function restart({ service, pid, url }: SplitReplica): Promise<void> {
  process.kill(pid, 'SIGTERM')
  const deadline = Date.now() + BACK_LIMIT_MS
  const isBack = async () => {
    const next = findReplicas(floe.dataDirectory, service).find((one) => one.url === url)
    if (next === undefined || next.pid === pid) return false
    const response = await fetch(`${url}/api/health/ready`).catch(() => null)
    await response?.text()
    return response?.ok ?? false
  }
  while (!(await isBack())) {
    if (Date.now() > deadline) throw new Error(`${service} did not come back\n${floe.output()}`)
    await delay(50)
  }
}

/** A share of two files, completed. */
async function publish(content: Buffer): Promise<LoadOptions['published']> {
  const shareId = `soak-${randomBytes(8).toString('hex')}`
  const json = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ id: shareId, expiration: '1-day', recipients: [] })
  await send('POST', '/api/shares', json, body)
  for (const name of ['a.bin', 'b.bin']) {
    const encode = (text: string) => Buffer.from(text).toString('base64')
    await send(
      'POST',
      '/api/uploads',
      {
        'Tus-Resumable': '1.0.0',
        'Content-Type': 'application/offset+octet-stream',
        'Upload-Length': String(content.length),
        'Upload-Metadata': `shareId ${encode(shareId)},filename ${encode(name)}`,
      },
      new Uint8Array(content),
    )
  }
  await send('POST', `/api/shares/${shareId}/complete`)
  const response = await get(`/api/shares/${shareId}/from-owner`)
  const { files } = (await response.json()) as { files: { id: string }[] }
  return {
    shareId,
    fileId: files[0]?.id ?? '',
    sha256: createHash('sha256').update(content).digest('hex'),
    archiveSha256: await hashOf(`/api/shares/${shareId}/files/zip`),
  }
}

async function send(
  method: string,
  path: string,
  headers = {},
  body?: string | Uint8Array<ArrayBuffer>,
): Promise<Response> {
  const response = await fetch(`${floe.url}${path}`, {
    method,
    headers: { Cookie: cookie, ...headers },
    ...(body !== undefined && { body }),
  })
  expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true)
  return response
}

function get(path: string): Promise<Response> {
  return send('GET', path)
}

async function hashOf(path: string): Promise<string> {
  const response = await get(path)
  const bytes = new Uint8Array(await response.arrayBuffer())
  return createHash('sha256').update(bytes).digest('hex')
}

function print(
  { requests, retries, failures, uploads, downloadedBytes }: LoadReport,
  tookMs: number,
) {
  const retried = [...retries.values()].reduce((sum, count) => sum + count, 0)
  console.log(
    `${requests} requests in ${Math.round(tookMs / 1_000)} s: ${failures.length} failed, ` +
      `${retried} tried again; ${uploads.length} files uploaded, ` +
      `${Math.round(downloadedBytes / 1e6)} MB downloaded`,
  )
  for (const [what, count] of retries) console.log(`  again ${count} ×: ${what}`)
}

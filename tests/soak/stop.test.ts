import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount } from './world/account.ts'

const run = promisify(execFile)
const tus = { 'Tus-Resumable': '1.0.0' }
const octets = { 'Content-Type': 'application/offset+octet-stream' }

let floe: RunningFloe
let cookie: string

beforeAll(async () => {
  floe = await startFloe({ arrangement: 'embedded' })
  cookie = await createAccount(floe.url)
})
afterAll(() => floe.stop())

const send = (
  method: string,
  path: string,
  init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
) => fetch(`${floe.url}${path}`, { ...init, method, headers: { Cookie: cookie, ...init.headers } })

async function createUpload(sizeBytes: number): Promise<{ shareId: string; path: string }> {
  const shareId = `stop-${randomBytes(6).toString('hex')}`
  const share = await send('POST', '/api/shares', {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ id: shareId, expiration: '1-day', recipients: [] }),
  })
  expect(share.status).toBe(201)
  const encode = (text: string) => Buffer.from(text).toString('base64')
  const upload = await send('POST', '/api/uploads', {
    headers: {
      ...tus,
      'Upload-Length': String(sizeBytes),
      'Upload-Metadata': `shareId ${encode(shareId)},filename ${encode('a.bin')}`,
    },
  })
  expect(upload.status).toBe(201)
  return { shareId, path: upload.headers.get('location') ?? '' }
}

async function offsetOf(path: string): Promise<number> {
  const head = await send('HEAD', path, { headers: tus })
  expect(head.status).toBe(200)
  return Number(head.headers.get('upload-offset'))
}

const append = (path: string, offset: number, body: Buffer) =>
  send('PATCH', path, {
    headers: { ...tus, ...octets, 'Upload-Offset': String(offset) },
    body: new Uint8Array(body.subarray(offset)),
  })

/** Completes the share, and the SHA-256 of its one file. */
async function download(shareId: string): Promise<string> {
  expect((await send('POST', `/api/shares/${shareId}/complete`)).ok).toBe(true)
  const response = await send('GET', `/api/shares/${shareId}/from-owner`)
  const { files } = (await response.json()) as { files: { id: string }[] }
  const file = await send('GET', `/api/shares/${shareId}/files/${files[0]?.id ?? ''}`)
  return sha256(Buffer.from(await file.arrayBuffer()))
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** A PATCH that sends the first bytes and then keeps its connection open. */
function appendSlowly(path: string, body: Buffer, firstBytes: number): Promise<void> {
  return new Promise((resolve) => {
    const req = request(`${floe.url}${path}`, {
      method: 'PATCH',
      headers: { ...tus, ...octets, 'Upload-Offset': '0', 'Content-Length': String(body.length) },
    })
    req.on('error', () => undefined)
    req.write(body.subarray(0, firstBytes), () => resolve())
  })
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('SIGTERM amid an upload ends within 10 s, and the upload goes on afterwards', async () => {
  const body = randomBytes(20_000_000)
  const { shareId, path } = await createUpload(body.length)
  await appendSlowly(path, body, 9_000_000)
  const { pid } = floe
  const startedAt = performance.now()
  process.kill(pid, 'SIGTERM')
  while (isAlive(pid) && performance.now() - startedAt < 15_000) await delay(20)
  const tookMs = performance.now() - startedAt
  expect(tookMs).toBeLessThan(10_000)
  await floe.restart()
  const offset = await offsetOf(path)
  expect(offset).toBeGreaterThan(0)
  expect((await append(path, offset, body)).status).toBe(204)
  expect(await download(shareId)).toBe(sha256(body))
  console.log(`stopped in ${Math.round(tookMs)} ms`)
})

/** Only root may mount; elsewhere the same is proven on the store itself. */
const canMount = process.getuid?.() === 0 && process.platform === 'linux'

test.runIf(canMount)(
  'a full disk returns 507, and the upload goes on once there is room',
  async () => {
    const full = await startFloe({ arrangement: 'embedded' })
    const objects = join(full.dataDirectory, 'objects')
    const previous = { floe, cookie }
    try {
      await mkdir(objects, { recursive: true })
      await run('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', objects])
      floe = full
      cookie = await createAccount(full.url)
      const body = randomBytes(12_000_000)
      const { shareId, path } = await createUpload(body.length)
      const refused = await append(path, 0, body)
      expect(refused.status).toBe(507)
      expect(await refused.json()).toMatchObject({ code: 'storage_full' })
      const offset = await offsetOf(path)
      expect(offset).toBeGreaterThan(0)
      expect(offset).toBeLessThan(body.length)
      expect((await append(path, offset, body)).status).toBe(507)
      await run('mount', ['-o', 'remount,size=40m', objects])
      const resumed = await offsetOf(path)
      expect(resumed).toBeGreaterThanOrEqual(offset)
      expect((await append(path, resumed, body)).status).toBe(204)
      expect(await download(shareId)).toBe(sha256(body))
    } finally {
      ;({ floe, cookie } = previous)
      await full.kill()
      await run('umount', ['-l', objects]).catch(() => undefined)
      await full.stop()
    }
  },
)

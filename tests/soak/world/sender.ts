import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { BATCH_TYPE, encodeManifest } from '@floe/contracts'
import type { Random } from '@floe/testing'
import { attempt, BrokenPromise, type Caller, insist, refuse } from './patient-client.ts'

/** A file the server said it has. */
export interface SentFile {
  shareId: string
  name: string
  sizeBytes: number
  sha256: string
}

export interface SenderOptions extends Caller {
  random: Random
  /** Aborted when no new file is to be begun. */
  stop: AbortSignal
}

const tus = { 'Tus-Resumable': '1.0.0' }
const octets = { 'Content-Type': 'application/offset+octet-stream' }
const CHUNK_BYTES = 300_000
const FILES_PER_SHARE = 6

/**
 * A client that sends share after share through whatever happens to the server, and goes on where
 * the server says it is. Returns every file that was acknowledged whole.
 */
export async function sendUntilStopped(options: SenderOptions): Promise<SentFile[]> {
  const { random, stop } = options
  const sent: SentFile[] = []
  while (!stop.aborted) {
    const shareId = await createShare(options)
    for (let count = 0; count < FILES_PER_SHARE && !stop.aborted; count += 1) {
      sent.push(await sendFile(options, shareId, randomBytes(sizeOf(random))))
    }
    if (!stop.aborted) sent.push(...(await sendBatch(options, shareId)))
    await completeShare(options, shareId)
  }
  return sent
}

/** In one of the ways that clients have. */
export async function sendFile(
  options: SenderOptions,
  shareId: string,
  body: Buffer,
): Promise<SentFile> {
  const send = options.random.pick([sendByTus, sendByTus, sendByChunks, sendInOneGo])
  const name = `${randomUUID()}.bin`
  await send(options, shareId, name, body)
  const sha256 = createHash('sha256').update(body).digest('hex')
  return { shareId, name, sizeBytes: body.length, sha256 }
}

function sizeOf(random: Random): number {
  if (random.chance(0.05)) return 0
  if (random.chance(0.3)) return random.between(1, 5_000)
  return random.chance(0.8) ? random.between(5_000, 2_000_000) : random.between(1, 15_000_000)
}

/** Small files in one request, which is sent again and again until its response comes. */
export async function sendBatch(options: SenderOptions, shareId: string): Promise<SentFile[]> {
  const count = options.random.between(1, 60)
  const files = Array.from({ length: count }, () => {
    const bytes = randomBytes(options.random.between(0, 20_000))
    return { id: randomUUID(), name: `${randomUUID()}.bin`, sizeBytes: bytes.length, bytes }
  })
  const response = await insist(options, {
    method: 'POST',
    path: `/api/shares/${shareId}/files/batch`,
    headers: { 'Content-Type': BATCH_TYPE },
    body: Buffer.concat([encodeManifest(files), ...files.map(({ bytes }) => bytes)]),
  })
  const text = await response.text()
  if (text !== '{"refused":[]}') throw new BrokenPromise(`batch: ${response.status} ${text}`)
  return files.map(({ name, sizeBytes, bytes }) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return { shareId, name, sizeBytes, sha256 }
  })
}

const json = { 'Content-Type': 'application/json' }

export async function createShare(
  options: Caller,
  recipients: readonly string[] = [],
): Promise<string> {
  for (;;) {
    const id = `soak-${randomBytes(8).toString('hex')}`
    const body = JSON.stringify({ id, expiration: '1-day', recipients })
    const call = { method: 'POST', path: '/api/shares', headers: json, body }
    const response = await attempt(options, call)
    if (response?.status === 201) return id
    if (response) await refuse(response, 'create share')
  }
}

export async function completeShare(options: Caller, shareId: string): Promise<void> {
  const path = `/api/shares/${shareId}/complete`
  const response = await insist(options, { method: 'POST', path })
  // Completed already: the first response was lost. Without files: stopped before the first.
  if (response.ok || response.status === 400) return response.body?.cancel()
  await refuse(response, 'complete share')
}

function metadata(shareId: string, name: string): Record<string, string> {
  const encode = (text: string) => Buffer.from(text).toString('base64')
  return { 'Upload-Metadata': `shareId ${encode(shareId)},filename ${encode(name)}` }
}

async function sendByTus(options: SenderOptions, shareId: string, name: string, body: Buffer) {
  const path = await createUpload(options, shareId, name, body.length)
  let acknowledged = 0
  const acknowledge = (response: Response, what: string) => {
    const offset = Number(response.headers.get('upload-offset'))
    if (offset < acknowledged || offset > body.length) {
      throw new BrokenPromise(`${what} told ${offset} after ${acknowledged} of ${body.length}`)
    }
    acknowledged = offset
  }
  for (;;) {
    const head = await insist(options, { method: 'HEAD', path, headers: tus })
    if (!head.ok) await refuse(head, `HEAD ${path}`)
    acknowledge(head, 'HEAD')
    if (acknowledged === body.length) return
    const bytes = options.random.chance(0.5)
      ? body.length - acknowledged
      : options.random.between(1, body.length - acknowledged)
    const response = await attempt(options, {
      method: 'PATCH',
      path,
      headers: { ...tus, ...octets, 'Upload-Offset': String(acknowledged) },
      body: body.subarray(acknowledged, acknowledged + bytes),
    })
    if (response?.status === 204) acknowledge(response, 'PATCH')
    else if (response) await refuse(response, `PATCH ${path}`)
    if (acknowledged === body.length) return
  }
}

async function createUpload(
  options: SenderOptions,
  shareId: string,
  name: string,
  sizeBytes: number,
): Promise<string> {
  const response = await insist(options, {
    method: 'POST',
    path: '/api/uploads',
    headers: { ...tus, ...metadata(shareId, name), 'Upload-Length': String(sizeBytes) },
  })
  if (response.status !== 201) await refuse(response, 'create upload')
  return response.headers.get('location') ?? ''
}

/** Creation with upload. A lost response is not repeated by resuming: the file is sent anew. */
async function sendInOneGo(options: SenderOptions, shareId: string, name: string, body: Buffer) {
  const response = await insist(options, {
    method: 'POST',
    path: '/api/uploads',
    headers: {
      ...tus,
      ...octets,
      ...metadata(shareId, name),
      'Upload-Length': String(body.length),
    },
    body,
  })
  if (response.status !== 201) await refuse(response, 'create with upload')
}

async function sendByChunks(options: SenderOptions, shareId: string, name: string, body: Buffer) {
  const id = randomUUID()
  const total = Math.max(1, Math.ceil(body.length / CHUNK_BYTES))
  let next = 0
  for (;;) {
    const query = new URLSearchParams({
      id,
      name,
      chunkIndex: String(next),
      totalChunks: String(total),
    })
    const response = await insist(options, {
      method: 'POST',
      path: `/api/shares/${shareId}/files?${query.toString()}`,
      headers: { 'Content-Type': 'application/octet-stream' },
      body: body.subarray(next * CHUNK_BYTES, (next + 1) * CHUNK_BYTES),
    })
    if (response.status === 201) {
      await response.body?.cancel()
      next += 1
      if (next === total) return
      continue
    }
    const text = await response.text()
    const expected = /"expectedChunkIndex":(\d+)/.exec(text)?.[1]
    if (response.status !== 400 || expected === undefined) {
      throw new BrokenPromise(`chunk ${next}: ${response.status} ${text}`)
    }
    if (Number(expected) < next) {
      throw new BrokenPromise(`chunk ${expected} is expected though it was acknowledged`)
    }
    next = Number(expected)
  }
}

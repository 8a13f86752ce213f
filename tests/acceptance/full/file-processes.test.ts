import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { findFreePort } from '@floe/testing'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { signUp } from '../world/accounts.ts'
import { floeOf, haveAlone } from '../world/arrangements.ts'
import { type Client, createClient } from '../world/http-client.ts'
import { type StartedProcess, startFileService } from '../world/replicas.ts'
import { completeShare, createShare, openShare } from '../world/shares.ts'
import { append, beginUpload, offsetOf, offsetStream } from '../world/tus.ts'

const MiB = 1024 * 1024

interface Upload {
  path: string
  content: Buffer
}

describe('a file service of two processes behind one port', () => {
  const floe = floeOf('split')
  let owner: Client
  let service: StartedProcess
  let metricsUrl: string

  haveAlone(floe)
  beforeAll(async () => {
    owner = await signUp(floe)
  })
  beforeEach(async () => {
    const METRICS_PORT = String(await findFreePort())
    const PORT = String(await findFreePort())
    service = await startFileService(floe, { PORT, METRICS_PORT, FILE_PROCESSES: '2' })
    metricsUrl = `http://127.0.0.1:${METRICS_PORT}/metrics`
  })
  afterEach(async () => {
    service.kill()
    await service.ended
  })

  const listWorkers = () =>
    readFileSync(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8')
      .split(' ')
      .filter((pid) => pid !== '')
      .map(Number)

  async function readMetric(series: string): Promise<number> {
    const text = await (await fetch(metricsUrl)).text()
    const line = text.split('\n').find((one) => one.startsWith(`${series} `))
    return Number(line?.split(' ').at(-1))
  }

  async function begin(lengthBytes: number) {
    const content = randomBytes(lengthBytes)
    const shareId = await createShare(owner)
    const path = await beginUpload(owner, { shareId, filename: 'a.bin', lengthBytes })
    return { shareId, path, content }
  }

  async function send({ path, content }: Upload, from: number, to?: number): Promise<void> {
    const part = content.subarray(from, to)
    expect((await append(createClient(service.url), path, from, part)).status).toBe(204)
  }

  /** The path of its one file. */
  async function publish(shareId: string): Promise<string> {
    await completeShare(owner, shareId)
    await openShare(owner, shareId)
    const share = await owner.send('GET', `/api/shares/${shareId}`)
    const { files } = share.body as { files: { id: string }[] }
    return `/api/shares/${shareId}/files/${files[0]?.id}`
  }

  /** With a connection of its own. */
  function open(method: string, path: string, headers: Record<string, string>): ClientRequest {
    return request(`${service.url}${path}`, { method, headers, agent: false })
  }

  /** A PATCH of all that is left, of which one half is held back. */
  function appendHalf({ path, content }: Upload, offset: number) {
    const left = content.subarray(offset)
    const half = left.length / 2
    const req = open('PATCH', path, {
      'Tus-Resumable': '1.0.0',
      'Content-Type': offsetStream,
      'Content-Length': String(left.length),
      'Upload-Offset': String(offset),
    })
    const outcome = once(req, 'response').then(
      ([res]) => (res as IncomingMessage).statusCode,
      () => 'cut',
    )
    req.write(left.subarray(0, half))
    return { outcome, finish: () => req.end(left.subarray(half)) }
  }

  test('each takes one of two uploads, which go on where they were when one is killed', async () => {
    const first = 6 * MiB
    const uploads = await Promise.all(
      [1, 2].map(async () => {
        const upload = await begin(16 * MiB)
        await send(upload, 0, first)
        return upload
      }),
    )
    const workers = listWorkers()
    expect(workers).toHaveLength(2)
    const halves = uploads.map((upload) => appendHalf(upload, first))
    const running = 'floe_transfers_running{direction="upload"}'
    await vi.waitFor(async () => expect(await readMetric(running)).toBe(2), { timeout: 10_000 })

    process.kill(workers[0] ?? 0, 'SIGKILL')
    await Promise.race(halves.map(({ outcome }) => outcome))
    for (const half of halves) half.finish()

    const outcomes = await Promise.all(halves.map(({ outcome }) => outcome))
    expect(outcomes.toSorted()).toEqual([204, 'cut'])
    const cut = uploads[outcomes.indexOf('cut')] ?? expect.fail('one was cut')
    const offset = await offsetOf(createClient(service.url), cut.path)
    expect(offset).toBeGreaterThanOrEqual(first)
    await send(cut, offset)
    for (const { shareId, content } of uploads) {
      const { bytes } = await owner.send('GET', await publish(shareId))
      expect(sha256(bytes)).toBe(sha256(content))
    }
    await vi.waitFor(() => expect(listWorkers()).toHaveLength(2), { timeout: 10_000 })
    expect(listWorkers()).toContain(workers[1])
    expect(listWorkers()).not.toContain(workers[0])
  })

  test('SIGTERM lets a download end whole, and then all of it ends with 0', async () => {
    const upload = await begin(32 * MiB)
    await send(upload, 0)
    const path = await publish(upload.shareId)
    const req = open('GET', path, { Cookie: owner.cookies.header(path) }).end()
    const [res] = (await once(req, 'response')) as [IncomingMessage]
    expect(res.statusCode).toBe(200)

    process.kill(service.pid, 'SIGTERM')
    const isClosed = () => expect(fetch(`${service.url}/api/health/live`)).rejects.toThrow()
    await vi.waitFor(isClosed, { timeout: 10_000 })

    const chunks: Buffer[] = []
    for await (const chunk of res) chunks.push(chunk as Buffer)
    expect(sha256(Buffer.concat(chunks))).toBe(sha256(upload.content))
    expect(await service.ended).toBe(0)
  })

  test('none is left when the process that started them is killed', async () => {
    const workers = listWorkers()
    expect(workers).toHaveLength(2)
    service.kill()
    const isGone = () => expect(workers.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([])
    await vi.waitFor(isGone, { timeout: 10_000 })
  })

  test('a start that cannot succeed says why, once, and is given up', async () => {
    const { port } = new URL(service.url)
    const start = startFileService(floe, { PORT: port, FILE_PROCESSES: '2' })
    const message = await start.then(() => '', String)
    expect(message).toContain('file ended with 1')
    expect(message.match(/is already in use/g)).toHaveLength(1)
  })
})

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

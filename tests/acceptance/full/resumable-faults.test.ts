import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  createRandom,
  reserveMinioServer,
  type RunningFloe,
  type S3Server,
  startFaultProxy,
  startFloe,
} from '@floe/testing'
import * as tus from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { signUp } from '../world/accounts.ts'
import { createScript, makeToken } from '../world/api-tokens.ts'
import { onBothArrangements, ownArrangements } from '../world/arrangements.ts'
import type { Client } from '../world/http-client.ts'
import { readDirectShare } from '../world/shares.ts'

const run = promisify(execFile)
const partial = 'application/partial-upload'
const draft = { protocol: 'ietf-draft-05' }

interface Place {
  url: string
  script: Client
}

async function offsetOf({ script }: Place, location: string): Promise<number> {
  const { status, headers } = await script.send('HEAD', location)
  expect(status).toBe(204)
  return Number(headers['upload-offset'])
}

async function appendRest(place: Place, location: string, content: Buffer): Promise<string> {
  const offset = await offsetOf(place, location)
  const { status, text } = await place.script.send('PATCH', location, {
    bytes: content.subarray(offset),
    headers: {
      'Content-Type': partial,
      'Upload-Offset': String(offset),
      'Upload-Complete': '?1',
    },
  })
  expect(status, text).toBe(201)
  return text
}

interface Cutting {
  url: string
  /** The server has closed its connection: it has read all there was. */
  closed: Promise<unknown>
  close(): void
}

/**
 * Passes on so many bytes of each connection and then, once the server has said something, says that no
 * more come.
 */
async function startCuttingProxy(target: string, bytes: number): Promise<Cutting> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let noteClosed: () => void
  const closed = new Promise<void>((resolve) => (noteClosed = resolve))
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
    }
    let left = bytes
    let isHeard = false
    const cut = () => {
      if (left > 0 || !isHeard) return
      upstream.end()
      client.end()
    }
    client.on('data', (chunk: Buffer) => {
      upstream.write(chunk.subarray(0, left))
      left = Math.max(0, left - chunk.length)
      cut()
    })
    upstream.on('data', (chunk: Buffer) => {
      client.write(chunk)
      isHeard = true
      cut()
    })
    upstream.on('close', () => {
      noteClosed()
      client.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    closed,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

onBothArrangements('a resumable upload whose connection breaks', (floe) => {
  let folder: string
  let token: string
  let place: Place
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'floe-resume-'))
    const owner = await signUp(floe)
    ;({ token } = await makeToken(owner))
    place = { url: floe.url, script: createScript(floe.url, token) }
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('goes on behind what a proxy passed on, and plain curl sends the rest', async () => {
    const content = randomBytes(3_000_000)
    const path = join(folder, 'whole.bin')
    await writeFile(path, content)
    const CUT_AFTER = 1_500_000
    const proxy = await startCuttingProxy(floe.url, CUT_AFTER)
    const curl = ['-sS', '-i', '-H', `Authorization: Bearer ${token}`]
    const resumable = ['-H', 'Upload-Complete: ?1', '-H', 'Upload-Draft-Interop-Version: 8']
    const cut = await run('curl', [
      ...[...curl, ...resumable, '-H', 'Expect:', '-T', path, `${proxy.url}/up/`],
    ]).catch((failure: { stdout: string }) => failure)
    await proxy.closed
    proxy.close()
    expect(cut.stdout).toMatch(/^HTTP\/1\.1 104 /)
    const location = /location: (\S+)/i.exec(cut.stdout)?.[1] ?? ''
    // What was passed on has the head of the request in it.
    const offset = await offsetOf(place, location)
    expect(offset).toBeLessThan(CUT_AFTER)
    // The question for the offset ends the request, and may overtake what is on its way between
    // processes.
    if (floe.arrangement === 'embedded') expect(offset).toBeGreaterThan(CUT_AFTER - 1_000)
    const rest = join(folder, 'rest.bin')
    await run('sh', ['-c', `tail -c +${offset + 1} ${path} > ${rest}`])
    const { stdout } = await run('curl', [
      ...['-sS', '-H', `Authorization: Bearer ${token}`, '-X', 'PATCH', '-T', rest],
      ...['-H', `Content-Type: ${partial}`, '-H', `Upload-Offset: ${offset}`],
      ...['-H', 'Upload-Complete: ?1', new URL(location, floe.url).href],
    ])
    expect((await readDirectShare(floe.url, stdout)).equals(content)).toBe(true)
  })

  test.each([1, 2, 3])(
    'seed %i: tus-js-client by the draft ends with the very file',
    async (seed) => {
      const random = createRandom(seed)
      const content = randomBytes(random.between(1_000_000, 3_000_000))
      const proxy = await startFaultProxy({ target: floe.url, random, longestBytes: 600_000 })
      try {
        const link = await new Promise<string>((resolve, reject) => {
          new tus.Upload(content, {
            endpoint: `${proxy.url}/up/draft.bin`,
            ...draft,
            headers: { Authorization: `Bearer ${token}` },
            chunkSize: 400_000,
            retryDelays: Array.from({ length: 100 }, () => 10),
            onSuccess: ({ lastResponse }) => {
              resolve(lastResponse.getHeader('Location') ?? '')
            },
            onError: reject,
          }).start()
        })
        expect((await readDirectShare(floe.url, link)).equals(content)).toBe(true)
        expect(proxy.faults).toBeGreaterThan(0)
      } finally {
        await proxy.close()
      }
    },
  )
})

// Killed: Floes of their own.
describe.each(ownArrangements)(
  'a resumable upload while the server is killed, %s',
  (arrangement) => {
    let minio: S3Server
    beforeAll(async () => {
      minio = await reserveMinioServer()
      await minio.start()
    })
    afterAll(() => minio?.remove())

    test.each(['a disk', 'S3'])('goes on from %s where it is told to', async (store) => {
      const inBucket = {
        S3_ENDPOINT: minio.endpoint,
        S3_ACCESS_KEY: minio.accessKey,
        S3_SECRET_KEY: minio.secretKey,
        S3_BUCKET: 'resumable',
      }
      const environment = store === 'S3' ? inBucket : {}
      const floe: RunningFloe = await startFloe({ arrangement, environment })
      try {
        const owner = await signUp(floe)
        const { token } = await makeToken(owner)
        const script = createScript(floe.url, token)
        const content = randomBytes(24_000_000)
        const ACKNOWLEDGED = 6_000_000
        const begun = await script.send('PUT', '/up/a.bin', {
          bytes: content.subarray(0, ACKNOWLEDGED),
          headers: { 'Upload-Complete': '?0' },
        })
        const location = String(begun.headers.location)
        for (const size of [5_000_000, 9_000_000]) {
          const before = await offsetOf({ url: floe.url, script }, location)
          const socket = sendPart(floe.url, {
            location,
            token,
            offset: before,
            total: content.length,
          })
          socket.write(content.subarray(before, before + size))
          await vi.waitFor(async () => {
            const { body } = await owner.send('GET', '/api/users/me/storage')
            expect(body).toMatchObject({ usedBytes: content.length })
          }, 10_000)
          await floe.kill()
          socket.destroy()
          await floe.restart()
          const after = await offsetOf({ url: floe.url, script }, location)
          expect(after).toBeGreaterThanOrEqual(before)
          expect(after).toBeLessThanOrEqual(before + size)
        }
        const link = await appendRest({ url: floe.url, script }, location, content)
        expect((await readDirectShare(floe.url, link)).equals(content)).toBe(true)
      } finally {
        await floe.stop()
      }
    })
  },
)

interface Part {
  location: string
  token: string
  offset: number
  total: number
}

/** The head of a request that brings all that is left; its body is for the test to write. */
function sendPart(url: string, { location, token, offset, total }: Part): Socket {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  const lines = [
    `PATCH ${location} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${token}`,
    `Content-Type: ${partial}`,
    `Upload-Offset: ${offset}`,
    'Upload-Complete: ?1',
    `Content-Length: ${total - offset}`,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  return socket
}

import { randomBytes } from 'node:crypto'
import { createServer, request, type IncomingMessage, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { type ObjectReader } from '@floe/storage'
import { createTransferMemory } from '@floe/transfer'
import { isAppError } from '@floe/errors'
import { statusOf } from '@floe/http'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { sendDownload, type SendDownloadOptions } from './send-download.ts'
import type { SentBytes } from '@floe/transfer'

const mebibyte = 2 ** 20
const content = randomBytes(3 * mebibyte + 12_345)

type Outcome = { sent: SentBytes | null } | { failure: unknown }

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

interface Source {
  read: ObjectReader['read']
  isClosed: () => boolean
}

function memorySource(read?: ObjectReader['read']): Source & { open: () => Promise<ObjectReader> } {
  let isClosed = false
  const readMemory: ObjectReader['read'] = async (buffer, position) =>
    content.copy(buffer, 0, position)
  const reader = {
    read: read ?? readMemory,
    async close() {
      isClosed = true
    },
  }
  return { read: reader.read, isClosed: () => isClosed, open: async () => reader }
}

async function serve(options: Partial<SendDownloadOptions> = {}) {
  const memory = createTransferMemory({ totalBytes: 32 * mebibyte })
  const outcomes: Outcome[] = []
  const source = memorySource()
  const server = createServer((req, res) => {
    sendDownload({
      req,
      res,
      representation: {
        filename: 'x.bin',
        sizeBytes: content.length,
        etag: '"1"',
        lastModifiedAt: new Date(0),
        sha256: null,
      },
      preview: false,
      openSource: source.open,
      memory,
      ...options,
    }).then(
      (sent) => outcomes.push({ sent }),
      (failure: unknown) => {
        outcomes.push({ failure })
        if (!res.headersSent) res.writeHead(isAppError(failure) ? statusOf(failure) : 500).end()
      },
    )
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { port, memory, outcomes, source }
}

function ask(port: number, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<IncomingMessage>((resolve, reject) => {
    request({ port, host: '127.0.0.1', method, headers, agent: false }, resolve)
      .on('error', reject)
      .end()
  })
}

async function bodyOf(res: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of res) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

async function expectReleased({ memory }: { memory: ReturnType<typeof createTransferMemory> }) {
  expect(memory.streams).toBe(0)
  await vi.waitFor(() => expect(memory.inUseBytes).toBe(0))
}

describe('sendDownload', () => {
  test('sends every byte and gives everything back', async () => {
    const served = await serve()
    const res = await ask(served.port)
    expect(res.headers['content-length']).toBe(String(content.length))
    expect((await bodyOf(res)).equals(content)).toBe(true)
    await vi.waitFor(() => expect(served.outcomes).toHaveLength(1))
    expect(served.outcomes).toEqual([{ sent: { isComplete: true, sentBytes: content.length } }])
    expect(served.source.isClosed()).toBe(true)
    await expectReleased(served)
    expect(served.memory.pooledBytes).toBe(2 * mebibyte)
  })

  test('sends exactly the range asked for', async () => {
    const { port } = await serve()
    const res = await ask(port, { range: 'bytes=1048575-2097153' })
    expect(res.statusCode).toBe(206)
    expect((await bodyOf(res)).equals(content.subarray(1048575, 2097154))).toBe(true)
  })

  test('never mixes the bytes of streams that share the pool', async () => {
    const { port } = await serve()
    const spans = Array.from({ length: 20 }, (_, n) => n * 50_001)
    const bodies = await Promise.all(
      spans.map(async (start) => bodyOf(await ask(port, { range: `bytes=${start}-` }))),
    )
    for (const [index, body] of bodies.entries()) {
      expect(body.equals(content.subarray(spans[index]))).toBe(true)
    }
  })

  test('opens no object where no byte is asked for', async () => {
    const openSource = vi.fn<SendDownloadOptions['openSource']>()
    const { port } = await serve({ openSource })
    expect((await ask(port, {}, 'HEAD')).headers['content-length']).toBe(String(content.length))
    expect((await ask(port, { 'if-none-match': '"1"' })).statusCode).toBe(304)
    const refused = await ask(port, { range: 'bytes=99999999-' })
    expect(refused.statusCode).toBe(416)
    expect(refused.headers['content-range']).toBe(`bytes */${content.length}`)
    expect(openSource).not.toHaveBeenCalled()
  })

  test('leaves the response open to an error when the object cannot be opened', async () => {
    const openSource = () => Promise.reject(new Error('gone'))
    const served = await serve({ openSource })
    expect((await ask(served.port)).statusCode).toBe(500)
  })

  test('destroys the response when the source fails, so that no client takes it for complete', async () => {
    const source = memorySource(async (buffer, position) => {
      if (position > mebibyte) throw new Error('disk died')
      return content.copy(buffer, 0, position)
    })
    const served = await serve({ openSource: source.open })
    await expect(ask(served.port).then(bodyOf)).rejects.toMatchObject({ code: 'ECONNRESET' })
    await vi.waitFor(() => expect(served.outcomes).toHaveLength(1))
    expect(served.outcomes[0]).toMatchObject({ failure: { message: 'disk died' } })
    expect(source.isClosed()).toBe(true)
    await expectReleased(served)
  })

  test('destroys the response when the source ends early', async () => {
    const source = memorySource(async (buffer, position) =>
      position > mebibyte ? 0 : content.copy(buffer, 0, position),
    )
    const served = await serve({ openSource: source.open })
    await expect(ask(served.port).then(bodyOf)).rejects.toMatchObject({ code: 'ECONNRESET' })
    await vi.waitFor(() => expect(served.outcomes).toHaveLength(1))
    expect(served.outcomes[0]).toMatchObject({ failure: { code: 'internal' } })
  })

  test('stops reading promptly when the client goes away', async () => {
    let reads = 0
    const endless = memorySource(async (buffer) => {
      reads += 1
      return buffer.fill(1).length
    })
    const representation = {
      filename: 'x',
      sizeBytes: 2 ** 40,
      etag: '"1"',
      lastModifiedAt: new Date(0),
      sha256: null,
    }
    const served = await serve({ openSource: endless.open, representation })
    const res = await ask(served.port)
    await new Promise((resolve) => res.once('data', resolve))
    res.destroy()
    await vi.waitFor(() => expect(served.outcomes).toHaveLength(1))
    expect(served.outcomes[0]).toMatchObject({ sent: { isComplete: false } })
    expect(reads).toBeLessThan(500)
    expect(endless.isClosed()).toBe(true)
    await expectReleased(served)
  })

  test('gets every buffer back from clients that vanish at any moment', async () => {
    const served = await serve()
    const asking = Array.from({ length: 100 }, async (_, n) => {
      const res = await ask(served.port)
      res.on('error', () => undefined)
      let received = 0
      res.on('data', (chunk: Buffer) => {
        received += chunk.length
        if (received > n * 20_000) res.destroy()
      })
    })
    await Promise.all(asking)
    await vi.waitFor(() => expect(served.outcomes).toHaveLength(100), { timeout: 5_000 })
    await expectReleased(served)
  })

  test('gives up a pipelined response whose connection closes before its turn', async () => {
    const stuck = memorySource(async (buffer) => buffer.length)
    const representation = {
      filename: 'x',
      sizeBytes: 2 ** 40,
      etag: '"1"',
      lastModifiedAt: new Date(0),
      sha256: null,
    }
    const served = await serve({ openSource: stuck.open, representation })
    const socket = connect(served.port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2))
    await vi.waitFor(() => expect(served.memory.streams).toBe(2))
    socket.destroy()
    await vi.waitFor(() => expect(served.outcomes).toHaveLength(2))
    await expectReleased(served)
  })

  test('cuts off a client that takes nothing', async () => {
    const served = await serve({
      stallTimeoutMs: 50,
      openSource: memorySource(async (buffer) => buffer.length).open,
      representation: {
        filename: 'x',
        sizeBytes: 2 ** 40,
        etag: '"1"',
        lastModifiedAt: new Date(0),
        sha256: null,
      },
    })
    const res = await ask(served.port)
    res.on('error', () => undefined)
    res.pause()
    await vi.waitFor(() => expect(served.outcomes).toHaveLength(1), { timeout: 5_000 })
    expect(served.outcomes[0]).toMatchObject({ sent: { isComplete: false } })
    await expectReleased(served)
  })

  test('ends at once when called off', async () => {
    const stopping = new AbortController()
    const source = memorySource(async (buffer, position) => {
      if (position > mebibyte) stopping.abort()
      return content.copy(buffer, 0, position)
    })
    const served = await serve({ openSource: source.open, signal: stopping.signal })
    await expect(ask(served.port).then(bodyOf)).rejects.toMatchObject({ code: 'ECONNRESET' })
    await vi.waitFor(() => expect(served.outcomes).toHaveLength(1))
    expect(served.outcomes[0]).toMatchObject({ sent: { isComplete: false } })
    await expectReleased(served)
  })
})

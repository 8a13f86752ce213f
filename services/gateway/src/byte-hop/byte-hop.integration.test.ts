import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request, type RequestOptions } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import {
  eventually,
  type Rig,
  startGateway,
  startRawService,
  startService,
} from '../gateway-rig.ts'

const BIG_BYTES = 200 * 1024 * 1024
const PATH = '/api/uploads/x'
const paths = ['/api/uploads', '/api/shares/:shareId/files']
const block = randomBytes(1024 * 1024)

const closers: (() => Promise<void>)[] = []
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

afterEach(async () => {
  agent.destroy()
  for (const close of closers.splice(0).reverse()) await close()
})

async function throughHop(url: string, options: object = {}): Promise<Rig> {
  const rig = await startGateway({ upstreams: [{ name: 'file', paths, url }], ...options })
  closers.push(rig.close)
  return rig
}

async function hopTo(listener: Parameters<typeof startService>[0]) {
  const service = await startService(listener)
  closers.push(service.close)
  return { service, rig: await throughHop(service.url) }
}

/** A service that answers each connection's requests with these bytes, one after another. */
async function hopToRaw(answer: (socket: Socket, requestIndex: number) => void) {
  let connections = 0
  const service = await startRawService((socket) => {
    connections++
    let index = 0
    socket.on('error', () => undefined)
    socket.on('data', () => answer(socket, index++))
  })
  closers.push(service.close)
  return { rig: await throughHop(service.url), connections: () => connections }
}

interface Answer {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

async function send(
  rig: Rig,
  { body, ...options }: RequestOptions & { body?: Buffer | string } = {},
): Promise<Answer> {
  const req = request(rig.url + PATH, { agent, ...options })
  req.end(body)
  const [res] = (await once(req, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of res) chunks.push(chunk as Buffer)
  return { status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) }
}

async function hashOf(stream: IncomingMessage): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of stream) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

function bigHash(): string {
  const hash = createHash('sha256')
  for (let sent = 0; sent < BIG_BYTES; sent += block.length) hash.update(block)
  return hash.digest('hex')
}

describe('whole bodies', () => {
  test.each([['of known length'], ['in chunks']])(
    '200 MB %s arrive unchanged at the client',
    async (kind) => {
      const { rig } = await hopTo(async (_req, res) => {
        if (kind === 'of known length') res.setHeader('Content-Length', BIG_BYTES)
        for (let sent = 0; sent < BIG_BYTES; sent += block.length) {
          if (!res.write(block)) await once(res, 'drain')
        }
        res.end()
      })
      const req = request(rig.url + PATH).end()
      const [res] = (await once(req, 'response')) as [IncomingMessage]
      expect(await hashOf(res)).toBe(bigHash())
    },
  )

  test.each([['of known length'], ['in chunks']])(
    '200 MB %s arrive unchanged at the service',
    async (kind) => {
      const { rig } = await hopTo(async (req, res) => {
        res.end(JSON.stringify({ hash: await hashOf(req), headers: req.headers }))
      })
      const req = request(rig.url + PATH, { method: 'PATCH' })
      if (kind === 'of known length') req.setHeader('Content-Length', BIG_BYTES)
      for (let sent = 0; sent < BIG_BYTES; sent += block.length) {
        if (!req.write(block)) await once(req, 'drain')
      }
      req.end()
      const [res] = (await once(req, 'response')) as [IncomingMessage]
      const chunks: Buffer[] = []
      for await (const chunk of res) chunks.push(chunk as Buffer)
      const seen = JSON.parse(Buffer.concat(chunks).toString()) as { hash: string; headers: object }
      expect(seen.hash).toBe(bigHash())
      expect(seen.headers).not.toHaveProperty(
        kind === 'of known length' ? 'transfer-encoding' : 'content-length',
      )
    },
  )

  test('an answer that ends with its connection is passed on whole', async () => {
    const { rig } = await hopToRaw((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(100_000)}`),
    )
    expect((await send(rig)).body.length).toBe(100_000)
  })

  test('an answer that trickles in byte by byte is passed on as it comes', async () => {
    const text = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'
    const { rig } = await hopToRaw(async (socket) => {
      socket.setNoDelay(true)
      for (const byte of text) {
        socket.write(byte)
        await new Promise((resolve) => setImmediate(resolve))
      }
    })
    expect((await send(rig)).body.toString()).toBe('hello')
  })
})

describe('heads', () => {
  test('status, repeated fields, ranges and HEAD pass; fields of the connection do not', async () => {
    const { rig } = await hopTo((req, res) => {
      res.writeHead(req.method === 'HEAD' ? 200 : 206, {
        'Content-Length': 10,
        'Content-Range': `seen ${req.headers.range}`,
        'Set-Cookie': ['a=1', 'b=2'],
        'Keep-Alive': 'timeout=3',
        'X-Private': '1',
        Connection: 'keep-alive, X-Private',
        ETag: '"e"',
      })
      res.end(req.method === 'HEAD' ? undefined : '0123456789')
    })
    const part = await send(rig, { headers: { Range: 'bytes=0-9' } })
    expect(part.status).toBe(206)
    expect(part.body.toString()).toBe('0123456789')
    expect(part.headers['content-range']).toBe('seen bytes=0-9')
    expect(part.headers['set-cookie']).toEqual(['a=1', 'b=2'])
    expect(part.headers).not.toHaveProperty('x-private')
    expect(part.headers['keep-alive']).not.toBe('timeout=3')
    const head = await send(rig, { method: 'HEAD' })
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '10', 0])
  })

  test("the service's own content policy stands", async () => {
    const { rig } = await hopTo((_req, res) => {
      res.setHeader('Content-Security-Policy', 'sandbox')
      res.end('x')
    })
    expect((await send(rig)).headers['content-security-policy']).toBe('sandbox')
  })

  test('a service sees the public path, its own host and one trusted origin', async () => {
    const { rig } = await hopTo((req, res) =>
      res.end(JSON.stringify({ ...req.headers, url: req.url })),
    )
    const { body } = await send(rig, {
      path: `${PATH}?a=%20b`,
      headers: {
        'X-Forwarded-For': '6.6.6.6',
        'X-Forwarded-Host': 'evil.example',
        'X-Forwarded-Prefix': '/evil',
        'X-Real-IP': '6.6.6.6',
        Forwarded: 'for=6.6.6.6',
        'X-Internal-Secret': 'guess',
        'X-Request-Id': 'chosen-by-client',
        'Upload-Offset': '7',
        'X-Dropped': '1',
        Connection: 'keep-alive, X-Dropped, X-Forwarded-For',
        Host: 'files.example.com',
      },
    })
    const seen = JSON.parse(body.toString()) as Record<string, string>
    expect(seen).toMatchObject({
      url: `${PATH}?a=%20b`,
      'upload-offset': '7',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'files.example.com',
      'x-forwarded-proto': 'http',
    })
    expect(seen['host']).toMatch(/^127\.0\.0\.1:\d+$/)
    expect(seen['x-request-id']).toMatch(/^[\da-f-]{36}$/)
    for (const name of [
      'x-real-ip',
      'forwarded',
      'x-internal-secret',
      'x-dropped',
      'x-forwarded-prefix',
    ]) {
      expect(seen).not.toHaveProperty(name)
    }
  })

  test('early hints are skipped', async () => {
    const { rig } = await hopToRaw((socket) =>
      socket.write(
        'HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
      ),
    )
    expect((await send(rig)).body.toString()).toBe('ok')
  })
})

describe('connections to the service', () => {
  const answers: Record<string, string> = {
    'a length': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
    chunks: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    'status 204': 'HTTP/1.1 204 No Content\r\n\r\n',
    'status 304': 'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\nContent-Length: 9\r\n\r\n',
    'an empty body': 'HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n',
    'a large body': `HTTP/1.1 200 OK\r\nContent-Length: 500000\r\n\r\n${'y'.repeat(500_000)}`,
  }

  test.each(Object.keys(answers))('are used again after an answer with %s', async (kind) => {
    const { rig, connections } = await hopToRaw((socket) => socket.write(answers[kind] ?? ''))
    for (let i = 0; i < 5; i++) expect((await send(rig)).status).toBeLessThan(305)
    expect(connections()).toBe(1)
  })

  test('are used again after HEAD and after an upload', async () => {
    let connections = 0
    const { rig, service } = await hopTo((req, res) => {
      req.resume()
      req.on('end', () => res.writeHead(200, { 'Content-Length': 0 }).end())
    })
    service.server.on('connection', () => connections++)
    for (let i = 0; i < 3; i++) {
      await send(rig, { method: 'HEAD' })
      await send(rig, { method: 'PATCH', body: block })
    }
    expect(connections).toBe(1)
  })

  test('are not used again once the answer says so', async () => {
    const { rig, connections } = await hopToRaw((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'),
    )
    await send(rig)
    await send(rig)
    expect(connections()).toBe(2)
  })

  test('that close as they are used again cost a reading client nothing', async () => {
    const { rig, connections } = await hopToRaw((socket, index) => {
      if (index === 0) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      else socket.destroy()
    })
    for (let i = 0; i < 4; i++) expect((await send(rig)).body.toString()).toBe('ok')
    expect(connections()).toBe(4)
  })

  test('that close as they are used again never send a change twice', async () => {
    let patches = 0
    const { rig } = await hopToRaw((socket, index) => {
      if (index === 0) {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      } else {
        patches++
        socket.destroy()
      }
    })
    await send(rig)
    expect((await send(rig, { method: 'PATCH', body: 'x' })).status).toBe(502)
    expect(patches).toBe(1)
  })

  test('carry one answer each: surplus bytes never become the next answer', async () => {
    const { rig, connections } = await hopToRaw((socket) =>
      socket.write(
        'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil',
      ),
    )
    expect((await send(rig)).body.toString()).toBe('ok')
    expect((await send(rig)).body.toString()).toBe('ok')
    expect(connections()).toBe(2)
  })
})

describe('what goes wrong', () => {
  test('an unreachable service answers 502 with its code and without its address', async () => {
    const rig = await throughHop('http://127.0.0.1:1')
    const { status, body, headers } = await send(rig, { method: 'PATCH', body: block })
    expect(status).toBe(502)
    expect(JSON.parse(body.toString())).toMatchObject({ code: 'upstream_unavailable' })
    expect(headers['x-error-code']).toBe('upstream_unavailable')
    expect(body.toString()).not.toContain('127.0.0.1')
  })

  test.each([
    [
      'both lengths',
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['no HTTP', 'hello\r\n\r\n'],
    ['an upgrade nobody asked for', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['nothing', ''],
  ])('an answer with %s is 502', async (_what, text) => {
    const { rig } = await hopToRaw((socket) => socket.end(text))
    expect((await send(rig)).status).toBe(502)
  })

  test.each([
    ['of known length', 'HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n', 'x'.repeat(300_000)],
    ['in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '5\r\nhello\r\n'],
    [
      'in broken chunks',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
      '5\r\nhello\r\nzz\r\n',
    ],
  ])('a service that dies in a body %s breaks the answer off', async (_kind, head, part) => {
    const { rig } = await hopToRaw((socket) => {
      socket.write(head + part)
      setTimeout(() => socket.destroy(), 20)
    })
    await expect(send(rig)).rejects.toThrow(/aborted|hang up|ECONNRESET/)
  })

  test('a client that leaves an upload closes it at the service at once', async () => {
    let seenBytes = 0
    let abortedAt = 0
    const { rig } = await hopTo((req) => {
      req.on('data', (chunk: Buffer) => (seenBytes += chunk.length))
      req.on('error', () => undefined)
      req.on('close', () => (abortedAt = performance.now()))
    })
    const req = request(rig.url + PATH, {
      method: 'PATCH',
      headers: { 'Content-Length': 10_000_000 },
    })
    req.on('error', () => undefined)
    req.write(block)
    await eventually(() => seenBytes === block.length)
    const leftAt = performance.now()
    req.socket?.resetAndDestroy()
    await eventually(() => abortedAt > 0)
    expect(abortedAt - leftAt).toBeLessThan(50)
  })

  test('a client that leaves a download closes it at the service', async () => {
    let isClosed = false
    const { rig } = await hopTo((_req, res) => {
      res.on('close', () => (isClosed = true))
      const more = () => {
        while (!res.destroyed && res.write(block));
      }
      res.on('drain', more)
      more()
    })
    const req = request(rig.url + PATH).end()
    req.on('error', () => undefined)
    const [res] = (await once(req, 'response')) as [IncomingMessage]
    res.on('error', () => undefined)
    await once(res, 'data')
    req.destroy()
    await eventually(() => isClosed)
  })

  test('a slow reader stops the service instead of filling the memory', async () => {
    let writtenBytes = 0
    const { rig } = await hopTo((_req, res) => {
      const more = () => {
        while (!res.destroyed && writtenBytes < BIG_BYTES) {
          writtenBytes += block.length
          if (!res.write(block)) return
        }
        res.end()
      }
      res.on('drain', more)
      more()
    })
    const req = request(rig.url + PATH).end()
    const [res] = (await once(req, 'response')) as [IncomingMessage]
    res.pause()
    let last = -1
    await eventually(() => {
      const isStill = last === writtenBytes && writtenBytes > 0
      last = writtenBytes
      return isStill
    })
    await new Promise((resolve) => setTimeout(resolve, 300))
    // Kernel buffers of four sockets and three of ours; far from the whole body.
    expect(writtenBytes).toBeLessThan(BIG_BYTES / 4)
    let readBytes = 0
    for await (const chunk of res) readBytes += (chunk as Buffer).length
    expect(readBytes).toBe(BIG_BYTES)
  })

  test('a slow service stops the client instead of filling the memory', async () => {
    const { rig } = await hopTo((req) => req.pause())
    const req = request(rig.url + PATH, {
      method: 'PATCH',
      headers: { 'Content-Length': BIG_BYTES },
    })
    req.on('error', () => undefined)
    let sentBytes = 0
    await new Promise<void>((resolve) => {
      const more = () => {
        while (sentBytes < BIG_BYTES) {
          sentBytes += block.length
          const timer = setTimeout(resolve, 500)
          if (!req.write(block, () => clearTimeout(timer))) return
        }
      }
      req.on('drain', more)
      more()
    })
    expect(sentBytes).toBeLessThan(BIG_BYTES / 4)
    req.destroy()
  })
})

describe('an answer ahead of the body', () => {
  test.each([
    ['that keeps its connection', {}],
    ['that closes its connection', { Connection: 'close' }],
  ])('reaches the client, from a service %s', async (_kind, headers: Record<string, string>) => {
    const { rig } = await hopTo((_req, res) => {
      res.writeHead(409, { 'Content-Length': 12, ...headers }).end('{"code":"x"}')
    })
    for (const connection of ['keep-alive', 'close']) {
      // A client that reads nothing before all is sent, as browsers do.
      const socket = connect(rig.port, '127.0.0.1').pause()
      socket.write(
        `PATCH ${PATH} HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n` +
          `Content-Length: ${50 * block.length}\r\n\r\n`,
      )
      for (let i = 0; i < 50; i++) if (!socket.write(block)) await once(socket, 'drain')
      let answer = ''
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString())).resume()
      await eventually(() => answer.endsWith('{"code":"x"}'))
      expect(answer).toMatch(/^HTTP\/1\.1 409 /)
      socket.destroy()
    }
  })

  test('is whole before the client has sent the rest', async () => {
    const { rig } = await hopTo((_req, res) =>
      res.writeHead(413, { 'Content-Length': 2 }).end('no'),
    )
    const req = request(rig.url + PATH, {
      method: 'PATCH',
      headers: { 'Content-Length': 1_000_000 },
    })
    req.on('error', () => undefined)
    req.write('begin')
    const [res] = (await once(req, 'response')) as [IncomingMessage]
    const [body] = (await once(res, 'data')) as [Buffer]
    expect([res.statusCode, body.toString()]).toEqual([413, 'no'])
    req.destroy()
  })

  test('leaves the client connection usable', async () => {
    const { rig } = await hopTo((req, res) => {
      if (req.method === 'PATCH') res.writeHead(413, { 'Content-Length': 2 }).end('no')
      else res.end('ok')
    })
    expect((await send(rig, { method: 'PATCH', body: Buffer.alloc(3_000_000) })).status).toBe(413)
    expect((await send(rig)).body.toString()).toBe('ok')
  })
})

describe('Expect: 100-continue', () => {
  test('a service that refuses is heard before any of the body is sent', async () => {
    const { rig, service } = await hopTo((_req, res) => res.end())
    service.server.on('checkContinue', (_req, res) => res.writeHead(413).end('too large'))
    const req = request(rig.url + PATH, {
      method: 'PATCH',
      headers: { Expect: '100-continue', 'Content-Length': BIG_BYTES },
    })
    let isInvited = false
    req.on('continue', () => (isInvited = true))
    req.on('error', () => undefined)
    req.flushHeaders()
    const [res] = (await once(req, 'response')) as [IncomingMessage]
    expect([res.statusCode, isInvited]).toEqual([413, false])
    req.destroy()
  })

  test('a service that agrees gets the body', async () => {
    const { rig } = await hopTo(async (req, res) => res.end(await hashOf(req)))
    const req = request(rig.url + PATH, {
      method: 'PATCH',
      headers: { Expect: '100-continue', 'Content-Length': block.length },
    })
    req.flushHeaders()
    await once(req, 'continue')
    req.end(block)
    const [res] = (await once(req, 'response')) as [IncomingMessage]
    const [body] = (await once(res, 'data')) as [Buffer]
    expect(body.toString()).toBe(createHash('sha256').update(block).digest('hex'))
  })
})

describe('smuggling', () => {
  const head = `PATCH ${PATH} HTTP/1.1\r\nHost: x\r\n`

  test.each([
    ['both lengths', `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['two lengths', `${head}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`],
    ['a list of lengths', `${head}Content-Length: 5, 5\r\n\r\nhello`],
    ['a signed length', `${head}Content-Length: +5\r\n\r\nhello`],
    ['another coding', `${head}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['a coding after chunked', `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ['a folded field', `${head}X: a\r\n Content-Length: 5\r\n\r\nhello`],
  ])('a request with %s never reaches the service', async (_what, text) => {
    let requests = 0
    const { rig } = await hopTo((_req, res) => {
      requests++
      res.end()
    })
    const socket = connect(rig.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(text)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /)
    expect(requests).toBe(0)
  })

  test('a chunked body is framed anew, whatever its extensions and trailers', async () => {
    const { rig } = await hopTo(async (req, res) => {
      const hash = await hashOf(req)
      res.end(JSON.stringify({ hash, trailers: req.trailers }))
    })
    const socket = connect(rig.port, '127.0.0.1')
    socket.write(`${head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n`)
    socket.write('5;x=y\r\nhello\r\n0\r\nX-Trailer: 9\r\n\r\n')
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk as Buffer)
    const answer = Buffer.concat(chunks).toString()
    expect(answer).toContain(createHash('sha256').update('hello').digest('hex'))
    expect(answer).toContain('"trailers":{}')
  })
})

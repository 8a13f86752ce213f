import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { BIG_BYTES, bigHash, block, createProxyRig, hashOf, PATH, readAll } from './proxy-rig.ts'

const { proxyTo, proxyToRaw, send, close } = createProxyRig()
afterEach(close)

describe('whole bodies', () => {
  test.each([['of known length'], ['in chunks']])(
    '200 MB %s arrive unchanged at the client',
    async (kind) => {
      const { rig } = await proxyTo(async (_req, res) => {
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
      const { rig } = await proxyTo(async (req, res) => {
        res.end(JSON.stringify({ hash: await hashOf(req), headers: req.headers }))
      })
      const req = request(rig.url + PATH, { method: 'PATCH' })
      if (kind === 'of known length') req.setHeader('Content-Length', BIG_BYTES)
      for (let sent = 0; sent < BIG_BYTES; sent += block.length) {
        if (!req.write(block)) await once(req, 'drain')
      }
      req.end()
      const [res] = (await once(req, 'response')) as [IncomingMessage]
      const all = await readAll(res)
      const seen = JSON.parse(all.toString()) as { hash: string; headers: object }
      expect(seen.hash).toBe(bigHash())
      expect(seen.headers).not.toHaveProperty(
        kind === 'of known length' ? 'transfer-encoding' : 'content-length',
      )
    },
  )

  test('a response that ends with its connection is passed on whole', async () => {
    const { rig } = await proxyToRaw((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(100_000)}`),
    )
    expect((await send(rig)).body.length).toBe(100_000)
  })

  test('a response that trickles in byte by byte is passed on as it comes', async () => {
    const text = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'
    const { rig } = await proxyToRaw(async (socket) => {
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
    const { rig } = await proxyTo((req, res) => {
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
    const { rig } = await proxyTo((_req, res) => {
      res.setHeader('Content-Security-Policy', 'sandbox')
      res.end('x')
    })
    expect((await send(rig)).headers['content-security-policy']).toBe('sandbox')
  })

  test('a service sees the public path, its own host and one trusted origin', async () => {
    const { rig } = await proxyTo((req, res) =>
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
    const { rig } = await proxyToRaw((socket) =>
      socket.write(
        'HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
      ),
    )
    expect((await send(rig)).body.toString()).toBe('ok')
  })
})

describe('connections to the service', () => {
  const responses: Record<string, string> = {
    'a length': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
    chunks: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    'status 204': 'HTTP/1.1 204 No Content\r\n\r\n',
    'status 304': 'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\nContent-Length: 9\r\n\r\n',
    'an empty body': 'HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n',
    'a large body': `HTTP/1.1 200 OK\r\nContent-Length: 500000\r\n\r\n${'y'.repeat(500_000)}`,
  }

  test.each(Object.keys(responses))('are used again after a response with %s', async (kind) => {
    const { rig, connections } = await proxyToRaw((socket) => socket.write(responses[kind] ?? ''))
    for (let i = 0; i < 5; i++) expect((await send(rig)).status).toBeLessThan(305)
    expect(connections()).toBe(1)
  })

  test('are used again after HEAD and after an upload', async () => {
    let connections = 0
    const { rig, service } = await proxyTo((req, res) => {
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

  test('are not used again once the response says so', async () => {
    const { rig, connections } = await proxyToRaw((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'),
    )
    await send(rig)
    await send(rig)
    expect(connections()).toBe(2)
  })

  test('that close as they are used again cost a reading client nothing', async () => {
    const { rig, connections } = await proxyToRaw((socket, index) => {
      if (index === 0) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      else socket.destroy()
    })
    for (let i = 0; i < 4; i++) expect((await send(rig)).body.toString()).toBe('ok')
    expect(connections()).toBe(4)
  })

  test('that close as they are used again never send a change twice', async () => {
    let patches = 0
    const { rig } = await proxyToRaw((socket, index) => {
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

  test('carry one response each: surplus bytes never become the next response', async () => {
    const { rig, connections } = await proxyToRaw((socket) =>
      socket.write(
        'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil',
      ),
    )
    expect((await send(rig)).body.toString()).toBe('ok')
    expect((await send(rig)).body.toString()).toBe('ok')
    expect(connections()).toBe(2)
  })
})

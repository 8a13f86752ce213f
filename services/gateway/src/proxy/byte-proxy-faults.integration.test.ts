import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { eventually } from '../testing/gateway-rig.ts'
import { BIG_BYTES, block, createProxyRig, hashOf, PATH, readAll } from './proxy-rig.ts'

const { throughProxy, proxyTo, proxyToRaw, send, close } = createProxyRig()
afterEach(close)

describe('what goes wrong', () => {
  test('an unreachable service returns 502 with its code and without its address', async () => {
    const rig = await throughProxy('http://127.0.0.1:1')
    const { status, body, headers } = await send(rig, { method: 'PATCH', body: block })
    expect(status).toBe(502)
    expect(JSON.parse(body.toString())).toMatchObject({ code: 'upstream_unavailable' })
    expect(headers['x-error-code']).toBe('upstream_unavailable')
    expect(headers['retry-after']).toBe('1')
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
  ])('a response with %s is 502', async (_what, text) => {
    const { rig } = await proxyToRaw((socket) => socket.end(text))
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
  ])('a service that dies in a body %s breaks the response off', async (_kind, head, part) => {
    const { rig } = await proxyToRaw((socket) => {
      socket.write(head + part, () => socket.destroy())
    })
    await expect(send(rig)).rejects.toThrow(/aborted|hang up|ECONNRESET/)
  })

  test('a download whose service dies before it responds is asked of another', async () => {
    let asked = 0
    const { rig, connections } = await proxyToRaw((socket) => {
      asked += 1
      if (asked < 3) socket.resetAndDestroy()
      else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    })
    expect((await send(rig)).body.toString()).toBe('ok')
    expect(connections()).toBe(3)
  })

  test('an upload that nobody took a byte of is sent to who comes back', async () => {
    const late = createServer((req, res) => {
      req.resume().on('end', () => res.writeHead(204).end())
    })
    await once(late.listen(0, '127.0.0.1'), 'listening')
    const { port } = late.address() as AddressInfo
    await new Promise((resolve) => late.close(resolve))
    const rig = await throughProxy(`http://127.0.0.1:${port}`)
    const responded = send(rig, { method: 'PATCH', body: block })
    // It is tried at once, once more, and after a moment.
    await once(late.listen(port, '127.0.0.1'), 'listening')
    expect((await responded).status).toBe(204)
    late.closeAllConnections()
    late.close()
  })

  test('a client that leaves an upload closes it at the service at once', async () => {
    let seenBytes = 0
    let abortedAt = 0
    const { rig } = await proxyTo((req) => {
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

  test.each([1, 2, 3, 4, 5, 6])(
    'all %i MiB that came from a client that leaves reach a service that is late to read',
    async (sentBlocks) => {
      let seenBytes = 0
      let isClosed = false
      let read: () => void = () => undefined
      const { rig } = await proxyTo((req) => {
        req.on('error', () => undefined)
        req.on('close', () => (isClosed = true))
        read = () => req.on('data', (chunk: Buffer) => (seenBytes += chunk.length))
      })
      const socket = connect(rig.port, '127.0.0.1')
      const declaredBytes = (sentBlocks + 1) * block.length
      socket.write(`PATCH ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: ${declaredBytes}\r\n\r\n`)
      for (let i = 0; i < sentBlocks; i++) socket.write(block)
      socket.end()
      await standsStill(() => socket.bytesWritten - socket.writableLength)
      read()
      await eventually(() => isClosed)
      expect(seenBytes).toBe(sentBlocks * block.length)
    },
  )

  test('a client that leaves a download closes it at the service', async () => {
    let isClosed = false
    const { rig } = await proxyTo((_req, res) => {
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
    const { rig } = await proxyTo((_req, res) => {
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
    await standsStill(() => writtenBytes)
    // Kernel buffers of four sockets and three of ours; far from the whole body.
    expect(writtenBytes).toBeLessThan(BIG_BYTES / 4)
    let readBytes = 0
    for await (const chunk of res) readBytes += (chunk as Buffer).length
    expect(readBytes).toBe(BIG_BYTES)
  })

  test('a slow service stops the client instead of filling the memory', async () => {
    const { rig } = await proxyTo((req) => req.pause())
    const req = request(rig.url + PATH, {
      method: 'PATCH',
      headers: { 'Content-Length': BIG_BYTES },
    })
    req.on('error', () => undefined)
    let sentBytes = 0
    const more = () => {
      while (sentBytes < BIG_BYTES) {
        sentBytes += block.length
        if (!req.write(block)) return
      }
    }
    req.on('drain', more)
    more()
    await standsStill(() => sentBytes)
    expect(sentBytes).toBeLessThan(BIG_BYTES / 4)
    req.destroy()
  })
})

describe('a response ahead of the body', () => {
  test.each([
    ['that keeps its connection', {}],
    ['that closes its connection', { Connection: 'close' }],
  ])('reaches the client, from a service %s', async (_kind, headers: Record<string, string>) => {
    const { rig } = await proxyTo((_req, res) => {
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
      let response = ''
      socket.on('data', (chunk: Buffer) => (response += chunk.toString())).resume()
      await eventually(() => response.endsWith('{"code":"x"}'))
      expect(response).toMatch(/^HTTP\/1\.1 409 /)
      socket.destroy()
    }
  })

  test('is whole before the client has sent the rest', async () => {
    const { rig } = await proxyTo((_req, res) =>
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
    const { rig } = await proxyTo((req, res) => {
      if (req.method === 'PATCH') res.writeHead(413, { 'Content-Length': 2 }).end('no')
      else res.end('ok')
    })
    expect((await send(rig, { method: 'PATCH', body: Buffer.alloc(3_000_000) })).status).toBe(413)
    expect((await send(rig)).body.toString()).toBe('ok')
  })
})

describe('Expect: 100-continue', () => {
  test('a service that refuses is heard before any of the body is sent', async () => {
    const { rig, service } = await proxyTo((_req, res) => res.end())
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
    const { rig } = await proxyTo(async (req, res) => res.end(await hashOf(req)))
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
    const { rig } = await proxyTo((_req, res) => {
      requests++
      res.end()
    })
    const socket = connect(rig.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(text)
    const [response] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    expect(response.toString()).toMatch(/^HTTP\/1\.1 400 /)
    expect(requests).toBe(0)
  })

  test('a chunked body is framed anew, whatever its extensions and trailers', async () => {
    const { rig } = await proxyTo(async (req, res) => {
      const hash = await hashOf(req)
      res.end(JSON.stringify({ hash, trailers: req.trailers }))
    })
    const socket = connect(rig.port, '127.0.0.1')
    socket.write(`${head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n`)
    socket.write('5;x=y\r\nhello\r\n0\r\nX-Trailer: 9\r\n\r\n')
    const all = await readAll(socket)
    const response = all.toString()
    expect(response).toContain(createHash('sha256').update('hello').digest('hex'))
    expect(response).toContain('"trailers":{}')
  })
})

/** Waits until a count that has begun to grow no longer does. */
async function standsStill(count: () => number): Promise<void> {
  let last = 0
  let since = performance.now()
  await eventually(() => {
    if (count() !== last) {
      last = count()
      since = performance.now()
    }
    return last > 0 && performance.now() - since > 300
  }, 20_000)
}

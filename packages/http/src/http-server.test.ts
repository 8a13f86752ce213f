import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import express from 'express'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { errorHandler, refuseDoubtful } from './error-response.ts'
import { createHttpServer, type HttpServerOptions } from './http-server.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** Raw connections to a server whose application refuses what is doubtful, and its requests. */
async function serve(handle: RequestListener, options?: HttpServerOptions) {
  const taken: string[] = []
  const app = express()
  app.use(refuseDoubtful())
  app.use((req, res) => {
    taken.push(`${req.method} ${req.url}`)
    handle(req, res)
  })
  app.use(errorHandler({ error: () => undefined }))
  const server = createHttpServer({ onRequest: app }, options)
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    closers.push(() => socket.destroy())
    return socket
  }
  return { taken, open, server }
}

/** All that the server sends until it closes the connection. */
async function exchange(socket: Socket, bytes: string | Buffer): Promise<string> {
  socket.on('error', () => undefined)
  socket.write(bytes)
  return text(socket)
}

function responses(received: string): string[] {
  return received.match(/HTTP\/1\.1 \d{3}/g)?.map((line) => line.slice(-3)) ?? []
}

const respond: RequestListener = (_req, res) => res.end('here')

describe('a request whose end is in doubt', () => {
  test.each([
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello'],
    ['a length and a coding', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a coding that is not chunked', 'Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    ['chunked twice', 'Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n'],
    [
      'the coding in two lines',
      'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a length with a sign', 'Content-Length: +5\r\n\r\nhello'],
    ['a length that is a list', 'Content-Length: 5, 5\r\n\r\nhello'],
    ['two hosts', 'Host: b.test\r\nContent-Length: 0\r\n\r\n'],
  ])('is refused with its connection: %s', async (_what, rest) => {
    const { open, taken } = await serve(respond)
    const head = 'POST /one HTTP/1.1\r\nHost: a.test\r\n'
    const received = await exchange(
      await open(),
      `${head}${rest}GET /two HTTP/1.1\r\nHost: a\r\n\r\n`,
    )
    expect(responses(received)).toEqual(['400'])
    expect(received).toMatch(/^connection: close\r$/im)
    expect(taken).toEqual([])
  })

  test('is refused where HTTP/1.0 knows no coding', async () => {
    const { open, taken } = await serve(respond)
    const head = 'POST /one HTTP/1.0\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n'
    expect(responses(await exchange(await open(), `${head}0\r\n\r\n`))).toEqual(['400'])
    expect(taken).toEqual([])
  })

  test('is refused without a host', async () => {
    const { open, taken } = await serve(respond)
    const bytes = 'GET /one HTTP/1.1\r\n\r\nGET /two HTTP/1.1\r\nHost: a\r\n\r\n'
    expect(responses(await exchange(await open(), bytes))).toEqual(['400'])
    expect(taken).toEqual([])
  })
})

describe('an expectation other than 100-continue', () => {
  const inner = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n'
  const sizes = [0, 1_000, 70_000, 10_000_000]
  const cases = ['foo', '', 'foo, 100-continue'].flatMap((expectation) =>
    sizes.map((sizeBytes): [string, number] => [expectation, sizeBytes]),
  )
  test.each(cases)(
    '"%s" gets one 417, and nothing after it is taken: %d bytes',
    async (value, sizeBytes) => {
      const { open, taken } = await serve(respond)
      const head = `POST /one HTTP/1.1\r\nHost: a\r\nExpect: ${value}\r\nContent-Length: ${sizeBytes}\r\n\r\n`
      const body = inner.repeat(Math.ceil(sizeBytes / inner.length)).slice(0, sizeBytes)
      const received = await exchange(await open(), `${head}${body}${inner}`)
      expect(responses(received)).toEqual(['417'])
      expect(received).toContain('expectation_failed')
      expect(taken).toEqual([])
    },
  )

  test('closes the connection of who waits with the body', async () => {
    const { open } = await serve(respond)
    const head = 'POST /one HTTP/1.1\r\nHost: a\r\nExpect: foo\r\nContent-Length: 70000\r\n\r\n'
    expect(responses(await exchange(await open(), head))).toEqual(['417'])
  })
})

test('a request without a head is refused, and its sender sees that', async () => {
  const { open } = await serve(respond)
  const received = await exchange(await open(), Buffer.alloc(4_000_000, 'nonsense\r\n\r\n'))
  expect(responses(received)).toEqual(['400'])
})

test('a body that breaks off is refused in place of the response that it stopped', async () => {
  const { open } = await serve((req) => req.resume())
  const head = 'POST /one HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
  expect(responses(await exchange(await open(), `${head}5\r\nhelloXX`))).toEqual(['400'])
})

describe('pipelined requests', () => {
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
  const last = 'GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
  const paths = Array.from({ length: 1_000 }, (_, index) => `/${index}`)

  test('are taken sixteen at a time, in order, and all get their response', async () => {
    const waiting: ServerResponse[] = []
    const { open, taken } = await serve((_req, res) => waiting.push(res))
    const socket = await open()
    let received = ''
    socket.on('data', (bytes) => (received += String(bytes)))
    socket.write(paths.map(get).join(''))
    await vi.waitUntil(() => taken.length === 16)
    let responded = 0
    while (responded < paths.length) {
      expect(taken.length - responded).toBeLessThanOrEqual(16)
      const res = waiting.shift()
      if (res) {
        res.end(`[${responded}]`)
        responded += 1
      }
      await new Promise(setImmediate)
    }
    expect(taken).toEqual(paths.map((path) => `GET ${path}`))
    await vi.waitUntil(() => received.endsWith('[999]\r\n0\r\n\r\n') || received.endsWith('[999]'))
    expect(received.match(/\[\d+\]/g)).toEqual(paths.map((_, index) => `[${index}]`))
  })

  test('that wait for leave to send a body get it in their turn', async () => {
    const { open } = await serve((_req, res) => setImmediate(() => res.end('here')))
    const socket = await open()
    const expecting =
      'POST /two HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx'
    const received = await exchange(socket, get('/one') + expecting + last)
    expect(responses(received)).toEqual(['200', '100', '200', '200'])
  })

  test('behind one that asks for another protocol are not taken', async () => {
    const { open, taken } = await serve(respond)
    const upgrading = 'GET /one HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n'
    expect(responses(await exchange(await open(), upgrading + last))).toEqual(['200'])
    expect(taken).toEqual(['GET /one'])
  })

  test('whose body breaks off leave those before them their responses', async () => {
    const { open } = await serve((_req, res) => setImmediate(() => res.end('here')))
    const expecting = 'POST /two HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n'
    const broken = `${expecting}Transfer-Encoding: chunked\r\n\r\n5\r\nhelloXX`
    expect(responses(await exchange(await open(), get('/one') + broken))).toEqual(['200'])
  })

  test('of many who do not read are cut off, and others are not', async () => {
    const { open } = await serve((_req, res) => res.write(Buffer.alloc(8_000_000)))
    const flood = paths.map(get).join('')
    const floods = await Promise.all(Array.from({ length: 8 }, open))
    const ended = floods.map((socket) => {
      socket.on('error', () => undefined)
      socket.pause()
      socket.write(flood)
      return once(socket, 'close')
    })
    for (const socket of floods) socket.resume()
    await Promise.race(ended)
    const other = await open()
    other.write(get('/other'))
    await once(other, 'data')
  })

  test('that have a body get it although the connection was not read from', async () => {
    const bodies: string[] = []
    const waiting: ServerResponse[] = []
    const { open } = await serve((req, res) => {
      waiting.push(res)
      void text(req).then((body) => bodies.push(body))
    })
    const socket = await open()
    const body = 'x'.repeat(200_000)
    const post = `POST /last HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    socket.write(paths.slice(0, 20).map(get).join('') + post)
    await vi.waitUntil(() => {
      waiting.shift()?.end()
      return bodies.length === 21
    })
    expect(bodies.at(-1)).toBe(body)
  })

  test('whose connection closes are told so, each once', async () => {
    const closed: string[] = []
    const { open, taken } = await serve((req, res) => {
      res.once('close', () => closed.push(req.url ?? ''))
      // More than is on its way, so that the server is still writing.
      res.write(Buffer.alloc(8_000_000))
    })
    const socket = await open()
    socket.write(paths.map(get).join(''))
    await vi.waitUntil(() => taken.length === 16)
    socket.destroy()
    await vi.waitUntil(() => closed.length === 16)
    expect(new Set(closed).size).toBe(16)
    expect(taken).toHaveLength(16)
  })
})

test('a response ahead of its body leaves the connection usable once the body has come', async () => {
  const { open, taken } = await serve(respond)
  const socket = await open()
  socket.write('POST /one HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n')
  await once(socket, 'data')
  socket.write('0123456789GET /two HTTP/1.1\r\nHost: a\r\n\r\n')
  await vi.waitUntil(() => taken.length === 2)
})

test('closes connections above the most', async () => {
  const { open, server } = await serve(respond, { maxConnections: 2 })
  const kept = [await open(), await open()]
  const dropped = once(server, 'drop')
  const third = await open()
  await Promise.all([dropped, once(third, 'close')])
  expect(kept.some(({ destroyed }) => destroyed)).toBe(false)
})

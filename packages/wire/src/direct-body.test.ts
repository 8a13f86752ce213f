import { once } from 'node:events'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createDirectServer, type DirectBody, directBodyOf } from './direct-body.ts'

const LONG_BYTES = 1_000_000

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function listen(listener?: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createDirectServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { server, port: (server.address() as AddressInfo).port }
}

interface Client {
  socket: Socket
  /** All that was received so far contains so many answers. */
  answers(count: number): Promise<string>
}

async function dial(port: number): Promise<Client> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  let text = ''
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part
    socket.emit('said')
  })
  const answers = async (count: number) => {
    while (text.split('HTTP/1.1 ').length <= count) await once(socket, 'said')
    return text
  }
  return { socket, answers }
}

function makeBody(bytes = LONG_BYTES): Buffer {
  return Buffer.from(Uint8Array.from({ length: bytes }, (_, index) => (index * 31 + 7) % 251))
}

function head(body: Buffer, ...lines: string[]): string {
  const all = ['PATCH /a HTTP/1.1', 'Host: x', `Content-Length: ${body.length}`, ...lines]
  return [...all, '', ''].join('\r\n')
}

interface Received {
  bytes: Buffer
  end: 'complete' | 'cut'
}

/** Reads a body into one piece of memory; `most` bytes of it at a time when that is given. */
function receive(body: DirectBody, most = Infinity): Promise<Received> {
  const memory = Buffer.alloc(body.sizeBytes)
  let at = 0
  return new Promise((resolve) => {
    body.start({
      room: () => memory.subarray(at, Math.min(memory.length, at + most)),
      placed: (byteCount) => {
        at += byteCount
      },
      ended: (end) => resolve({ bytes: memory.subarray(0, at), end }),
    })
  })
}

async function readStream(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function present(req: IncomingMessage): DirectBody {
  const body = directBodyOf(req)
  if (body === null) throw new Error('the body goes the usual way')
  return body
}

/** Answers how much was equal to what was sent, read in the given way. */
function echo(sent: Buffer, read: (req: IncomingMessage) => Promise<Buffer>): RequestListener {
  return (req, res) => {
    void read(req).then(
      (bytes) => res.end(bytes.equals(sent) ? 'same' : `other ${bytes.length}`),
      () => res.destroy(),
    )
  }
}

const directly = async (req: IncomingMessage) => (await receive(present(req))).bytes

describe('a long body', () => {
  test('comes into the memory of whoever receives it', async () => {
    const body = makeBody()
    const { port } = await listen(echo(body, directly))
    const { socket, answers } = await dial(port)
    socket.write(head(body))
    socket.write(body)
    expect(await answers(1)).toContain('same')
  })

  test('comes whole into rooms of any size', async () => {
    const body = makeBody()
    for (const most of [1_000, 65_536, 99_999]) {
      const read = async (req: IncomingMessage) => (await receive(present(req), most)).bytes
      const { port } = await listen(echo(body, read))
      const { socket, answers } = await dial(port)
      socket.write(Buffer.concat([Buffer.from(head(body)), body]))
      expect(await answers(1)).toContain('same')
    }
  })

  test('is a stream for whoever reads the request', async () => {
    const body = makeBody()
    const { port } = await listen(echo(body, readStream))
    const { socket, answers } = await dial(port)
    socket.write(Buffer.concat([Buffer.from(head(body)), body]))
    expect(await answers(1)).toContain('same')
  })

  test('is a stream for a framework that changes the prototype of the request', async () => {
    const body = makeBody()
    const { port } = await listen((req, res) => {
      Object.setPrototypeOf(req, Object.create(Object.getPrototypeOf(req) as object) as object)
      echo(body, readStream)(req, res)
    })
    const { socket, answers } = await dial(port)
    socket.write(Buffer.concat([Buffer.from(head(body)), body]))
    expect(await answers(1)).toContain('same')
  })

  test('waits while its stream is not read on', async () => {
    const body = makeBody(8_000_000)
    let buffered = 0
    const { port } = await listen((req, res) => {
      req.once('data', () => {
        req.pause()
        setImmediate(() => {
          buffered = req.readableLength
          req.resume()
        })
      })
      req.on('end', () => res.end('done'))
    })
    const { socket, answers } = await dial(port)
    socket.write(Buffer.concat([Buffer.from(head(body)), body]))
    expect(await answers(1)).toContain('done')
    expect(buffered).toBeLessThanOrEqual(128 * 1024)
  })

  test('keeps its length where handlers look for it', async () => {
    const body = makeBody()
    const { port } = await listen((req, res) => {
      req.resume()
      const { headers, rawHeaders, headersDistinct } = req
      const raw = rawHeaders[rawHeaders.indexOf('Content-Length') + 1]
      res.end([headers['content-length'], raw, headersDistinct['content-length']].join(' '))
    })
    const { socket, answers } = await dial(port)
    socket.write(Buffer.concat([Buffer.from(head(body)), body]))
    expect(await answers(1)).toContain('1000000 1000000 1000000')
  })

  test('that nobody reads is gone before the next request', async () => {
    const body = makeBody()
    let requests = 0
    const { port } = await listen((_req, res) => res.end(`number ${++requests}`))
    const { socket, answers } = await dial(port)
    for (let number = 1; number <= 3; number += 1) {
      socket.write(Buffer.concat([Buffer.from(head(body)), body]))
      expect(await answers(number)).toContain(`number ${number}`)
    }
  })

  test('is followed by other requests of its connection, in either way', async () => {
    const body = makeBody()
    const { port } = await listen((req, res) => {
      const read = req.url === '/a' ? directly : readStream
      echo(req.url === '/b' ? Buffer.from('abc') : body, read)(req, res)
    })
    const { socket, answers } = await dial(port)
    const short = 'POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc'
    for (let round = 0; round < 3; round += 1) {
      socket.write(Buffer.concat([Buffer.from(head(body)), body]))
      await answers(3 * round + 1)
      socket.write(short)
      await answers(3 * round + 2)
      socket.write(Buffer.concat([Buffer.from(head(body).replace('/a', '/c')), body]))
      expect(await answers(3 * round + 3)).not.toContain('other')
    }
  })

  test('may be followed at once by the next request', async () => {
    const body = makeBody()
    const { port } = await listen((req, res) => {
      echo(req.method === 'GET' ? Buffer.alloc(0) : body, readStream)(req, res)
    })
    const { socket, answers } = await dial(port)
    const get = 'GET /a HTTP/1.1\r\nHost: x\r\n\r\n'
    socket.write(Buffer.concat([Buffer.from(head(body)), body, Buffer.from(get + get)]))
    const text = await answers(3)
    expect(text.split('same')).toHaveLength(4)
  })

  test('is invited where its sender asks first', async () => {
    const body = makeBody()
    const { port } = await listen(echo(body, directly))
    const { socket, answers } = await dial(port)
    socket.write(head(body, 'Expect: 100-continue'))
    expect(await answers(1)).toContain('HTTP/1.1 100 Continue')
    socket.write(body)
    expect(await answers(2)).toContain('same')
  })

  test('goes to who answers such questions, with its length', async () => {
    const body = makeBody()
    const { server, port } = await listen(echo(body, directly))
    server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
      if (req.headers['content-length'] === '1000000') res.writeContinue()
      server.emit('request', req, res)
    })
    const { socket, answers } = await dial(port)
    socket.write(head(body, 'Expect: 100-continue'))
    await answers(1)
    socket.write(body)
    expect(await answers(2)).toContain('same')
  })
})

describe('the receiver of a body', () => {
  test('is asked for room again when it says so, and loses nothing', async () => {
    const body = makeBody()
    const { port } = await listen((req, res) => {
      const direct = present(req)
      const pieces: Buffer[] = []
      let room: Buffer | null = Buffer.alloc(50_000)
      direct.start({
        room: () => room,
        placed: (byteCount) => {
          pieces.push(Buffer.from((room as Buffer).subarray(0, byteCount)))
          room = null
          setImmediate(() => {
            room = Buffer.alloc(50_000)
            direct.resume()
          })
        },
        ended: () => res.end(Buffer.concat(pieces).equals(body) ? 'same' : 'other'),
      })
    })
    const { socket, answers } = await dial(port)
    for (let number = 1; number <= 3; number += 1) {
      socket.write(Buffer.concat([Buffer.from(head(body)), body]))
      expect(await answers(number)).not.toContain('other')
    }
  })

  test('is asked for room once for what is placed there, however often it resumes', async () => {
    const body = makeBody(400_000)
    const pieces: Buffer[] = []
    const { port } = await listen((req, res) => {
      const direct = present(req)
      let room = Buffer.alloc(0)
      const resuming = setInterval(() => direct.resume(), 1)
      direct.start({
        room: () => (room = Buffer.alloc(30_000)),
        placed: (byteCount) => pieces.push(room.subarray(0, byteCount)),
        ended: () => {
          clearInterval(resuming)
          res.end(Buffer.concat(pieces).equals(body) ? 'same' : 'other')
        },
      })
    })
    const { socket, answers } = await dial(port)
    socket.setNoDelay(true).write(head(body))
    for (let at = 0; at < body.length; at += 10_000) {
      socket.write(body.subarray(at, at + 10_000))
      const before = pieces.length
      // Until it came, so that resuming falls between two reads.
      while (pieces.length === before) await new Promise((resolve) => setImmediate(resolve))
      const resumed = performance.now() + 4
      while (performance.now() < resumed) await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await answers(1)).toContain('same')
  })

  test('may take the end when the next request is there already', async () => {
    const body = makeBody(100_000)
    const { port } = await listen((req, res) => {
      if (req.method === 'GET') return void res.end('the next')
      const direct = present(req)
      const memory = Buffer.alloc(body.length)
      let room: Buffer | null = null
      let at = 0
      direct.start({
        room: () => room && memory.subarray(at),
        placed: (byteCount) => {
          at += byteCount
        },
        ended: () => res.end(memory.equals(body) ? 'same' : 'other'),
      })
      let turns = 0
      const turn = () => {
        // Whatever reads on, though nobody wants the bytes.
        req.socket.resume()
        if (++turns < 50) return setImmediate(turn)
        room = memory
        direct.resume()
        return undefined
      }
      turn()
    })
    const { socket, answers } = await dial(port)
    const get = Buffer.from('GET /a HTTP/1.1\r\nHost: x\r\n\r\n')
    socket.write(Buffer.concat([Buffer.from(head(body)), body, get, get]))
    const text = await answers(3)
    expect(text).toContain('same')
    expect(text.split('the next')).toHaveLength(3)
  })

  test('that stops is written to no more, and the request has the rest', async () => {
    const body = makeBody()
    let memory = Buffer.alloc(0)
    let placedBytes = 0
    let rest: Buffer = Buffer.alloc(0)
    const { port } = await listen((req, res) => {
      const direct = present(req)
      memory = Buffer.alloc(body.length)
      direct.start({
        room: () => memory.subarray(placedBytes),
        placed: (byteCount) => {
          placedBytes += byteCount
        },
        ended: () => undefined,
      })
      setImmediate(() => setImmediate(stop))
      function stop() {
        direct.stop()
        memory.fill(0, placedBytes)
        void readStream(req).then((bytes) => {
          rest = bytes
          res.end('done')
        })
        res.writeContinue()
      }
    })
    const { socket, answers } = await dial(port)
    socket.write(Buffer.concat([Buffer.from(head(body)), body.subarray(0, 300_000)]))
    await answers(1)
    socket.write(body.subarray(300_000))
    await answers(2)
    expect(placedBytes).toBeGreaterThan(0)
    expect(Buffer.concat([memory.subarray(0, placedBytes), rest]).equals(body)).toBe(true)
    expect(memory.subarray(placedBytes).every((byte) => byte === 0)).toBe(true)
  })

  test('hears of a sender that goes away, after all that came', async () => {
    const body = makeBody()
    const received = new Promise<Received>((resolve) => {
      void listen((req) => resolve(receive(present(req)))).then(async ({ port }) => {
        const { socket } = await dial(port)
        socket.end(Buffer.concat([Buffer.from(head(body)), body.subarray(0, 400_000)]))
      })
    })
    const { end, bytes } = await received
    expect(end).toBe('cut')
    expect(bytes.equals(body.subarray(0, 400_000))).toBe(true)
  })
})

test('a stream whose sender goes away is not complete', async () => {
  const body = makeBody()
  const seen = new Promise<{ complete: boolean; failed: boolean }>((resolve) => {
    void listen((req) => {
      readStream(req).then(
        () => resolve({ complete: req.complete, failed: false }),
        () => resolve({ complete: req.complete, failed: true }),
      )
    }).then(async ({ port }) => {
      const { socket } = await dial(port)
      socket.end(Buffer.concat([Buffer.from(head(body)), body.subarray(0, 400_000)]))
    })
  })
  expect(await seen).toEqual({ complete: false, failed: true })
})

describe('what is not plainly a long body', () => {
  const cases: [string, (body: Buffer) => Buffer[]][] = [
    [
      'a short one',
      () => [Buffer.from('PATCH /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc')],
    ],
    [
      'one in chunks',
      (body) => [
        Buffer.from('PATCH /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'),
        Buffer.from(`${body.length.toString(16)}\r\n`),
        body,
        Buffer.from('\r\n0\r\n\r\n'),
      ],
    ],
  ]

  test.each(cases)('goes the usual way: %s', async (name, write) => {
    const body = name === 'a short one' ? Buffer.from('abc') : makeBody()
    const { port } = await listen((req, res) => {
      const isDirect = directBodyOf(req) !== null
      void readStream(req).then((bytes) => res.end(`${isDirect} ${bytes.equals(body)}`))
    })
    const { socket, answers } = await dial(port)
    for (const bytes of write(body)) socket.write(bytes)
    expect(await answers(1)).toContain('false true')
  })

  test('goes the usual way: one behind a head in two pieces', async () => {
    const body = makeBody()
    const { port } = await listen(echo(body, readStream))
    const { socket, answers } = await dial(port)
    const text = head(body)
    socket.setNoDelay(true).write(text.slice(0, 30))
    await new Promise((resolve) => setImmediate(resolve))
    socket.write(text.slice(30))
    socket.write(body)
    expect(await answers(1)).toContain('same')
  })

  test.each([
    ['two lengths', 'Content-Length: 5'],
    ['a length and chunks', 'Transfer-Encoding: chunked'],
    ['a header without a name', ': 5'],
  ])('is refused where the parser refuses it: %s', async (_what, line) => {
    let requests = 0
    const { port } = await listen((_req, res) => {
      requests += 1
      res.end()
    })
    const { socket, answers } = await dial(port)
    socket.write(head(makeBody(), line))
    expect(await answers(1)).toContain('400 Bad Request')
    expect(requests).toBe(0)
  })
})

test('connections are counted, and the server closes when they have', async () => {
  const { server, port } = await listen((_req, res) => res.end('hello'))
  const { socket, answers } = await dial(port)
  socket.write('GET /a HTTP/1.1\r\nHost: x\r\n\r\n')
  await answers(1)
  const count = () =>
    new Promise<number>((resolve) => {
      server.getConnections((_error, connections) => resolve(connections))
    })
  expect(await count()).toBe(1)
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  server.closeIdleConnections()
  await closed
  expect(await count()).toBe(0)
})

test('a handler knows who is at the other end', async () => {
  const { port } = await listen((req, res) => {
    res.end(`${req.socket.remoteAddress} ${req.socket.remotePort}`)
  })
  const { socket, answers } = await dial(port)
  socket.write('GET /a HTTP/1.1\r\nHost: x\r\n\r\n')
  expect(await answers(1)).toContain(`127.0.0.1 ${socket.localPort}`)
})

import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { ByteStream } from './byte-stream.ts'
import { createRangeReads, type RangeReads } from './range-reads.ts'

const content = randomBytes(300_000)
const ends: (() => void)[] = []

afterEach(() => ends.splice(0).forEach((end) => end()))

/** A server that responds to each request as it is told, and counts its connections. */
async function startServer(respond: (socket: Socket, start: number, end: number) => void) {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.setNoDelay(true).on('error', () => undefined)
    let request = ''
    socket.on('data', (bytes) => {
      request += bytes.toString('latin1')
      const range = /Range: bytes=(\d+)-(\d+)\r\n\r\n$/.exec(request)
      if (!range) return
      request = ''
      respond(socket, Number(range[1]), Number(range[2]) + 1)
    })
    ends.push(() => socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const reads = createRangeReads(url)
  ends.push(() => {
    reads.close()
    server.close()
  })
  return { reads, url: `${url}/object?signed`, connections: () => connections }
}

const headOf = (bytes: number) => `HTTP/1.1 206 Partial Content\r\nContent-Length: ${bytes}\r\n\r\n`

async function readAll(source: ByteStream, mostBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (;;) {
    const buffer = Buffer.alloc(randomInt(1, mostBytes))
    const count = await source.read(buffer)
    if (count === 0) return Buffer.concat(pieces)
    pieces.push(buffer.subarray(0, count))
  }
}

/** In pieces of any size, each by itself as far as the network lets it. */
async function sendSlowly(socket: Socket, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const size = randomInt(1, 20_000)
    await new Promise<void>((sent) => socket.write(bytes.subarray(at, at + size), () => sent()))
    at += size
  }
}

test.each([2, 5_000, 100_000, 1_000_000])(
  'bytes come as they are, however they are cut on their way, to reads of less than %d bytes',
  async (mostBytes) => {
    const { reads, url, connections } = await startServer((socket, start, end) => {
      const head = Buffer.from(headOf(end - start))
      void sendSlowly(socket, Buffer.concat([head, content.subarray(start, end)]))
    })
    for (let round = 0; round < 5; round += 1) {
      const start = randomInt(content.length - 40_000)
      const end = start + randomInt(1, mostBytes === 2 ? 2_000 : 40_000)
      const source = await reads.open(url, { start, end })
      if (!source) throw new Error('nothing to read')
      expect(await readAll(source, mostBytes)).toEqual(content.subarray(start, end))
      source.destroy()
      source.destroy()
    }
    expect(connections()).toBe(1)
  },
)

test('a response that has come whole keeps its bytes while its connection serves others', async () => {
  const { reads, url, connections } = await startServer((socket, start, end) => {
    socket.write(Buffer.concat([Buffer.from(headOf(end - start)), content.subarray(start, end)]))
  })
  const first = await reads.open(url, { start: 0, end: 1_000 })
  for (const start of [1_000, 2_000, 3_000]) {
    const other = await reads.open(url, { start, end: start + 1_000 })
    expect(other && (await readAll(other, 5_000))).toEqual(content.subarray(start, start + 1_000))
    other?.destroy()
  }
  expect(connections()).toBe(1)
  expect(first && (await readAll(first, 500))).toEqual(content.subarray(0, 1_000))
})

test('two at once have a connection each, and one that was left amid a response is used no more', async () => {
  const { reads, url, connections } = await startServer((socket, start, end) => {
    socket.write(Buffer.concat([Buffer.from(headOf(end - start)), content.subarray(start, end)]))
  })
  const [one, two] = await Promise.all([
    reads.open(url, { start: 0, end: 1_000 }),
    reads.open(url, { start: 1_000, end: content.length }),
  ])
  expect(await one?.read(Buffer.alloc(2_000))).toBe(1_000)
  expect(await two?.read(Buffer.alloc(10))).toBe(10)
  one?.destroy()
  two?.destroy()
  for (let round = 0; round < 2; round += 1) {
    const third = await reads.open(url, { start: 5, end: 8 })
    const bytes = Buffer.alloc(3)
    expect(await third?.read(bytes)).toBe(3)
    expect(bytes).toEqual(content.subarray(5, 8))
    third?.destroy()
  }
  expect(connections()).toBe(2)
})

test.each([
  ['no such object', 'HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\nabc'],
  ['the whole instead', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc'],
  ['more than was asked for', headOf(11)],
])('a response of %s is none', async (_what, response) => {
  const { reads, url } = await startServer((socket) => socket.write(response))
  expect(await reads.open(url, { start: 0, end: 10 })).toBeNull()
})

test.each([
  ['without a length', 'HTTP/1.1 206 Partial Content\r\n\r\nabc'],
  ['in chunks', 'HTTP/1.1 206 Partial Content\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['in another language', '220 smtp.example.org ESMTP\r\n\r\n'],
  ['that never ends its head', 'x'.repeat(100_000)],
])('a response %s fails', async (_what, response) => {
  const { reads, url } = await startServer((socket) => socket.write(response))
  await expect(read(reads, url)).rejects.toThrow()
})

test('what follows a body is not read, and its connection not used again', async () => {
  const { reads, url, connections } = await startServer((socket) => {
    socket.write(`${headOf(2)}abcHTTP/1.1 206 Partial Content\r\n`)
  })
  for (let round = 0; round < 2; round += 1) {
    expect((await read(reads, url)).toString()).toBe('ab')
  }
  expect(connections()).toBe(2)
})

test('a body that breaks off gives what has come, and fails then', async () => {
  const { reads, url } = await startServer((socket) => {
    socket.end(Buffer.concat([Buffer.from(headOf(10)), Buffer.from('abcdef')]))
  })
  const source = await reads.open(url, { start: 0, end: 10 })
  let placed = 0
  const buffer = Buffer.alloc(10)
  await expect(
    (async () => {
      for (;;) placed += (await source?.read(buffer.subarray(placed))) ?? 0
    })(),
  ).rejects.toThrow()
  expect(buffer.toString('latin1', 0, placed)).toBe('abcdef')
})

test('a connection that S3 ends while it is idle is replaced', async () => {
  let responded = 0
  const { reads, url, connections } = await startServer((socket, start, end) => {
    const bytes = Buffer.concat([Buffer.from(headOf(end - start)), content.subarray(start, end)])
    responded += 1
    if (responded === 1) socket.end(bytes)
    else socket.write(bytes)
  })
  expect(await read(reads, url)).toEqual(content.subarray(0, 10))
  expect(await read(reads, url).catch(() => read(reads, url))).toEqual(content.subarray(0, 10))
  expect(connections()).toBe(2)
})

async function read(reads: RangeReads, url: string): Promise<Buffer> {
  const source = await reads.open(url, { start: 0, end: 10 })
  if (!source) throw new Error('nothing to read')
  try {
    return await readAll(source, 100)
  } finally {
    source.destroy()
  }
}

import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import express from 'express'
import { afterEach, expect, test } from 'vitest'
import { boundedBody } from './bounded-body.ts'
import { errorHandler } from './error-response.ts'
import { createHttpServer } from './http-server.ts'

const LIMIT_BYTES = 1_000

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function connectTo(deadlineMs: number): Promise<Socket> {
  const app = express()
  app.use(boundedBody(express.json({ limit: LIMIT_BYTES }), LIMIT_BYTES, deadlineMs))
  app.use((req, res) => res.json(req.body))
  app.use(errorHandler({ error: () => undefined }))
  const server = createHttpServer({ onRequest: app })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  closers.push(
    () => socket.destroy(),
    () => server.closeAllConnections(),
    () => server.close(),
  )
  return socket
}

function post(framing: string): string {
  return `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`
}

async function firstResponse(socket: Socket): Promise<string> {
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  return bytes.toString()
}

test('a body that is announced too large is refused before any of it has come', async () => {
  const socket = await connectTo(60_000)
  socket.write(post('Content-Length: 1001'))
  expect(await firstResponse(socket)).toMatch(/^HTTP\/1\.1 413 /)
})

test('a body that turns out too large is refused before it has ended', async () => {
  const socket = await connectTo(60_000)
  socket.write(`${post('Transfer-Encoding: chunked')}3e9\r\n${' '.repeat(1_001)}\r\n`)
  expect(await firstResponse(socket)).toMatch(/^HTTP\/1\.1 413 /)
})

test('a body that does not come to its end in time is refused, though it drips', async () => {
  const socket = await connectTo(300)
  socket.write(post('Content-Length: 100'))
  const drip = setInterval(() => socket.write(' '), 50)
  closers.push(() => clearInterval(drip))
  expect(await firstResponse(socket)).toMatch(/^HTTP\/1\.1 408 .*request_timeout/s)
})

test('a body that is well is read', async () => {
  const socket = await connectTo(60_000)
  socket.write(`${post('Content-Length: 9')}{"a": 17}`)
  expect(await firstResponse(socket)).toMatch(/^HTTP\/1\.1 200 .*\{"a":17\}/s)
})

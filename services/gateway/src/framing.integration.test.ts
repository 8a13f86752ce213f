import { connect } from 'node:net'
import { type RecordingUpstream, startRecordingUpstream } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Rig, startGateway } from './testing/gateway-rig.ts'

let upstream: RecordingUpstream
let rig: Rig
beforeAll(async () => {
  upstream = await startRecordingUpstream()
  rig = await startGateway({
    upstreams: [
      { name: 'auth', paths: ['/api/users'], url: upstream.url },
      { name: 'file', paths: ['/api/shares/:shareId/files'], url: upstream.url },
    ],
  })
})
afterAll(async () => {
  await rig?.close()
  await upstream?.close()
})

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']
const hops = { JSON: '/api/users', bytes: '/api/shares/a/files' }
const smuggled = 'GET /api/users/smuggled HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 6.6.6.6\r\n\r\n'
const chunked = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`
const length = `Content-Length: ${smuggled.length}`
const coding = 'Transfer-Encoding: chunked'

const framings: Record<string, { head: string; body: string; isRefused?: boolean }> = {
  'a length': { head: length, body: smuggled },
  chunks: { head: coding, body: chunked },
  'both of them': { head: `${length}\r\n${coding}`, body: chunked, isRefused: true },
  'a length that Connection names': {
    head: `${length}\r\nConnection: content-length`,
    body: smuggled,
  },
  'chunks that Connection names': {
    head: `${coding}\r\nConnection: transfer-encoding`,
    body: chunked,
  },
}

/** What the server sends until it has responded to so many requests, or closed the connection. */
function converse(bytes: string, responses: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(rig.port, '127.0.0.1', () => socket.write(bytes))
    let received = ''
    socket.on('data', (chunk) => {
      received += String(chunk)
      if ((received.match(/HTTP\/1\.1 \d/g)?.length ?? 0) >= responses) socket.end()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(received))
  })
}

describe.each(Object.entries(hops))('on the way of %s', (name, path) => {
  describe.each(methods)('%s with a body', (method) => {
    test.each(Object.entries(framings))(
      'of %s is one request',
      async (framing, { head, body, isRefused }) => {
        const mayHaveBody = method !== 'TRACE' && isRefused !== true
        const target = `${path}/${method}-${name}-${framing.replaceAll(' ', '-')}`
        const before = upstream.requests.length
        const own = `${method} ${target} HTTP/1.1\r\nHost: a\r\n${head}\r\n\r\n${body}`
        const next = `GET ${target}-next HTTP/1.1\r\nHost: a\r\n\r\n`
        const received = await converse(own + next, mayHaveBody ? 2 : 1)
        const arrived = upstream.requests.slice(before)
        expect(upstream.garbage).toEqual([])
        if (mayHaveBody) {
          expect(arrived.map((request) => request.target)).toEqual([target, `${target}-next`])
          expect(arrived[0]?.body?.toString()).toBe(smuggled)
          expect(received.match(/x-target: (\S+)/gi)).toEqual([
            expect.stringMatching(`${target}$`),
            expect.stringMatching(`${target}-next$`),
          ])
        } else {
          expect(arrived).toEqual([])
          expect(received).toMatch(/^HTTP\/1\.1 400 /)
          expect(received).toMatch(/^connection: close\r$/im)
        }
      },
    )
  })
})

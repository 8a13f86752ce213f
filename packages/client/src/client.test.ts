import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createClient, FloeError, unwrap } from './index.ts'

async function withServer(listener: RequestListener, use: (url: string) => Promise<void>) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

test('a call has the token, its parameters in the path, and returns what the server sent', () =>
  withServer(
    (req, res) => {
      const { method, url, headers } = req
      res.setHeader('Content-Type', 'application/json')
      res.end(JSON.stringify({ method, url, authorization: headers.authorization }))
    },
    async (url) => {
      const client = createClient({ baseUrl: `${url}/`, token: 'floe_secret' })
      const params = { path: { id: 'a b/c' } }
      expect(await unwrap(client.GET('/api/shares/{id}', { params }))).toEqual({
        method: 'GET',
        url: '/api/shares/a%20b%2Fc',
        authorization: 'Bearer floe_secret',
      })
    },
  ))

test('a visitor sends no token, and a success without a body is undefined', () =>
  withServer(
    (req, res) => res.writeHead(req.headers.authorization === undefined ? 204 : 400).end(),
    async (url) => {
      const params = { path: { id: 'one' } }
      const call = createClient({ baseUrl: url }).DELETE('/api/shares/{id}', { params })
      expect(await unwrap(call)).toBeUndefined()
    },
  ))

test.each([
  [
    'a body with all members',
    { 'Content-Type': 'application/json' },
    '{"statusCode":404,"message":"Share not found","error":"share_not_found","code":"share_not_found"}',
    { status: 404, code: 'share_not_found', message: 'Share not found' },
  ],
  [
    'one message for each field',
    { 'Content-Type': 'application/json' },
    '{"statusCode":400,"message":["id is too short","name is missing"],"error":"Bad Request","code":"validation_failed"}',
    { status: 400, code: 'validation_failed', message: 'id is too short; name is missing' },
  ],
  [
    'the code in the headers alone',
    { 'Content-Type': 'application/json', 'X-Error-Code': 'too_many_requests' },
    '{"statusCode":429,"message":"Too many requests"}',
    {
      ...{ status: 429, code: 'too_many_requests', message: 'Too many requests' },
      retryAfterSeconds: null,
    },
  ],
  [
    'seconds to wait',
    { 'Retry-After': '288' },
    '',
    { status: 429, code: null, retryAfterSeconds: 288 },
  ],
  [
    'a date to wait for that is over',
    { 'Retry-After': 'Wed, 21 Oct 2015 07:28:00 GMT' },
    '',
    { status: 503, code: null, retryAfterSeconds: 0 },
  ],
  [
    'one line',
    { 'Content-Type': 'text/plain', 'X-Error-Code': 'share_too_large' },
    'The share is too large\n',
    { status: 413, code: 'share_too_large', message: 'The share is too large' },
  ],
  [
    'the page of a proxy',
    { 'Content-Type': 'text/html' },
    '<html>\n<h1>Bad gateway</h1>',
    { status: 502, code: null, message: 'The server responded with status 502' },
  ],
  [
    'nothing',
    { 'Content-Length': '0' },
    '',
    { status: 503, code: null, message: 'The server responded with status 503' },
  ],
])('a refusal with %s is thrown as what it says', (_what, headers, body, expected) =>
  withServer(
    (_req, res) => res.writeHead(expected.status, headers).end(body),
    async (url) => {
      const call = unwrap(createClient({ baseUrl: url }).GET('/api/shares'))
      const thrown: unknown = await call.catch((error: unknown) => error)
      expect(thrown).toBeInstanceOf(FloeError)
      expect(thrown).toMatchObject(expected)
    },
  ),
)

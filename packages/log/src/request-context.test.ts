import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { currentRequestId, inRequest, isRequestId, outsideRequests } from './index.ts'

test('requests that run side by side do not take one another for themselves', async () => {
  const work = async () => {
    await turn()
    return currentRequestId()
  }
  const ids = ['first-request', 'second-request', 'third-request']

  const seen = await Promise.all(ids.map((requestId) => inRequest({ requestId }, work)))

  expect(seen).toEqual(ids)
  expect(currentRequestId()).toBeNull()
})

test('a handler still knows its request after the body came in', async () => {
  const server = createServer((req, res) => {
    inRequest({ requestId: String(req.headers['x-request-id']) }, () => {
      void (async () => {
        req.resume()
        await once(req, 'end')
        res.end(currentRequestId())
      })()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const headers = { 'X-Request-Id': 'from-the-test' }
  const req = request({ port, host: '127.0.0.1', method: 'POST', headers, agent: false })
  req.end('body')
  const [res] = (await once(req, 'response')) as [AsyncIterable<Buffer>]
  let text = ''
  for await (const chunk of res) text += chunk.toString()
  server.close()

  expect(text).toBe('from-the-test')
})

test('what outlives its request belongs to nobody', async () => {
  const later = await inRequest({ requestId: 'first-request' }, () =>
    outsideRequests(async () => {
      await turn()
      return currentRequestId()
    }),
  )

  expect(later).toBeNull()
})

test.each([
  ['0c4f1d2e-1f5b-4a69-8d55-1b2a5d1f7c11', true],
  ['lb.eu:abc_123-4567', true],
  ['short', false],
  ['two\nlines of a log', false],
  ['{"level":60,"x":1}', false],
  ['x'.repeat(129), false],
  [undefined, false],
])('%j can name a request: %s', (text, expected) => {
  expect(isRequestId(text)).toBe(expected)
})

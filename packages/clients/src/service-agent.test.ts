import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { ServiceAgent } from './service-agent.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function serve(listener: RequestListener) {
  const server = createServer(listener)
  server.keepAliveTimeout = 60_000
  let connections = 0
  server.on('connection', () => (connections += 1))
  const agent = new ServiceAgent({ maxSockets: 4 })
  closers.push(
    () => agent.destroy(),
    () => server.closeAllConnections(),
    () => server.close(),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const ask = async () => {
    const [res] = (await once(get({ port, agent }), 'response')) as [IncomingMessage]
    const { socket } = res
    return { response: await text(res), socket }
  }
  return { ask, connections: () => connections }
}

test('a connection in use is kept, and one that lies unused is closed soon', async () => {
  const { ask, connections } = await serve((_req, res) => res.end('here'))
  const { socket } = await ask()
  expect((await ask()).response).toBe('here')
  expect(connections()).toBe(1)
  // The service itself would keep it for a minute.
  await once(socket, 'close')
})

test('a slow response on a connection that was kept is waited for', async () => {
  let delayMs = 0
  const { ask, connections } = await serve((_req, res) => {
    setTimeout(() => res.end('at last'), delayMs)
  })
  await ask()
  delayMs = 1_300
  expect((await ask()).response).toBe('at last')
  expect(connections()).toBe(1)
})

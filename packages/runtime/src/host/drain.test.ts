import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { createDrain, type Drain } from './drain.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function serve(listener: RequestListener) {
  const server = createServer(listener)
  const drain = createDrain(server)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  closers.push(
    () => agent.destroy(),
    () => server.closeAllConnections(),
    () => server.close(),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const ask = async () => {
    const req = get({ port, host: '127.0.0.1', agent })
    const [res] = (await once(req, 'response')) as [IncomingMessage]
    return res
  }
  return { server, drain, ask }
}

const soon = { lingerMs: 0, mostMs: 5_000 }

async function isOver(drain: Drain): Promise<boolean> {
  await drain.finish(soon)
  return true
}

test('while it lingers, every response says that its connection ends', async () => {
  const { drain, ask } = await serve((_req, res) => res.end('here'))
  const before = await ask()
  expect(before.headers.connection).toBe('keep-alive')
  await text(before)
  const finished = drain.finish({ lingerMs: 300, mostMs: 5_000 })
  const amid = await ask()
  expect([amid.headers.connection, await text(amid)]).toEqual(['close', 'here'])
  await finished
  await expect(ask()).rejects.toThrow('ECONNREFUSED')
})

test('a response that was begun is sent to its end, and then its connection closed', async () => {
  let end: () => void = () => undefined
  const { drain, ask } = await serve((_req, res) => {
    res.write('one ')
    end = () => res.end('two')
  })
  const response = await ask()
  const over = isOver(drain)
  end()
  expect(await text(response)).toBe('one two')
  expect(await over).toBe(true)
})

test('a response whose head had not gone out says that its connection ends', async () => {
  let end: () => void = () => undefined
  let arrived: () => void = () => undefined
  const begun = new Promise<void>((resolve) => (arrived = resolve))
  const { drain, ask } = await serve((_req, res) => {
    end = () => res.end('late')
    arrived()
  })
  const asked = ask()
  await begun
  const over = isOver(drain)
  end()
  expect((await asked).headers.connection).toBe('close')
  expect(await over).toBe(true)
})

test('a response that takes too long is cut', async () => {
  const { drain, ask } = await serve((_req, res) => void res.write('one'))
  const response = await ask()
  const cut = expect(text(response)).rejects.toThrow('aborted')
  await drain.finish({ lingerMs: 0, mostMs: 50 })
  await cut
})

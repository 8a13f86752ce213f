import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { type LoadBalancer, startLoadBalancer } from './load-balancer.ts'

const opened: { close(): void }[] = []
const sockets = new Set<Socket>()
afterEach(() => {
  for (const one of opened.splice(0)) one.close()
  for (const socket of sockets) socket.destroy()
  sockets.clear()
})

async function listen(onConnection: (socket: Socket) => void): Promise<number> {
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket.on('error', () => undefined))
    onConnection(socket)
  })
  opened.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return portOf(server)
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

async function spread(...ports: number[]): Promise<LoadBalancer> {
  const balancer = await startLoadBalancer({
    listPorts: () => ports,
    listen: { port: 0, host: '127.0.0.1' },
  })
  opened.push(balancer)
  return balancer
}

function call({ port }: LoadBalancer, localAddress = '127.0.0.1'): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
  sockets.add(socket)
  return socket
}

async function ask(balancer: LoadBalancer): Promise<string> {
  return (await buffer(call(balancer).end())).toString()
}

test('each connection goes to the next replica', async () => {
  const balancer = await spread(
    await listen((socket) => socket.end('a')),
    await listen((socket) => socket.end('b')),
  )
  expect([await ask(balancer), await ask(balancer), await ask(balancer)]).toEqual(['a', 'b', 'a'])
})

test('a replica that refuses is passed over', async () => {
  const refused = createServer()
  await once(refused.listen(0, '127.0.0.1'), 'listening')
  const nobody = portOf(refused)
  await new Promise((resolve) => refused.close(resolve))
  const balancer = await spread(nobody, await listen((socket) => socket.end('b')))
  expect([await ask(balancer), await ask(balancer)]).toEqual(['b', 'b'])
  await expect(ask(await spread(nobody))).rejects.toThrow('ECONNRESET')
})

test('a replica sees the address that the caller has', async () => {
  const balancer = await spread(await listen((socket) => socket.end(socket.remoteAddress ?? '')))
  expect((await buffer(call(balancer, '127.1.2.3').end())).toString()).toBe('127.1.2.3')
})

test('one side goes on after the other has ended its half', async () => {
  const balancer = await spread(
    await listen((socket) => {
      let bytes = 0
      socket.on('data', (chunk: Buffer) => (bytes += chunk.length))
      socket.on('end', () => socket.end(`got ${bytes}`))
    }),
  )
  const socket = call(balancer)
  socket.end(Buffer.alloc(3_000_000))
  expect((await buffer(socket)).toString()).toBe('got 3000000')
})

test('a side that does not read makes the other wait', async () => {
  const body = Buffer.alloc(64_000_000)
  let replica: Socket | undefined
  const balancer = await spread(
    await listen((socket) => {
      replica = socket
      socket.end(body)
    }),
  )
  const socket = call(balancer)
  socket.pause()
  await expect.poll(() => replica?.writableLength).toBe(body.length)
  socket.resume()
  expect((await buffer(socket)).length).toBe(body.length)
})

test('an abort of one side resets the other', async () => {
  const taken: Socket[] = []
  const balancer = await spread(
    await listen((socket) => {
      taken.push(socket)
      socket.write('x')
    }),
  )
  const first = call(balancer)
  await once(first, 'data')
  const failed = once(taken[0] ?? first, 'error')
  first.resetAndDestroy()
  expect((await failed)[0]).toMatchObject({ code: 'ECONNRESET' })

  const second = call(balancer)
  await once(second, 'data')
  taken[1]?.resetAndDestroy()
  expect((await once(second, 'error'))[0]).toMatchObject({ code: 'ECONNRESET' })
})

test('a refusal sent ahead of the end of the body arrives', async () => {
  const balancer = await spread(
    await listen((socket) => {
      socket.once('data', () => {
        socket.write('too large', () => socket.resetAndDestroy())
      })
    }),
  )
  const socket = call(balancer)
  socket.on('error', () => undefined)
  const received = once(socket, 'data')
  const chunk = Buffer.alloc(65_536)
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on('drain', more)
  more()
  expect(String((await received)[0])).toBe('too large')
})

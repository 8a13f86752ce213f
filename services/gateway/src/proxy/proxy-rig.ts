import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request, type RequestOptions } from 'node:http'
import type { Socket } from 'node:net'
import { type Rig, startGateway, startRawService, startService } from '../testing/gateway-rig.ts'

export const PATH = '/api/uploads/x'
export const BIG_BYTES = 200 * 1024 * 1024
/** `BIG_BYTES` are this block over and over. */
export const block = randomBytes(1024 * 1024)

const paths = ['/api/uploads', '/api/shares/:shareId/files']

export interface HttpResponse {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

/** A client, a gateway and a service of one test file; `close` after each test. */
export function createProxyRig() {
  const closers: (() => Promise<void>)[] = []
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })

  async function throughProxy(url: string): Promise<Rig> {
    const rig = await startGateway({ upstreams: [{ name: 'file', paths, url }] })
    closers.push(rig.close)
    return rig
  }

  async function proxyTo(listener: Parameters<typeof startService>[0]) {
    const service = await startService(listener)
    closers.push(service.close)
    return { service, rig: await throughProxy(service.url) }
  }

  /** A service that writes these bytes for each request of a connection, one after another. */
  async function proxyToRaw(respond: (socket: Socket, requestIndex: number) => void) {
    let connections = 0
    const service = await startRawService((socket) => {
      connections++
      let index = 0
      socket.on('error', () => undefined)
      socket.on('data', () => respond(socket, index++))
    })
    closers.push(service.close)
    return { rig: await throughProxy(service.url), connections: () => connections }
  }

  async function send(
    rig: Rig,
    { body, ...options }: RequestOptions & { body?: Buffer | string } = {},
  ): Promise<HttpResponse> {
    const req = request(rig.url + PATH, { agent, ...options })
    req.end(body)
    const [res] = (await once(req, 'response')) as [IncomingMessage]
    return { status: res.statusCode ?? 0, headers: res.headers, body: await readAll(res) }
  }

  async function close(): Promise<void> {
    agent.destroy()
    for (const closeOne of closers.splice(0).reverse()) await closeOne()
  }

  return { throughProxy, proxyTo, proxyToRaw, send, close }
}

export async function readAll(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

export async function hashOf(stream: IncomingMessage): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of stream) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

export function bigHash(): string {
  const hash = createHash('sha256')
  for (let sent = 0; sent < BIG_BYTES; sent += block.length) hash.update(block)
  return hash.digest('hex')
}

import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LimitingProxy } from './limiting-proxy.ts'

/**
 * A proxy that passes a request body on while it comes, and cuts the connection in the middle once
 * it was `mostBytes` long, whether or not its length was known before.
 */
export async function startCuttingProxy(
  floeUrl: string,
  mostBytes: number,
): Promise<LimitingProxy & { cuts: () => number }> {
  const { hostname, port } = new URL(floeUrl)
  let cuts = 0
  const server = createServer((req, res) => {
    const { method, url, headers } = req
    const upstream = request({ hostname, port, method, path: url, headers }, (response) => {
      res.writeHead(response.statusCode ?? 502, response.rawHeaders)
      response.pipe(res)
    })
    upstream.on('error', () => res.destroy())
    res.on('close', () => upstream.destroy())
    let received = 0
    req.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received <= mostBytes) return
      cuts += 1
      req.destroy()
    })
    req.on('error', () => upstream.destroy())
    req.pipe(upstream)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    stop: async () => {
      server.closeAllConnections()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

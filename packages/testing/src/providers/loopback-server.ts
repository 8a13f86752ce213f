import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LoopbackServer {
  /** `http://127.0.0.1:<port>` */
  url: string
  close(): Promise<void>
}

/** Listens before its handler is made, which may need to know the address. */
export async function startLoopbackServer(
  makeHandler: (url: string) => RequestListener | Promise<RequestListener>,
): Promise<LoopbackServer> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  server.on('request', await makeHandler(url))
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

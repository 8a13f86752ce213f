import { connect, createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

/** Hears all that clients say to a server, byte by byte. */
export interface Wiretap {
  url: string
  heard(): Buffer
  close(): Promise<void>
}

export async function startWiretap(target: string): Promise<Wiretap> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const pieces: Buffer[] = []
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    return socket
  }
  const server = createServer((client) => {
    keep(client)
    const upstream = keep(connect(Number(port), hostname))
    client.on('data', (piece: Buffer) => pieces.push(piece))
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    client.pipe(upstream).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard: () => Buffer.concat(pieces),
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

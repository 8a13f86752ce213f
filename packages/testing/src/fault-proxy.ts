import { createServer, connect, type Socket } from 'node:net'
import type { Random } from './random.ts'

export interface FaultProxy {
  readonly url: string
  /** Connections it broke so far. */
  readonly faults: number
  close(): Promise<void>
}

export interface FaultProxyOptions {
  /** Where the server listens. */
  target: string
  random: Random
  /** A connection breaks after this many bytes from the client at most. */
  longestBytes: number
}

/**
 * Stands between client and server and breaks connections at random bytes: both sides at once, by
 * reset, or only the client's side, so that the server is left with a connection that never ends.
 */
export async function startFaultProxy({
  target,
  random,
  longestBytes,
}: FaultProxyOptions): Promise<FaultProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let faults = 0

  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    return socket
  }

  const server = createServer((client) => {
    keep(client)
    const upstream = keep(connect(Number(port), hostname))
    const fault = random.pick(['close', 'reset', 'stall'] as const)
    let bytesLeft = random.between(1, longestBytes)
    let isBroken = false
    client.on('data', (chunk: Buffer) => {
      if (isBroken) return
      upstream.write(chunk.subarray(0, bytesLeft))
      bytesLeft -= chunk.length
      if (bytesLeft > 0) return
      isBroken = true
      faults += 1
      if (fault === 'reset') client.resetAndDestroy()
      else client.destroy()
      if (fault !== 'stall') upstream.end()
    })
    upstream.on('data', (chunk: Buffer) => {
      if (!isBroken) client.write(chunk)
    })
    upstream.on('close', () => client.destroy())
    client.on('close', () => {
      if (!isBroken) upstream.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const ownPort = typeof address === 'object' && address ? address.port : 0

  return {
    url: `http://127.0.0.1:${ownPort}`,
    get faults() {
      return faults
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Turns {
  port: number
  close(): Promise<void>
}

/** Clients wait for their turn in the order in which they connect, and have it while connected. */
export async function startTurns(): Promise<Turns> {
  const queue: Socket[] = []
  const callFirst = () => queue[0]?.write('yours')
  const server = createServer((socket) => {
    queue.push(socket)
    if (queue[0] === socket) callFirst()
    // Also how the turn of a file ends whose process died.
    socket.once('close', () => {
      const place = queue.indexOf(socket)
      queue.splice(place, 1)
      if (place === 0) callFirst()
    })
    socket.on('error', () => socket.destroy())
    socket.resume()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of queue) socket.destroy()
      await closed
    },
  }
}

/** By port: a hook that fails keeps those behind it from running, and so a turn from ending. */
const held = new Map<number, Socket>()

/** Resolves with what ends the turn. A process has one at most: it runs a file after another. */
export async function takeTurn(port: number): Promise<() => Promise<void>> {
  held.get(port)?.destroy()
  const socket = connect(port, '127.0.0.1')
  held.set(port, socket)
  await once(socket, 'data')
  return async () => {
    const closed = once(socket, 'close')
    socket.destroy()
    await closed
  }
}

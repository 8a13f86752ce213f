import { Agent, type ClientRequest } from 'node:http'
import type { Duplex } from 'node:stream'
import { Socket } from 'node:net'

/**
 * How long a connection to a service may lie unused and still be used again. A service that stops
 * goes on responding for longer than this, with `Connection: close`: by the time it closes what is
 * left, nobody is about to send a request there, and none is lost on its way.
 */
export const MOST_IDLE_MS = 1_000

/** Keeps connections to a service for as long as they are in use. */
export class ServiceAgent extends Agent {
  constructor({ maxSockets }: { maxSockets: number }) {
    super({ keepAlive: true, maxSockets, scheduling: 'lifo' })
  }

  override keepSocketAlive(socket: Duplex): boolean {
    super.keepSocketAlive(socket)
    // The agent drops a free connection that times out.
    if (socket instanceof Socket) socket.setTimeout(MOST_IDLE_MS)
    return true
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    if (socket instanceof Socket) socket.setTimeout(0)
    super.reuseSocket(socket, request)
  }
}

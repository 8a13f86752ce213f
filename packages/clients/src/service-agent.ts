import { Agent, type ClientRequest } from 'node:http'
import type { Duplex } from 'node:stream'
import { Socket } from 'node:net'
import { MOST_IDLE_MS } from '@floe/transfer'

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

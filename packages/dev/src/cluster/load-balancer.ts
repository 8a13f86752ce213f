import { createServer, type Server, Socket } from 'node:net'

export interface LoadBalancerOptions {
  /** Ports of the replicas on this machine that take connections right now. */
  listPorts(): readonly number[]
  listen: { port: number; host?: string }
}

export interface LoadBalancer {
  port: number
  /** Takes no further connections; those there are end with their replicas. */
  close(): void
}

/**
 * One address for many replicas, as a Service of Kubernetes is: each new connection goes to the next
 * one, and one that refuses is passed over. Bytes, half-closes and aborts go through as they come.
 */
export async function startLoadBalancer({
  listPorts,
  listen,
}: LoadBalancerOptions): Promise<LoadBalancer> {
  let turn = 0
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true })
  server.on('connection', (client) => {
    const ports = listPorts()
    const first = turn++
    void reach(
      client,
      ports.map((_, index) => ports[(first + index) % ports.length] ?? 0),
    )
  })
  await listenAt(server, listen)
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    close: () => void server.close(),
  }
}

async function reach(client: Socket, ports: readonly number[]): Promise<void> {
  const ignore = () => undefined
  client.on('error', ignore)
  for (const port of ports) {
    const replica = await connectTo(port, client.remoteAddress)
    if (replica === null) continue
    client.off('error', ignore)
    join(client, replica)
    return
  }
  client.resetAndDestroy()
}

function listenAt(server: Server, listen: LoadBalancerOptions['listen']): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(listen, () => resolve())
  })
}

/** Null where nobody takes the connection. */
function connectTo(port: number, caller: string | undefined): Promise<Socket | null> {
  // Who is limited by address is told apart by it: on loopback a connection can be made from the
  // caller's own. Callers from elsewhere all look like this machine.
  const localAddress = /^(?:::ffff:)?(127\.[\d.]+)$/.exec(caller ?? '')?.[1]
  return new Promise((resolve) => {
    const replica = new PatientSocket({ allowHalfOpen: true })
    const refused = () => resolve(null)
    replica.once('error', refused)
    replica.once('connect', () => {
      replica.off('error', refused)
      resolve(replica)
    })
    replica.setNoDelay(true)
    replica.connect({ port, host: '127.0.0.1', ...(localAddress && { localAddress }) })
  })
}

function join(client: Socket, replica: Socket): void {
  resetTogether(client, replica)
  resetTogether(replica, client)
  // Ends one direction when the other side has ended it, and pauses while it does not take more.
  client.pipe(replica)
  replica.pipe(client)
}

function resetTogether(socket: Socket, other: Socket): void {
  socket.on('error', () => other.resetAndDestroy())
  socket.on('close', () => {
    if (!other.readableEnded || !other.writableEnded) other.resetAndDestroy()
  })
  if (socket.destroyed) other.resetAndDestroy()
}

type Written = (error?: Error | null) => void

/**
 * Reads once more after a write has failed: a service that refuses a body responds and closes while
 * it is still being sent, and the response would be lost with the socket.
 */
class PatientSocket extends Socket {
  override _write(chunk: unknown, encoding: BufferEncoding, written: Written): void {
    super._write(chunk, encoding, this.#failLate(written))
  }

  override _writev(chunks: { chunk: unknown; encoding: BufferEncoding }[], written: Written): void {
    super._writev?.(chunks, this.#failLate(written))
  }

  /** Waits two rounds of the event loop: the first may end without polling for data. */
  #failLate(written: Written): Written {
    return (error) => {
      if (error) setImmediate(() => setImmediate(() => this.destroy(error)))
      else written()
    }
  }
}

import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { discardBody } from './discard-body.ts'
import { requestProblem } from './framing.ts'

export interface RequestHandlers {
  onRequest: RequestListener
  /** Handles requests that expect `100 Continue`; without it, each of them gets it. */
  onContinue?: RequestListener
}

export interface HttpServerOptions {
  /** Open at a time; more are closed as they come. */
  maxConnections?: number
  /** How long a connection may lie unused. */
  keepAliveMs?: number
}

interface Held {
  req: IncomingMessage
  res: ServerResponse
  /** It begins once at most so many earlier requests wait for their responses. */
  mostBefore: number
  begin(): void
}

/** How many pipelined requests of one connection may wait for their responses. */
const MOST_OWED = 16
/** Requests held in the process, some 3 kB each: one read from a connection brings fewer. */
const MOST_HELD = 2560
/** How long a connection is read from after a malformed head. */
const REFUSED_LINGER_MS = 2_000
const HEAD_TIMEOUT_MS = 60_000

/**
 * Node's server, with rules for each connection:
 * - A request that leaves doubt about where it ends is the last one of its connection (`framing.ts`).
 *   The handler refuses it with `refuseDoubtful`; nothing behind it is taken for a request.
 * - At most 16 responses wait on one connection; meanwhile it is not read from.
 * - A request that expects `100 Continue`, or asks for another protocol, is handled in its order.
 * - Each response is told when its connection closes. Node tells only the one being sent.
 * - A body that outlasts its response is read for a while, and then the connection is closed.
 */
export function createHttpServer(
  { onRequest, onContinue }: RequestHandlers,
  { maxConnections, keepAliveMs }: HttpServerOptions = {},
): Server {
  // Node would refuse a request without Host by itself, and then take what follows on its connection.
  const server = createServer({ requireHostHeader: false })
  const connections = new WeakMap<Socket, Connection>()
  const heldInAll = { count: 0 }
  const take = (handle: RequestListener) => (req: IncomingMessage, res: ServerResponse) => {
    const isDoubtful = requestProblem(req) !== null
    connections
      .get(req.socket)
      ?.take(req, res, { isDoubtful, handle: isDoubtful ? onRequest : handle })
  }
  const sendContinue: RequestListener = (req, res) => {
    res.writeContinue()
    onRequest(req, res)
  }
  // An upload may take hours; a head may not.
  server.requestTimeout = 0
  server.headersTimeout = HEAD_TIMEOUT_MS
  if (maxConnections !== undefined) server.maxConnections = maxConnections
  if (keepAliveMs !== undefined) server.keepAliveTimeout = keepAliveMs
  server.on('connection', (socket) => connections.set(socket, new Connection(socket, heldInAll)))
  server.on('request', take(onRequest))
  server.on('checkExpectation', take(onRequest))
  server.on('checkContinue', take(onContinue ?? sendContinue))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    connections.get(socket)?.refuseHead(error)
  })
  return server
}

class Connection {
  readonly #socket: Socket
  /** Shared by all connections. */
  readonly #heldInAll: { count: number }
  readonly #owed = new Set<ServerResponse>()
  readonly #held: Held[] = []
  #isEnding = false

  constructor(socket: Socket, heldInAll: { count: number }) {
    this.#socket = socket
    this.#heldInAll = heldInAll
    socket.once('close', () => this.#closed())
  }

  take(
    req: IncomingMessage,
    res: ServerResponse,
    { isDoubtful, handle }: { isDoubtful: boolean; handle: RequestListener },
  ): void {
    if (this.#isEnding || this.#socket.destroyed) return
    this.#isEnding = isDoubtful
    // Nothing is upgraded here; Node's parser takes what follows for another protocol all the same.
    if (req.headers.upgrade !== undefined) {
      this.#isEnding = true
      res.shouldKeepAlive = false
    }
    // Node would write `100 Continue` behind the head of an earlier response that waits.
    const mostBefore = req.headers.expect === undefined ? MOST_OWED - 1 : 0
    const begin = () => {
      this.#owed.add(res)
      res.once('finish', () => {
        if (!req.complete) void discardBody(req)
      })
      res.once('close', () => this.#settled(res))
      handle(req, res)
    }
    this.#held.push({ req, res, mostBefore, begin })
    this.#heldInAll.count += 1
    this.#beginHeld()
  }

  #settled(res: ServerResponse): void {
    this.#owed.delete(res)
    if (this.#socket.destroyed) return
    const wasHolding = this.#held.length > 0
    this.#beginHeld()
    if (this.#held.length > 0) return
    if (wasHolding) this.#socket.resume()
    if (this.#isEnding && this.#owed.size === 0) this.#socket.destroySoon()
  }

  #beginHeld(): void {
    for (
      let next = this.#held[0];
      next && this.#owed.size <= next.mostBefore;
      next = this.#held[0]
    ) {
      this.#drop(1)
      next.begin()
    }
    if (this.#held.length > 0) this.#waitIfHolding()
  }

  /** Takes the first requests out of those that are held. */
  #drop(count: number): Held[] {
    this.#heldInAll.count -= count
    return this.#held.splice(0, count)
  }

  #waitIfHolding(): void {
    if (this.#heldInAll.count > MOST_HELD) this.#socket.destroy()
    // Node goes on reading at the end of each request, by the end of this turn of the event loop.
    setImmediate(() => {
      if (this.#held.length > 0) this.#socket.pause()
    })
  }

  #closed(): void {
    const held = this.#drop(this.#held.length).map(({ res }) => res)
    for (const res of [...this.#owed, ...held]) {
      if (res.socket !== null || res.writableFinished) continue
      res.destroy()
      res.emit('close')
    }
  }

  /** For a malformed head. The parser drops what else comes, so the sender may see the response. */
  refuseHead({ code = '' }: NodeJS.ErrnoException): void {
    const wasEnding = this.#isEnding
    this.#isEnding = true
    const breaksOff = [...this.#owed].find(({ req }) => !req.complete)
    // Its body will never be complete.
    if (this.#held.at(-1)?.req.complete === false) {
      this.#held.pop()
      this.#heldInAll.count -= 1
    }
    // Earlier requests are complete, and get their responses.
    if (breaksOff === undefined && this.#owed.size > 0) return
    const mayRespond = !wasEnding && this.#owed.size <= 1 && !breaksOff?.headersSent
    if (!mayRespond || !this.#socket.writable) {
      this.#socket.destroySoon()
      return
    }
    const status = statuses[code] ?? '400 Bad Request'
    this.#socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    const timer = setTimeout(() => this.#socket.destroy(), REFUSED_LINGER_MS)
    this.#socket.once('close', () => clearTimeout(timer))
  }
}

const statuses: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
}

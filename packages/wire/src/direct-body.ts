import { type IncomingMessage, type RequestListener, Server } from 'node:http'
import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net'
import { createHeadScan, type HeadScan, longBodyIn } from './request-scan.ts'

/**
 * A server of Node in which long request bodies go around its HTTP parser. The parser copies every
 * 64 KiB of a body into a fresh buffer, which costs more than all else that an upload needs. Here
 * it reads heads and short bodies as ever; a long one it takes for empty, and the socket reads the
 * bytes itself (`onread`): straight into the memory of whoever asks for them, or else into the
 * request, which is a stream like any other.
 *
 * What is not plainly such a body (RFC 9112 §6.3: one `Content-Length`, no `Transfer-Encoding`, a
 * head that comes in one piece) is the parser's.
 */
export function createDirectServer(listener?: RequestListener): Server {
  return new DirectServer(listener)
}

/** Where the bytes of a body go. Called in the turn of the event loop in which they come. */
export interface BodyReceiver {
  /**
   * Memory for the bytes to come, asked for anew once some were placed; null: none are read until
   * `DirectBody.resume`.
   */
  room(): Uint8Array | null
  /** So many bytes lie at the beginning of the room now. */
  placed(byteCount: number): void
  /** All of it has come, or no more of it will. Nothing is called any more. */
  ended(end: 'complete' | 'cut'): void
}

/** A body that nobody has read from yet. */
export interface DirectBody {
  readonly sizeBytes: number
  start(receiver: BodyReceiver): void
  /** There is room again. */
  resume(): void
  /** Once it returns, no room is written to. What is left of the body is the request's. */
  stop(): void
}

/** Null where the body is short or goes the usual way, and for who has read from the request. */
export function directBodyOf(req: IncomingMessage): DirectBody | null {
  const body = bodies.get(req)
  return body === undefined || req.readableFlowing !== null ? null : body
}

const bodies = new WeakMap<IncomingMessage, DirectBody>()
const connections = new WeakMap<Socket, DirectConnection>()

/** What is read for the parser, and the least a body must have to go around it. */
const SCRATCH_BYTES = 64 * 1024
/** Of all connections: what lies in it is passed on or copied before another one is read. */
const scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES)
const nothing = Buffer.alloc(0)

class DirectServer extends Server {
  override emit(event: string, ...args: unknown[]): boolean {
    if (event === 'connection') return this.#connect(args)
    const [req] = args as [IncomingMessage | undefined]
    if (requestEvents.has(event) && req) connections.get(req.socket)?.adopt(req)
    return super.emit(event, ...args)
  }

  #connect([accepted, ...others]: unknown[]): boolean {
    const connection = accepted instanceof Socket ? takeOver(accepted) : null
    if (connection === null) return super.emit('connection', accepted, ...others)
    const isTaken = super.emit('connection', connection.socket, ...others)
    connection.begin()
    return isTaken
  }
}

const requestEvents = new Set(['request', 'checkContinue', 'checkExpectation'])

interface ReadableHandle {
  useUserBuffer(buffer: Uint8Array): void
}

/**
 * The accepted connection in a socket that reads into memory of ours, which Node offers for
 * outgoing connections only. Its handle is not public: null where there is none as expected.
 */
function takeOver(accepted: Socket): DirectConnection | null {
  const handle: unknown = Reflect.get(accepted, '_handle')
  const isFit = typeof handle === 'object' && handle !== null && 'useUserBuffer' in handle
  if (!isFit) return null
  Reflect.set(accepted, '_handle', null)
  const connection = new DirectConnection(handle as ReadableHandle)
  connections.set(connection.socket, connection)
  // The server counts its connections by the sockets that it has accepted.
  connection.socket.once('close', () => accepted.destroy())
  return connection
}

/** A body that was announced and has not come to its end. */
interface LongBody {
  sizeBytes: number
  /** Its length as the sender wrote it. */
  lengthText: string
  /** Not arrived yet. */
  remainingBytes: number
  /** Arrived, and not passed on yet. */
  left: Buffer
  req: IncomingMessage | null
  receiver: BodyReceiver | null
  /** The request takes more. */
  isStreamed: boolean
  finish(): void
}

class DirectConnection {
  readonly socket: Socket
  readonly #handle: ReadableHandle
  /** Null once it cannot be told where requests begin: all is the parser's from then on. */
  #scan: HeadScan | null = null
  #body: LongBody | null = null
  #requests = 0
  #latest: IncomingMessage | null = null
  /** Where the next bytes are read to. */
  #buffer: Uint8Array = scratch
  /** Given by the receiver, and nothing placed in it yet. */
  #room: Uint8Array | null = null
  /** Of the next request, come before the end of this body was taken. */
  #early: Buffer = nothing

  constructor(handle: ReadableHandle) {
    const onread: OnReadOpts = {
      buffer: () => (this.#buffer = this.#nextRoom() ?? scratch),
      callback: (byteCount) => this.#take(byteCount),
    }
    // What the types do not know: it is how `net` makes the sockets that it accepts.
    const options: SocketConstructorOpts & { onread: OnReadOpts; handle: ReadableHandle } = {
      handle,
      onread,
      allowHalfOpen: true,
    }
    this.#handle = handle
    this.socket = new Socket(options)
    this.socket.once('end', () => this.#endBody('cut'))
    this.socket.once('close', () => this.#endBody('cut'))
  }

  begin(): void {
    // The parser has taken the connection, and gives it back to whoever listens to its bytes.
    this.socket.on('data', ignore)
    this.#scan = createHeadScan()
  }

  /** The parser has read a head. */
  adopt(req: IncomingMessage): void {
    if (req === this.#latest) return
    this.#latest = req
    this.#requests += 1
    const body = this.#body
    if (body === null || body.req !== null) return
    body.req = req
    tellLength(req, body.lengthText)
    // Express changes the prototype of a request, so these are its own.
    const [push, read] = [req.push.bind(req), req._read.bind(req)]
    req.push = (chunk: unknown, encoding?: BufferEncoding) => {
      if (chunk !== null || this.#body !== body) return push(chunk, encoding)
      // What the parser takes for the end.
      req.complete = false
      return true
    }
    req._read = (byteCount) => {
      read(byteCount)
      body.isStreamed = true
      if (this.#body === body) this.#advance(body)
    }
    body.finish = () => {
      req.complete = true
      push(null)
    }
    bodies.set(req, {
      sizeBytes: body.sizeBytes,
      start: (receiver) => {
        body.receiver = receiver
        bodies.delete(req)
        this.#advance(body)
      },
      resume: () => this.#advance(body),
      stop: () => this.#stop(body),
    })
  }

  #stop(body: LongBody): void {
    body.receiver = null
    this.#room = null
    if (this.#body !== body || this.#buffer.buffer === scratch.buffer) return
    this.#buffer = scratch
    if (!this.socket.destroyed) this.#handle.useUserBuffer(scratch)
  }

  /** Passes on what is here, and reads more where somebody wants it. */
  #advance(body: LongBody): void {
    if (this.#body !== body) return
    body.left = this.#passOn(body, body.left)
    if (this.#isWanted()) this.socket.resume()
    else this.#endIfWhole(body)
  }

  #nextRoom(): Uint8Array | null {
    const body = this.#body
    if (body === null || body.remainingBytes === 0) return null
    const room = body.left.length > 0 ? null : this.#roomFor(body)
    return (room ?? scratch).subarray(0, body.remainingBytes)
  }

  /** Returns whether to go on reading. */
  #take(byteCount: number): boolean {
    const body = this.#body
    if (body === null) {
      this.#readHeads(scratch.subarray(0, byteCount))
    } else if (body.remainingBytes === 0) {
      this.#early = Buffer.concat([this.#early, scratch.subarray(0, byteCount)])
    } else {
      body.remainingBytes -= byteCount
      if (this.#buffer.buffer === scratch.buffer) this.#keep(body, scratch.subarray(0, byteCount))
      else this.#place(body, byteCount)
      this.#endIfWhole(body)
    }
    return this.#isWanted()
  }

  #isWanted(): boolean {
    const body = this.#body
    if (body === null) return true
    if (body.left.length > 0 || body.remainingBytes === 0) return false
    return body.receiver === null ? body.isStreamed : this.#roomFor(body) !== null
  }

  #roomFor({ receiver }: LongBody): Uint8Array | null {
    this.#room ??= receiver?.room() ?? null
    return this.#room
  }

  #place({ receiver }: LongBody, byteCount: number): void {
    this.#room = null
    receiver?.placed(byteCount)
  }

  #keep(body: LongBody, bytes: Buffer): void {
    const rest = body.left.length > 0 ? bytes : this.#passOn(body, bytes)
    if (rest.length > 0) body.left = Buffer.concat([body.left, rest])
  }

  /** Returns what nobody takes now. */
  #passOn(body: LongBody, bytes: Buffer): Buffer {
    let rest = bytes
    while (rest.length > 0) {
      if (body.receiver === null) {
        if (!body.isStreamed || body.req === null) return rest
        body.isStreamed = body.req.push(Buffer.from(rest))
        return nothing
      }
      const room = this.#roomFor(body)
      if (room === null) return rest
      const fitting = rest.subarray(0, room.length)
      room.set(fitting)
      rest = rest.subarray(fitting.length)
      this.#place(body, fitting.length)
    }
    return rest
  }

  #endIfWhole({ remainingBytes, left }: LongBody): void {
    if (remainingBytes === 0 && left.length === 0) this.#endBody('complete')
  }

  #endBody(end: 'complete' | 'cut'): void {
    const body = this.#body
    if (body === null) return
    const { receiver } = body
    this.#stop(body)
    this.#body = null
    if (end === 'complete') body.finish()
    receiver?.ended(end)
    if (end === 'complete') this.#readOn()
  }

  /** Nobody else does where the end of a body was taken between two reads. */
  #readOn(): void {
    const early = this.#early
    if (early.length === 0) {
      this.socket.resume()
      return
    }
    this.#early = nothing
    this.#scan = null
    process.nextTick(() => {
      this.socket.emit('data', early)
      this.socket.resume()
    })
  }

  #readHeads(bytes: Buffer): void {
    const scan = this.#scan
    const long = scan?.isAtStart === true ? longBodyIn(bytes, SCRATCH_BYTES) : null
    const before = this.#requests
    if (scan === null) {
      this.socket.emit('data', bytes)
    } else if (long === null) {
      this.socket.emit('data', bytes)
      const hasBegun = this.#requests - before
      if (!scan.follow(bytes, hasBegun, this.#latest)) this.#scan = null
    } else {
      const { headBytes, lengthText } = long
      const sizeBytes = Number(lengthText)
      const left = Buffer.from(bytes.subarray(headBytes))
      const remainingBytes = sizeBytes - left.length
      const state = { left, req: null, receiver: null, isStreamed: false, finish: ignore }
      this.#body = { sizeBytes, lengthText, remainingBytes, ...state }
      this.socket.emit('data', long.hideLength(bytes))
      if (this.#requests === before + 1) return
      // It is no request: the parser has said so.
      this.#body = null
      this.#scan = null
    }
  }
}

function tellLength({ headers, rawHeaders }: IncomingMessage, lengthText: string): void {
  headers['content-length'] = lengthText
  const at = rawHeaders.findIndex((text, index) => {
    return index % 2 === 0 && text.toLowerCase() === 'content-length'
  })
  rawHeaders[at + 1] = lengthText
}

function ignore(): void {}

import { isIP, type OnReadOpts, type Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions as TlsOptions } from 'node:tls'
import { type BodyReader, createBodyReader } from './body-reader.ts'
import { PatientSocket } from './patient-socket.ts'
import {
  createHeadReader,
  type HeadReader,
  MalformedResponseError,
  type ResponseHead,
} from './response-head.ts'

/**
 * One HTTP/1.1 client connection. Node's own client allocates a fresh 64 KiB for every read and
 * runs each through a stream; this one reads into memory that is used again and again (`onread`),
 * which costs a third of the CPU. Heads are read into a small buffer of the connection's own, so an
 * idle connection holds no large one.
 */

const HEAD_BUFFER_BYTES = 16 * 1024

/** The server may be there but does not respond. */
export class SilenceError extends Error {}

/** Where the body of a response goes while it is read. */
export interface BodySink {
  /** Memory for the next bytes. Null where there is none: they come by `take` then. */
  target(): Buffer | null
  /** Body bytes lie in the target, of which they are a view. Returns whether to read on. */
  fill(bytes: Buffer): boolean
  /** Body bytes that lie elsewhere, until it returns. Returns whether to read on. */
  take(bytes: Buffer): boolean
}

/** Callbacks of one request. After `onEnd` or `onFailure` nothing more is called. */
export interface Exchange {
  method: string
  /** `100 Continue`. */
  onContinue(): void
  /** Any other interim response; without it they are left out. */
  onInterim?(head: ResponseHead): void
  onHead(head: ResponseHead): BodySink
  /** The response is whole. The request may not be, and then never will. */
  onEnd(): void
  onFailure(error: Error): void
}

export interface ConnectionOptions {
  host: string
  port: number
  /** TLS, with the authorities that Node trusts. */
  isTls: boolean
  connectTimeoutMs: number
  /** How long the peer may keep silent while only it can go on. */
  silenceMs: number
  /** The connection is free for another exchange. */
  onIdle(connection: Connection): void
  onClosed(connection: Connection): void
}

interface RunningExchange extends Exchange {
  heads: HeadReader
}

interface Response {
  head: ResponseHead
  body: BodyReader
  sink: BodySink
}

export class Connection {
  readonly socket: Socket
  readonly #options: ConnectionOptions
  readonly #headBuffer = Buffer.allocUnsafeSlow(HEAD_BUFFER_BYTES)
  #exchange: RunningExchange | null = null
  #response: Response | null = null
  #isRequestSent = false
  #isPaused = false

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.socket = openSocket(options, {
      buffer: () => this.#target() ?? this.#headBuffer,
      callback: (byteCount, buffer) => {
        const bytes = Buffer.from(buffer.buffer, buffer.byteOffset, byteCount)
        this.#isPaused = !this.#read(bytes, buffer !== this.#headBuffer)
        return !this.#isPaused
      },
    })
    this.socket.setNoDelay(true).setTimeout(options.connectTimeoutMs)
    const ready = options.isTls ? 'secureConnect' : 'connect'
    this.socket.once(ready, () => this.socket.setTimeout(options.silenceMs))
    this.socket.on('timeout', () => this.#stall())
    this.socket.on('error', (error) => this.#fail(error))
    this.socket.on('end', () => this.#readEnd())
    this.socket.on('close', () => {
      this.#fail(new Error('the server closed the connection'))
      options.onClosed(this)
    })
    // Reads without data listeners, so that the end of the stream is noticed.
    this.socket.resume()
  }

  /** For one exchange at a time; a connection that is not idle any more fails it at once. */
  begin(exchange: Exchange): void {
    this.#exchange = { ...exchange, heads: createHeadReader() }
    this.#isRequestSent = false
    this.socket.ref()
    if (this.socket.destroyed) this.#fail(new Error('the connection is closed'))
    else if (!this.socket.connecting) this.socket.setTimeout(this.#options.silenceMs)
  }

  /** The request is written: the connection may be used again once its response is whole, too. */
  requestSent(): void {
    this.#isRequestSent = true
    if (this.#exchange === null && this.#response !== null) this.#becomeIdle()
  }

  /** The sink has memory again. */
  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.socket.resume()
  }

  destroy(): void {
    this.#exchange = null
    this.socket.destroy()
  }

  /** Behind the end of a body its sink may have given its memory back. */
  #target(): Buffer | null {
    return this.#exchange === null ? null : (this.#response?.sink.target() ?? null)
  }

  #stall(): void {
    const isPeersTurn = this.socket.connecting || (this.#isRequestSent && !this.#isPaused)
    if (isPeersTurn) this.socket.destroy(new SilenceError('the server keeps silent'))
    else this.socket.setTimeout(this.#options.silenceMs)
  }

  /** Returns whether to read on. */
  #read(bytes: Buffer, isInTarget: boolean): boolean {
    try {
      if (this.#exchange === null) throw new MalformedResponseError('bytes nobody asked for')
      if (this.#response === null) return this.#readHead(this.#exchange, bytes)
      return this.#readBody(this.#response, bytes, isInTarget)
    } catch (error) {
      this.#fail(error as Error)
      return false
    }
  }

  #readHead(exchange: RunningExchange, bytes: Buffer): boolean {
    let rest = bytes
    while (rest.length > 0) {
      const result = exchange.heads.read(rest, exchange.method)
      if (result === null) return true
      rest = rest.subarray(result.consumedBytes)
      const { head } = result
      if (head.status === 101) throw new MalformedResponseError('unasked upgrade')
      if (head.status === 100) exchange.onContinue()
      else if (head.status < 200) exchange.onInterim?.(head)
      if (head.status < 200) continue
      const response = { head, body: createBodyReader(head.framing), sink: exchange.onHead(head) }
      this.#response = response
      return this.#readBody(response, rest, false)
    }
    return true
  }

  #readBody({ body, sink, head }: Response, bytes: Buffer, isInTarget: boolean): boolean {
    let readsOn = true
    const usedBytes = body.read(bytes, (run) => {
      readsOn = isInTarget ? sink.fill(run) : sink.take(run)
    })
    const isOver = usedBytes < bytes.length
    if (body.isDone) this.#endResponse({ mayBeUsedAgain: head.persistent && !isOver })
    // Behind a body, to notice that the peer closes the connection, or says something unasked.
    return body.isDone || readsOn
  }

  #readEnd(): void {
    const body = this.#response?.body
    if (body?.endsWithConnection) this.#endResponse({ mayBeUsedAgain: false })
    this.#fail(new Error('the server ended the connection'))
  }

  #endResponse({ mayBeUsedAgain }: { mayBeUsedAgain: boolean }): void {
    const exchange = this.#exchange
    this.#exchange = null
    exchange?.onEnd()
    if (!mayBeUsedAgain) this.socket.destroy()
    else if (this.#isRequestSent) this.#becomeIdle()
  }

  #becomeIdle(): void {
    this.#response = null
    this.socket.unref()
    this.#options.onIdle(this)
  }

  #fail(error: Error): void {
    const exchange = this.#exchange
    this.#exchange = null
    this.socket.destroy()
    exchange?.onFailure(error)
  }
}

function openSocket({ host, port, isTls }: ConnectionOptions, onread: OnReadOpts): Socket {
  if (!isTls) return new PatientSocket(onread).connect(port, host)
  // An address is no name that a server could be asked for (RFC 6066 §3).
  const servername = isIP(host) === 0 ? host : ''
  // Missing from the type.
  const options: TlsOptions & { onread: OnReadOpts } = { host, port, servername, onread }
  return connectTls(options)
}

import type { Socket } from 'node:net'
import {
  createHeadReader,
  type HeadReader,
  MalformedResponseError,
  MOST_IDLE_MS,
  type ResponseHead,
} from '@floe/clients'
import { type ChunkedBody, createChunkedBody } from './chunked-body.ts'
import { PatientSocket } from './patient-socket.ts'
import { createReadRing, type ReadRing } from './read-ring.ts'
import type { TransferBudget } from './transfer-budget.ts'

/**
 * One HTTP/1.1 client connection. Node's own client allocates a fresh 64 KiB for every read and
 * runs each through a stream; this one reads into a few reusable buffers that are written to the
 * client as they are (`onread`), which costs a third of the CPU. Heads are read into a small
 * buffer of the connection's own, so an idle connection holds no large one.
 */

const HEAD_BUFFER_BYTES = 16 * 1024
const DEFAULT_KEEP_ALIVE_MS = 5_000
/** The peer may close while our request is on its way; stop using a connection a little earlier. */
const KEEP_ALIVE_MARGIN_MS = 1_000

/** The service may be there but does not respond. */
export class SilenceError extends Error {}

/** Callbacks of one request. After `onEnd` or `onFailure` nothing more is called. */
export interface Exchange {
  method: string
  onContinue(): void
  onHead(head: ResponseHead): void
  /** `data` is valid until `written` is called; reading stops while too much is unwritten. */
  onBody(data: Buffer, written: () => void): void
  onEnd(): void
  onFailure(error: Error): void
}

export interface UpstreamConnection {
  readonly socket: Socket
  /** True from the moment it may carry a request until it is closed or its keep-alive is over. */
  isUsable(now: number): boolean
  begin(exchange: Exchange): void
  /** The request is written: the connection may be reused once its response is whole, too. */
  requestSent(): void
  destroy(): void
}

export interface ConnectionOptions {
  host: string
  port: number
  connectTimeoutMs: number
  /** How long the peer may keep silent while only it can go on. */
  silenceMs: number
  budget: TransferBudget
  now: () => number
  /** The connection is free for another exchange. */
  onIdle(connection: UpstreamConnection): void
  onClosed(connection: UpstreamConnection): void
}

export function openConnection(options: ConnectionOptions): UpstreamConnection {
  return new Connection(options)
}

class Connection implements UpstreamConnection {
  readonly socket: Socket
  readonly #options: ConnectionOptions
  #exchange: Exchange | null = null
  #headBuffer: Buffer | null = null
  #headReader: HeadReader = createHeadReader()
  #head: ResponseHead | null = null
  #chunked: ChunkedBody | null = null
  #ring: ReadRing | null = null
  #remainingBytes = 0
  #isRequestSent = false
  #isResponseWhole = false
  #isFlawed = false
  #isPaused = false
  #keptMs = DEFAULT_KEEP_ALIVE_MS
  #usableUntil = Number.POSITIVE_INFINITY

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.socket = new PatientSocket({
      buffer: () => this.#nextBuffer(),
      callback: (byteCount, buffer) =>
        this.#read(Buffer.from(buffer.buffer, buffer.byteOffset, byteCount)),
    })
    this.socket.setNoDelay(true).connect(options.port, options.host)
    this.socket.setTimeout(options.connectTimeoutMs)
    this.socket.once('connect', () => this.socket.setTimeout(options.silenceMs))
    this.socket.on('timeout', () => this.#stall())
    this.socket.on('error', (error) => this.#fail(error))
    this.socket.on('end', () => this.#readEnd())
    this.socket.on('close', () => {
      this.#fail(new Error('the service closed the connection'))
      options.onClosed(this)
    })
    // Reads without data listeners, so that the end of the stream is noticed.
    this.socket.resume()
  }

  isUsable(now: number): boolean {
    return (
      !this.socket.destroyed && this.socket.writable && !this.#isFlawed && now < this.#usableUntil
    )
  }

  begin(exchange: Exchange): void {
    this.#exchange = exchange
    this.#head = null
    this.#isRequestSent = false
    this.#isResponseWhole = false
  }

  requestSent(): void {
    this.#isRequestSent = true
    if (this.#isResponseWhole) this.#becomeIdle()
  }

  destroy(): void {
    this.#exchange = null
    this.#closeRing()
    this.socket.destroy()
  }

  #stall(): void {
    const isPeersTurn = this.socket.connecting || (this.#isRequestSent && !this.#isPaused)
    if (isPeersTurn) this.socket.destroy(new SilenceError('the service keeps silent'))
    else this.socket.setTimeout(this.#options.silenceMs)
  }

  #nextBuffer(): Buffer {
    if (this.#ring === null) return (this.#headBuffer ??= Buffer.allocUnsafeSlow(HEAD_BUFFER_BYTES))
    return this.#ring.nextBuffer(
      this.#head?.framing.kind === 'length' ? this.#remainingBytes : null,
    )
  }

  /** Returns whether to go on reading. */
  #read(bytes: Buffer): boolean {
    if (this.#exchange === null || this.#isResponseWhole) {
      // Unrequested bytes could be mistaken for the next response.
      this.#isFlawed = true
      this.socket.destroy()
      return false
    }
    try {
      if (this.#head === null) this.#readHead(bytes)
      else this.#readBody(bytes)
    } catch (error) {
      this.#fail(error as Error)
      this.socket.destroy()
      return false
    }
    this.#isPaused = this.#ring !== null && !this.#ring.isReady
    return !this.#isPaused
  }

  #readHead(bytes: Buffer): void {
    let rest = bytes
    while (this.#exchange !== null && this.#head === null && rest.length > 0) {
      const result = this.#headReader.read(rest, this.#exchange.method)
      if (result === null) return
      rest = rest.subarray(result.consumedBytes)
      if (result.head.status >= 200) this.#beginResponse(this.#exchange, result.head)
      else if (result.head.status === 100) this.#exchange.onContinue()
      else if (result.head.status === 101) throw new MalformedResponseError('unasked upgrade')
    }
    // Copied, since the head buffer is read into again; it is 16 KiB at most.
    if (rest.length > 0) this.#readBody(Buffer.from(rest))
    if (this.#head !== null && !this.#isResponseWhole && this.#exchange !== null) this.#openRing()
  }

  #beginResponse(exchange: Exchange, head: ResponseHead): void {
    this.#head = head
    if (!head.persistent) this.#isFlawed = true
    this.#keptMs = head.keepAliveTimeoutMs ?? DEFAULT_KEEP_ALIVE_MS
    this.#remainingBytes = head.framing.kind === 'length' ? head.framing.bytes : 0
    this.#chunked = head.framing.kind === 'chunked' ? createChunkedBody() : null
    exchange.onHead(head)
    if (head.framing.kind === 'none') this.#endResponse()
  }

  #readBody(bytes: Buffer): void {
    const framing = this.#head?.framing.kind
    let usedBytes = bytes.length
    if (this.#chunked !== null) {
      usedBytes = this.#chunked.read(bytes, (data) => this.#passOn(data))
      if (this.#chunked.isDone) this.#endResponse()
    } else if (framing === 'length') {
      usedBytes = Math.min(bytes.length, this.#remainingBytes)
      this.#remainingBytes -= usedBytes
      this.#passOn(usedBytes === bytes.length ? bytes : bytes.subarray(0, usedBytes))
      if (this.#remainingBytes === 0) this.#endResponse()
    } else if (framing === 'until-close') {
      this.#passOn(bytes)
    } else {
      usedBytes = 0
    }
    if (usedBytes < bytes.length) {
      this.#isFlawed = true
      this.socket.destroy()
    }
  }

  #passOn(data: Buffer): void {
    this.#exchange?.onBody(data, this.#ring?.hold() ?? ignore)
  }

  #openRing(): void {
    this.#options.budget.enter()
    this.#ring = createReadRing(this.#options.budget, () => this.#resume())
  }

  #resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.socket.resume()
  }

  #closeRing(): void {
    if (this.#ring === null) return
    this.#ring.close()
    this.#ring = null
    this.#options.budget.leave()
  }

  #readEnd(): void {
    if (this.#head?.framing.kind === 'until-close' && !this.#isResponseWhole) this.#endResponse()
    else this.#fail(new Error('the service ended the connection'))
    this.#isFlawed = true
    this.socket.destroy()
  }

  #endResponse(): void {
    const exchange = this.#exchange
    this.#isResponseWhole = true
    this.#closeRing()
    exchange?.onEnd()
    if (this.#isRequestSent) this.#becomeIdle()
  }

  #becomeIdle(): void {
    if (this.#exchange === null) return
    this.#exchange = null
    this.#head = null
    this.#chunked = null
    if (this.#isFlawed) {
      this.socket.destroy()
      return
    }
    const idleMs = Math.min(MOST_IDLE_MS, this.#keptMs - KEEP_ALIVE_MARGIN_MS)
    this.#usableUntil = this.#options.now() + Math.max(0, idleMs)
    this.#options.onIdle(this)
  }

  #fail(error: Error): void {
    const exchange = this.#exchange
    this.#exchange = null
    this.#isFlawed = true
    this.#closeRing()
    if (!this.#isResponseWhole) exchange?.onFailure(error)
  }
}

function ignore(): void {}

import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net'
import { AppError } from '@floe/errors'
import { createHeadReader, type HeadReader, type ResponseHead } from '@floe/clients'

/** For heads, and for the first bytes that come after a pause in reading. */
const SPARE_BYTES = 16 * 1024

export interface RangeConnectionOptions {
  host: string
  port: number
  connectTimeoutMs: number
  /** How long S3 may keep silent while a read waits. */
  silenceMs: number
  onClosed(connection: RangeConnection): void
}

interface Waiting<T> {
  resolve: (value: T) => void
  reject: (error: Error) => void
}

/**
 * An HTTP/1.1 connection that reads bodies straight into the memory of their reader
 * (`onread`). Node's client and the streams of an S3 client allocate and copy every 64 KiB, which
 * costs more than all else that is done with a download.
 */
export class RangeConnection {
  readonly #socket: Socket
  readonly #silenceMs: number
  readonly #spare = Buffer.allocUnsafeSlow(SPARE_BYTES)
  /** Bytes in the spare buffer that no read has taken. */
  #left: Uint8Array = this.#spare.subarray(0, 0)
  #heads: HeadReader = createHeadReader()
  #headWaiting: Waiting<ResponseHead> | null = null
  #target: Uint8Array | null = null
  #targetWaiting: Waiting<number> | null = null
  #placedBytes = 0
  /** Bytes of the body that have not arrived yet. */
  #remainingBytes = 0
  #isPersistent = false
  #failure: Error | null = null

  constructor({ host, port, connectTimeoutMs, silenceMs, onClosed }: RangeConnectionOptions) {
    this.#silenceMs = silenceMs
    const onread: OnReadOpts = {
      buffer: () => this.#nextBuffer(),
      callback: (byteCount, buffer) => this.#take(byteCount, buffer),
    }
    // Missing from the type: `net.connect` passes it on to here.
    const options: SocketConstructorOpts & { onread: OnReadOpts } = { onread }
    this.#socket = new Socket(options)
    this.#socket.setNoDelay(true).setTimeout(connectTimeoutMs)
    this.#socket.once('connect', () => this.#socket.setTimeout(silenceMs))
    this.#socket.on('timeout', () => {
      const isAwaited = this.#socket.connecting || this.#headWaiting || this.#targetWaiting
      if (isAwaited) this.#fail(away('S3 keeps silent'))
    })
    this.#socket.on('error', (error) => this.#fail(error))
    this.#socket.on('end', () => this.#fail(away('S3 ended a connection')))
    this.#socket.on('close', () => {
      this.#fail(away('S3 closed a connection'))
      onClosed(this)
    })
    this.#socket.connect(port, host)
    // Without data listeners: only so that the end of the stream is noticed.
    this.#socket.resume()
  }

  /** No response is on its way, and another may be asked for. */
  get isFree(): boolean {
    return (
      this.#failure === null &&
      this.#isPersistent &&
      this.#headWaiting === null &&
      this.#remainingBytes === 0 &&
      this.#left.byteLength === 0
    )
  }

  /** Sends the head of a GET, and resolves to that of its response, whose body has a length. */
  request(text: string): Promise<ResponseHead> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure)
      this.#headWaiting = { resolve, reject }
      this.#heads = createHeadReader()
      this.#socket.ref()
      if (!this.#socket.connecting) this.#socket.setTimeout(this.#silenceMs)
      this.#socket.write(text, 'latin1')
    })
  }

  /** Fills the target from the body: fewer bytes only where it breaks off, 0 at its end. */
  read(target: Uint8Array): Promise<number> {
    return new Promise((resolve, reject) => {
      const count = Math.min(this.#left.byteLength, target.byteLength)
      target.set(this.#left.subarray(0, count))
      this.#left = this.#left.subarray(count)
      const wanted = Math.min(target.byteLength, count + this.#remainingBytes)
      if (count === wanted) return resolve(count)
      if (this.#failure) return count > 0 ? resolve(count) : reject(this.#failure)
      this.#target = target.subarray(0, wanted)
      this.#targetWaiting = { resolve, reject }
      this.#placedBytes = count
      this.#socket.setTimeout(this.#silenceMs)
      this.#socket.resume()
    })
  }

  /** Waits without keeping the process alive; closed when S3 closes it, or says anything. */
  rest(): void {
    this.#socket.unref()
    this.#socket.resume()
  }

  destroy(): void {
    this.#fail(away('connection is closed'))
  }

  #nextBuffer(): Uint8Array {
    return this.#target === null ? this.#spare : this.#target.subarray(this.#placedBytes)
  }

  /** Returns whether to go on reading. */
  #take(byteCount: number, buffer: Uint8Array): boolean {
    if (buffer !== this.#spare) this.#place(byteCount)
    else if (this.#headWaiting !== null) this.#readHead(byteCount)
    else this.#takeSpare(this.#spare.subarray(0, byteCount))
    return this.#failure === null && (this.#headWaiting !== null || this.#target !== null)
  }

  #readHead(byteCount: number): void {
    const waiting = this.#headWaiting
    const bytes = this.#spare.subarray(0, byteCount)
    try {
      const result = this.#heads.read(bytes, 'GET')
      if (result === null) return
      const { head, consumedBytes } = result
      if (head.status < 200) throw away(`S3 responds with ${head.status}`)
      if (head.framing.kind !== 'length') throw away('S3 does not tell the length of a response')
      this.#remainingBytes = head.framing.bytes
      this.#isPersistent = head.persistent
      this.#headWaiting = null
      this.#takeSpare(bytes.subarray(consumedBytes))
      waiting?.resolve(head)
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  #takeSpare(bytes: Uint8Array): void {
    if (bytes.byteLength > this.#remainingBytes) {
      return this.#fail(away('S3 says more than it was asked for'))
    }
    if (this.#target === null) {
      this.#remainingBytes -= bytes.byteLength
      this.#left = bytes
      return
    }
    const freeBytes = this.#target.byteLength - this.#placedBytes
    this.#target.set(bytes.subarray(0, freeBytes), this.#placedBytes)
    this.#left = bytes.subarray(freeBytes)
    this.#remainingBytes -= this.#left.byteLength
    this.#place(Math.min(freeBytes, bytes.byteLength))
  }

  #place(byteCount: number): void {
    this.#placedBytes += byteCount
    this.#remainingBytes -= byteCount
    if (this.#placedBytes === this.#target?.byteLength) this.#settle()
  }

  #settle(): void {
    const waiting = this.#targetWaiting
    this.#target = null
    this.#targetWaiting = null
    if (this.#failure && this.#placedBytes === 0) waiting?.reject(this.#failure)
    else waiting?.resolve(this.#placedBytes)
  }

  #fail(error: Error): void {
    if (this.#failure) return
    this.#failure = error
    this.#headWaiting?.reject(error)
    this.#headWaiting = null
    this.#settle()
    this.#socket.destroy()
  }
}

function away(detail: string): AppError {
  return new AppError('upstream_unavailable', { detail: `object store: ${detail}` })
}

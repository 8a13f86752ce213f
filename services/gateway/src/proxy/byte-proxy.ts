import { AppError } from '@floe/errors'
import { discardBody, hasBody, type RequestFraming, requestFraming } from '@floe/http'
import {
  type BodySink,
  type Connection,
  type ConnectionPool,
  createConnectionPool,
  MalformedResponseError,
  relayBody,
  type ResponseHead,
  SilenceError,
  type TransferMemory,
} from '@floe/transfer'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { createRequestBody, type RequestBody } from './request-body.ts'
import { writeRequestHead } from './request-head.ts'
import { applyHead, writeInterim } from './response-head.ts'
import { retryPauseMs } from './retries.ts'

/** A client that sent `Expect: 100-continue` is told to go on after this long without a response. */
const CONTINUE_WAIT_MS = 1_000

/** A response that comes when the client has left already. */
const unread: BodySink = { target: () => null, fill: () => true, take: () => true }

export interface ByteProxyOptions {
  /** Base address of the service. */
  url: string
  memory: TransferMemory
  /** Does this request still wait for `100 Continue`? */
  awaitsContinue(req: Request): boolean
  /** The service is given up on after this long without a sign of life. */
  silenceMs?: number
}

export interface ByteProxy {
  handle: RequestHandler
  stop(): void
}

/**
 * Proxies file bytes to and from a service in another process. Bodies pass through as they
 * are; a client that leaves closes the service's connection behind the bytes that had come, and a
 * service that dies closes the client's, so neither side takes a part for the whole.
 */
export function createByteProxy({
  url,
  memory,
  awaitsContinue,
  silenceMs = 600_000,
}: ByteProxyOptions): ByteProxy {
  const base = new URL(url)
  const pool = createConnectionPool({ url: base, silenceMs })
  return {
    handle: (req, res, next) => {
      const framing = requestFraming(req)
      const expectsContinue = hasBody(framing) && awaitsContinue(req)
      const head = writeRequestHead(req, { host: base.host, framing, expectsContinue })
      const request = { req, res, next, head, framing, expectsContinue, memory, pool }
      sendOn(request, 0)
    },
    stop: () => pool.close(),
  }
}

interface ProxiedRequest {
  req: Request
  res: Response
  next: NextFunction
  head: string
  framing: RequestFraming
  expectsContinue: boolean
  memory: TransferMemory
  pool: ConnectionPool
}

function sendOn(request: ProxiedRequest, retries: number): void {
  // The second time around, one that was kept may be as dead as the first.
  const connection = request.pool.take({ fresh: retries > 0 })
  new Attempt(request, connection, retries).begin(connection)
}

/** A request on its way to the service, and the response on its way back. */
class Attempt {
  readonly #request: ProxiedRequest
  readonly #retries: number
  readonly #body: RequestBody
  /** Null once it is no more of this request. */
  #connection: Connection | null
  #relay: ReturnType<typeof relayBody> | null = null
  #isSent = false
  #isUntouched = true
  #invitation: NodeJS.Timeout | undefined

  constructor(request: ProxiedRequest, connection: Connection, retries: number) {
    const { req, framing, memory } = request
    this.#request = request
    this.#retries = retries
    this.#connection = connection
    this.#body = createRequestBody({
      req,
      socket: connection.socket,
      isChunked: framing.kind === 'chunked',
      memory,
      onSent: () => this.#endRequest(),
    })
  }

  begin(connection: Connection): void {
    const { req, res, head, framing, expectsContinue } = this.#request
    const { socket } = connection
    res.once('close', () => this.#leave())
    connection.begin({
      method: req.method,
      onContinue: () => this.#invite(),
      onInterim: (interim) => writeInterim(res, interim),
      onHead: (response) => this.#beginResponse(response, connection),
      onEnd: () => this.#endResponse(),
      onFailure: (error) => this.#fail(error),
    })
    socket.write(head, 'latin1')
    if (!hasBody(framing)) this.#endRequest()
    // Nothing of a body is taken before there is somebody to get it.
    if (socket.connecting) socket.once('connect', () => this.#reach())
    else this.#reach()
    if (expectsContinue) this.#invitation = setTimeout(() => this.#invite(), CONTINUE_WAIT_MS)
  }

  #reach(): void {
    const { framing, expectsContinue } = this.#request
    this.#isUntouched = false
    if (hasBody(framing) && !expectsContinue) this.#body.start()
  }

  #invite(): void {
    if (this.#invitation === undefined) return
    this.#clearInvitation()
    this.#request.res.writeContinue()
    this.#isUntouched = false
    this.#body.start()
  }

  #clearInvitation(): void {
    clearTimeout(this.#invitation)
    this.#invitation = undefined
  }

  #endRequest(): void {
    this.#isSent = true
    this.#connection?.requestSent()
  }

  #beginResponse(head: ResponseHead, connection: Connection): BodySink {
    const { res, memory } = this.#request
    if (res.destroyed) return unread
    this.#clearInvitation()
    applyHead(res, head)
    // Body bytes of the same read follow in this turn and travel with the head.
    process.nextTick(() => {
      if (!res.headersSent && !res.destroyed) res.flushHeaders()
    })
    this.#relay = relayBody({ res, framing: head.framing, memory, connection })
    return this.#relay
  }

  #endResponse(): void {
    const { req, res } = this.#request
    if (this.#isSent) {
      this.#connection = null
      this.#relay?.close()
      res.end()
      return
    }
    // A response ahead of the body's end: the service will read no more of it.
    this.#abandon()
    // A client that keeps the connection sees the end of the response now; for one that does not,
    // ending the response closes the connection, so that waits for its body.
    if (res.shouldKeepAlive) res.end()
    else void discardBody(req).then(() => res.end())
  }

  /** The client is gone, or all is over. A resumable upload goes on behind every byte that came. */
  #leave(): void {
    void this.#body.stop().then(() => this.#abandon())
  }

  /** Harmless once all is over. */
  #abandon(): void {
    this.#clearInvitation()
    void this.#body.stop()
    this.#connection?.destroy()
    this.#connection = null
    this.#relay?.close()
  }

  #fail(error: Error): void {
    const { req, res, next, framing } = this.#request
    const isUntouched = this.#isUntouched
    this.#abandon()
    if (res.destroyed) return
    if (this.#relay !== null || res.headersSent) {
      // Ending it would make a truncated body look complete.
      res.destroy()
      return
    }
    const mayRepeat = !(error instanceof SilenceError || error instanceof MalformedResponseError)
    const { method } = req
    const pauseMs = mayRepeat
      ? retryPauseMs({ method, framing, retries: this.#retries, isUntouched })
      : null
    if (pauseMs === null) return next(new AppError('upstream_unavailable', { cause: error }))
    setTimeout(() => {
      if (!res.destroyed) sendOn(this.#request, this.#retries + 1)
    }, pauseMs)
  }
}

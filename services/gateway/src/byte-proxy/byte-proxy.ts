import { MalformedResponseError, type ResponseHead } from '@floe/clients'
import { AppError } from '@floe/errors'
import { discardBody, hasBody, type RequestFraming, requestFraming } from '@floe/http'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { applyHead } from '../edge/response-head.ts'
import { type ConnectionPool, createConnectionPool } from './connection-pool.ts'
import { writeRequestHead } from './request-head.ts'
import { createRequestSender, type RequestSender } from './request-sender.ts'
import type { TransferBudget } from './transfer-budget.ts'
import { SilenceError, type UpstreamConnection } from './upstream-connection.ts'

/** A client that sent `Expect: 100-continue` is told to go on after this long without a response. */
const CONTINUE_WAIT_MS = 1_000
/** Pauses before a request without a response is sent a second and a third time. */
const RETRY_PAUSES_MS = [0, 200]

export interface ByteProxyOptions {
  /** Base address of the service. */
  url: string
  budget: TransferBudget
  now: () => number
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
 * are; a client that leaves closes the service's connection at once, and a service that dies
 * closes the client's, so neither side takes a part for the whole.
 */
export function createByteProxy({
  url,
  budget,
  now,
  awaitsContinue,
  silenceMs = 600_000,
}: ByteProxyOptions): ByteProxy {
  const base = new URL(url)
  const pool = createConnectionPool({ url: base, budget, now, silenceMs })
  return {
    handle: (req, res, next) => {
      const framing = requestFraming(req)
      const expectsContinue = hasBody(framing) && awaitsContinue(req)
      const head = writeRequestHead(req, { host: base.host, framing, expectsContinue })
      new ProxiedRequest({ req, res, next, head, framing, expectsContinue, budget, pool }).begin()
    },
    stop: () => pool.close(),
  }
}

interface ProxiedRequestOptions {
  req: Request
  res: Response
  next: NextFunction
  head: string
  framing: RequestFraming
  expectsContinue: boolean
  budget: TransferBudget
  pool: ConnectionPool
}

/** One request while it is proxied. */
class ProxiedRequest {
  readonly #options: ProxiedRequestOptions
  #connection: UpstreamConnection | null = null
  #sender: RequestSender | null = null
  #isRequestSent = false
  #hasHead = false
  #mayHaveArrived = false
  #attempts = 0
  #continueTimer: NodeJS.Timeout | null = null

  constructor(options: ProxiedRequestOptions) {
    this.#options = options
    options.res.on('close', () => this.#clientClosed())
  }

  begin(): void {
    const { req, head, framing, budget, expectsContinue, pool } = this.#options
    // The second time around, one that was kept may be as dead as the first.
    const connection = pool.take({ fresh: this.#attempts > 0 })
    this.#connection = connection
    this.#isRequestSent = false
    connection.begin({
      method: req.method,
      onContinue: () => this.#inviteBody(),
      onHead: (response) => this.#applyHead(response),
      onBody: (data, written) => this.#options.res.write(data, written),
      onEnd: () => this.#endResponse(),
      onFailure: (error) => this.#fail(error),
    })
    const { socket } = connection
    socket.write(head, 'latin1')
    if (!hasBody(framing)) {
      this.#requestSent()
    } else {
      const isChunked = framing.kind === 'chunked'
      const onSent = () => this.#requestSent()
      this.#sender = createRequestSender({ req, socket, isChunked, budget, onSent })
    }
    // Nothing of a body is taken before there is somebody to get it.
    if (socket.connecting) socket.once('connect', () => this.#reached())
    else this.#reached()
    if (expectsContinue)
      this.#continueTimer = setTimeout(() => this.#inviteBody(), CONTINUE_WAIT_MS)
  }

  #reached(): void {
    this.#mayHaveArrived = true
    if (!this.#options.expectsContinue) this.#sender?.start()
  }

  #requestSent(): void {
    this.#isRequestSent = true
    this.#connection?.requestSent()
  }

  #inviteBody(): void {
    if (this.#continueTimer === null) return
    this.#clearContinueTimer()
    this.#options.res.writeContinue()
    this.#mayHaveArrived = true
    this.#sender?.start()
  }

  #clearContinueTimer(): void {
    if (this.#continueTimer !== null) clearTimeout(this.#continueTimer)
    this.#continueTimer = null
  }

  #applyHead(head: ResponseHead): void {
    const { res } = this.#options
    this.#hasHead = true
    this.#clearContinueTimer()
    applyHead(res, head)
    // Body bytes of the same read follow in this turn and travel with the head.
    process.nextTick(() => {
      if (!res.headersSent && !res.destroyed) res.flushHeaders()
    })
  }

  #endResponse(): void {
    if (this.#isRequestSent) {
      this.#connection = null
      this.#options.res.end()
      return
    }
    // A response ahead of the body's end: the service will read no more of it.
    this.#abandonUpstream()
    this.#endEarly()
  }

  #endEarly(): void {
    const { req, res } = this.#options
    // A client that keeps the connection sees the end of the response now; for one that does not,
    // ending the response closes the connection, so that waits for its body.
    if (res.shouldKeepAlive) res.end()
    else void discardBody(req).then(() => res.end())
  }

  #clientClosed(): void {
    this.#abandonUpstream()
  }

  #abandonUpstream(): void {
    this.#clearContinueTimer()
    this.#sender?.stop()
    this.#connection?.destroy()
    this.#connection = null
  }

  #fail(error: Error): void {
    const { res, next } = this.#options
    this.#abandonUpstream()
    if (res.destroyed) return
    if (this.#hasHead || res.headersSent) {
      // Ending it would make a truncated body look complete.
      res.destroy()
      return
    }
    const pauseMs = this.#mayRepeat(error) ? RETRY_PAUSES_MS[this.#attempts++] : undefined
    if (pauseMs !== undefined) {
      setTimeout(() => {
        if (!res.destroyed) this.begin()
      }, pauseMs)
      return
    }
    next(new AppError('upstream_unavailable', { cause: error }))
  }

  /** RFC 9110 §9.2.2: what has reached nobody, or changes nothing, may be sent twice. */
  #mayRepeat(error: Error): boolean {
    if (error instanceof SilenceError || error instanceof MalformedResponseError) return false
    const { req, framing } = this.#options
    const isSafe = !hasBody(framing) && ['GET', 'HEAD', 'OPTIONS'].includes(req.method)
    return isSafe || !this.#mayHaveArrived
  }
}

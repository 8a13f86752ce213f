import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { ServiceAgent } from '@floe/clients'
import { AppError } from '@floe/errors'
import { type RequestFraming, requestFraming } from '@floe/http'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { connectionNames, forwardedHeaders, framingHeaders, travels } from '../edge/forwarding.ts'
import { applyHead, type UpstreamHead } from './response-head.ts'
import { retryPauseMs } from './retries.ts'

export interface JsonProxy {
  handle: RequestHandler
  stop(): void
}

interface PendingRequest {
  next: NextFunction
  framing: RequestFraming
  /** The received headers. */
  headers: IncomingHttpHeaders
  retries: number
}

/** Proxies JSON to and from a service in another process. File bytes take the byte proxy. */
export function createJsonProxy({ url }: { url: string }): JsonProxy {
  const agent = new ServiceAgent({ maxSockets: 256 })
  const pending = new WeakMap<Request, PendingRequest>()
  const proxy = createProxyMiddleware<Request, Response>({
    target: url,
    changeOrigin: true,
    agent,
    // The proxy would spell names in its own way, and decide how the client's connection goes on.
    selfHandleResponse: true,
    on: {
      proxyReq: (proxyReq, req, res) => {
        // Restores the received headers: they decide how the client's own connection goes on.
        req.headers = pending.get(req)?.headers ?? req.headers
        // A client that leaves takes its request with it, also one that waited for a connection.
        if (res.destroyed) proxyReq.destroy()
      },
      proxyRes: (proxyRes, _req, res) => {
        applyHead(res, headOf(proxyRes))
        // A half-sent response would be left open, or ended as if it were whole.
        proxyRes.once('error', () => res.destroy())
        proxyRes.once('aborted', () => res.destroy())
        proxyRes.pipe(res)
      },
      error: (cause, req, res) => {
        // It is a socket where a connection was to be upgraded, which no service does.
        if (!('headersSent' in res) || res.destroyed) return
        const waiting = pending.get(req)
        if (res.headersSent || waiting === undefined) {
          res.destroy()
          return
        }
        // Its body may have been read: whether any of it arrived makes no difference.
        const pauseMs = retryPauseMs({ method: req.method, isUntouched: false, ...waiting })
        if (pauseMs === null) {
          waiting.next(new AppError('upstream_unavailable', { cause }))
        } else {
          waiting.retries += 1
          setTimeout(() => pass(req, res, waiting), pauseMs)
        }
      },
    },
  })
  function pass(req: Request, res: Response, { framing }: PendingRequest): void {
    if (res.destroyed) return
    // Here and not when there is a connection: a request that waits for one has sent its head by
    // then as far as Node is concerned.
    req.headers = headersToSend(req, framing)
    // It reports a failure a second time by `next`.
    void proxy(req, res, () => undefined)
  }

  return {
    handle: (req, res, next) => {
      const waiting = { next, framing: requestFraming(req), headers: req.headers, retries: 0 }
      pending.set(req, waiting)
      pass(req, res, waiting)
    },
    stop: () => agent.destroy(),
  }
}

function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage): UpstreamHead {
  const headers: [string, string][] = []
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    headers.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? ''])
  }
  return { status: statusCode ?? 502, reason: statusMessage ?? '', headers }
}

function headersToSend(req: Request, framing: RequestFraming): IncomingHttpHeaders {
  const privateNames = connectionNames(req)
  const kept = Object.entries(req.headers).filter(
    ([name]) => travels(name) && !privateNames.has(name),
  )
  const own = [...forwardedHeaders(req), ...framingHeaders(framing)]
  return Object.fromEntries([
    ...kept,
    ...own.map(([name, value]): [string, string] => [name.toLowerCase(), value]),
  ])
}

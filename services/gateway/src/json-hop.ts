import { Agent, type ClientRequest, type ServerResponse } from 'node:http'
import { AppError } from '@floe/errors'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { connectionNames, forwardedHeaders, travels } from './edge/forwarding.ts'

export interface JsonHop {
  handle: RequestHandler
  stop(): void
}

/** The way of JSON to and from a service in another process. File bytes take the byte hop. */
export function createJsonHop({ url }: { url: string }): JsonHop {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const pending = new WeakMap<Request, NextFunction>()
  const proxy = createProxyMiddleware<Request, Response>({
    target: url,
    changeOrigin: true,
    agent,
    on: {
      proxyReq: (proxyReq, req, res) => {
        prepareRequest(proxyReq, req)
        // A client that leaves takes its request with it.
        res.once('close', () => {
          if (!res.writableFinished) proxyReq.destroy()
        })
      },
      proxyRes: (proxyRes, _req, res) => {
        for (const name of ['date', 'keep-alive', 'connection', 'transfer-encoding']) {
          delete proxyRes.headers[name]
        }
        // The proxy would leave a half-sent answer open, or end it.
        proxyRes.once('error', () => res.destroy())
        proxyRes.once('aborted', () => res.destroy())
      },
      error: (cause, req, res) => {
        if (!isResponse(res) || res.destroyed) return
        if (res.headersSent) res.destroy()
        else pending.get(req)?.(new AppError('upstream_unavailable', { cause }))
      },
    },
  })
  return {
    handle: (req, res, next) => {
      pending.set(req, next)
      void proxy(req, res, next)
    },
    stop: () => agent.destroy(),
  }
}

function prepareRequest(proxyReq: ClientRequest, req: Request): void {
  const privateNames = connectionNames(req)
  for (const name of proxyReq.getHeaderNames()) {
    if (name === 'host' || name === 'transfer-encoding') continue
    if (!travels(name) || privateNames.has(name)) proxyReq.removeHeader(name)
  }
  for (const [name, value] of forwardedHeaders(req)) proxyReq.setHeader(name, value)
  proxyReq.setHeader('Connection', 'keep-alive')
}

function isResponse(value: object): value is ServerResponse {
  return 'headersSent' in value
}

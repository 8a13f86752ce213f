import type { Request, RequestHandler } from 'express'
import { performance } from 'node:perf_hooks'

/** What can be told of a request once its connection is done with it. */
export interface CompletedRequest {
  req: Request
  /** The pattern of its route, never what stood in its path. */
  route: string
  status: number
  durationMs: number
  /** The client did not get the whole response. */
  isAborted: boolean
}

export interface WatchRequestsOptions {
  /** Names a path, which comes without its query. */
  nameRoute(path: string): string
  onResponse(completed: CompletedRequest): void
}

export function watchRequests({ nameRoute, onResponse }: WatchRequestsOptions): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now()
    res.once('close', () => {
      onResponse({
        req,
        route: nameRoute(req.originalUrl.split('?', 1)[0] ?? ''),
        status: res.statusCode,
        durationMs: Math.round(performance.now() - startedAt),
        isAborted: !res.writableFinished,
      })
    })
    next()
  }
}

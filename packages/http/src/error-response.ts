import { STATUS_CODES } from 'node:http'
import { ERROR_CODE_HEADER, type ErrorCode, errorEntry } from '@floe/contracts'
import { AppError, isAppError, isOutage } from '@floe/errors'
import { requestIdOf } from './request-context.ts'
import { discardBody } from './discard-body.ts'
import { requestProblem } from './framing.ts'
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'

/** Where a request that failed inside leaves its trace. */
export interface ErrorLog {
  error(
    fields: { err: unknown; requestId?: string; method: string; route: string | undefined },
    text: string,
  ): void
}

/** When to try again after an outage: databases and stores are back within seconds, or for good. */
const retryAfterSeconds = 1

/** Library errors become ours here, at the edge; anything unknown is `internal`. */
export function toAppError(error: unknown): AppError {
  const { cause, detail } = isAppError(error, 'internal') ? error : { cause: error }
  if (isOutage(cause)) {
    return new AppError('upstream_unavailable', {
      cause,
      ...(detail !== undefined && { detail }),
      headers: { 'Retry-After': String(retryAfterSeconds) },
    })
  }
  if (isAppError(error)) return error
  const { type, status } = (error ?? {}) as { type?: unknown; status?: unknown }
  if (type === 'entity.parse.failed') return new AppError('invalid_json', { cause: error })
  if (type === 'entity.too.large') return new AppError('payload_too_large', { cause: error })
  if (type === 'encoding.unsupported' || type === 'charset.unsupported') {
    return new AppError('unsupported_media_type', { cause: error })
  }
  if (error instanceof URIError) return new AppError('invalid_path', { cause: error })
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new AppError('validation_failed', { cause: error, issues: ['The request is not valid'] })
  }
  return new AppError('internal', { cause: error })
}

/** The published body. Some answers have fixed members: their code is in the header only. */
export function errorBody(error: AppError): Record<string, unknown> {
  const { status, phrase } = errorEntry(error.code)
  if (error.code === 'unexpected_chunk_index') {
    return { message: error.message, error: error.code, ...error.body }
  }
  if (hasFixedBody(error.code)) return { statusCode: status, message: error.message }
  return {
    statusCode: status,
    message: error.issues ?? error.message,
    error: phrase ? (STATUS_CODES[status] ?? 'Error') : error.code,
    code: error.code,
    ...error.body,
  }
}

function hasFixedBody(code: ErrorCode): boolean {
  return code === 'share_too_large' || code === 'chunk_too_large' || code === 'too_many_requests'
}

/** What is away for a moment, such as a process that is being replaced. */
const passing: ReadonlySet<ErrorCode> = new Set(['upstream_unavailable', 'not_ready'])

/** Not there yet, and nobody's failure. */
const awaited: ReadonlySet<ErrorCode> = new Set(['archive_not_ready'])

export function sendError(res: Response, error: AppError): void {
  res.status(error.status).set({
    ...(passing.has(error.code) && { 'Retry-After': '1' }),
    ...error.headers,
    [ERROR_CODE_HEADER]: error.code,
  })
  const body = errorBody(error)
  if (res.getHeader('Connection') === 'close') sendLast(res, JSON.stringify(body))
  else res.json(body)
}

/** A sender that only reads the response once its body is sent. */
const LAST_LINGER_MS = 2_000

/** Node closes the connection when such a response ends, so that waits for the body. */
function sendLast(res: Response, text: string): void {
  res.type('json').set('Content-Length', String(Buffer.byteLength(text)))
  res.write(text)
  void discardBody(res.req, LAST_LINGER_MS).then(() => res.end())
}

/** Ahead of all else that looks at a request: those whose end is in doubt, or that expect too much. */
export function refuseDoubtful(): RequestHandler {
  return (req, _res, next) => next(requestProblem(req) ?? undefined)
}

export function notFoundHandler(): RequestHandler {
  return (req) => {
    throw new AppError('route_not_found', { message: `Cannot ${req.method} ${req.path}` })
  }
}

/** Not the path, which may hold a capability or somebody's address; the request id finds its line. */
function routePattern(req: Request): string | undefined {
  const { path } = (req.route ?? {}) as { path?: string }
  return path
}

export function errorHandler(log: ErrorLog): ErrorRequestHandler {
  return (thrown, req, res, next) => {
    const error = toAppError(thrown)
    if (error.status >= 500 && !awaited.has(error.code)) {
      log.error(
        {
          err: error.cause ?? error,
          requestId: requestIdOf(req),
          method: req.method,
          route: routePattern(req),
        },
        error.detail ?? error.message,
      )
    }
    if (res.headersSent) {
      // Ending it would make a truncated body look complete.
      res.destroy()
      return
    }
    if (res.destroyed) return next()
    sendError(res, error)
  }
}

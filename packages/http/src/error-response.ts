import { STATUS_CODES } from 'node:http'
import { DIRECT_UPLOAD_PATH, ERROR_CODE_HEADER, type ErrorCode, errorEntry } from '@floe/contracts'
import { AppError, isAppError, isOutage, type RateLimitUsage } from '@floe/errors'
import { requestIdOf } from './request-id.ts'
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

/** Failures of the body parsers. */
const parserCodes: Readonly<Record<string, ErrorCode>> = {
  'entity.parse.failed': 'invalid_json',
  'entity.too.large': 'payload_too_large',
  'encoding.unsupported': 'unsupported_media_type',
  'charset.unsupported': 'unsupported_media_type',
}

/** Library errors become ours here, at the edge; anything unknown is `internal`. */
export function toAppError(error: unknown): AppError {
  const { cause, detail } = isAppError(error, 'internal') ? error : { cause: error }
  if (isOutage(cause)) {
    return new AppError('upstream_unavailable', { cause, ...(detail !== undefined && { detail }) })
  }
  if (isAppError(error)) return error
  if (error instanceof URIError) return new AppError('invalid_path', { cause: error })
  return fromLibraryError(error)
}

function fromLibraryError(cause: unknown): AppError {
  const { type, status } = (cause ?? {}) as { type?: unknown; status?: unknown }
  const code = typeof type === 'string' ? parserCodes[type] : undefined
  if (code !== undefined) return new AppError(code, { cause })
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new AppError('validation_failed', { cause, issues: ['The request is not valid'] })
  }
  return new AppError('internal', { cause })
}

export function statusOf({ code }: AppError): number {
  return errorEntry(code).status
}

/** The published body. Some responses have fixed members: their code is in the header only. */
export function errorBody(error: AppError): Record<string, unknown> {
  const { status, phrase } = errorEntry(error.code)
  if (error.code === 'unexpected_chunk_index') {
    return { message: error.message, error: error.code, ...error.members }
  }
  if (hasFixedBody(error.code)) return { statusCode: status, message: error.message }
  return {
    statusCode: status,
    message: error.issues ?? error.message,
    error: phrase ? (STATUS_CODES[status] ?? 'Error') : error.code,
    code: error.code,
    ...error.members,
  }
}

function hasFixedBody(code: ErrorCode): boolean {
  return code === 'share_too_large' || code === 'chunk_too_large' || code === 'too_many_requests'
}

/** What is away for a moment, such as a process that is being replaced, is back within seconds. */
const temporary: ReadonlySet<ErrorCode> = new Set(['upstream_unavailable', 'not_ready'])

/** Expected while something is being prepared: no failure to log. */
const expected: ReadonlySet<ErrorCode> = new Set([
  'archive_not_ready',
  'file_not_scanned',
  'share_being_scanned',
])

/** What follows such a request on its connection cannot be trusted to be a request. */
const endsConnection: ReadonlySet<ErrorCode> = new Set(['ambiguous_request', 'expectation_failed'])

export function errorHeaders(error: AppError): Record<string, string> {
  const { code, rateLimit } = error
  const retryAfterSeconds = error.retryAfterSeconds ?? (temporary.has(code) ? 1 : undefined)
  return {
    [ERROR_CODE_HEADER]: code,
    ...(rateLimit !== undefined && rateLimitHeaders(rateLimit)),
    // RFC 9110 §10.2.3
    ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
    ...(endsConnection.has(code) && { Connection: 'close' }),
  }
}

export function rateLimitHeaders({
  points,
  remaining,
  resetSeconds,
}: RateLimitUsage): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(points),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetSeconds),
  }
}

export function sendError(res: Response, error: AppError): void {
  res.status(statusOf(error)).set(errorHeaders(error))
  if (prefersLine(res.req)) return sendLine(res, error)
  const body = errorBody(error)
  if (res.getHeader('Connection') === 'close') sendLast(res.type('json'), JSON.stringify(body))
  else res.json(body)
}

const directUploads = new RegExp(`^${DIRECT_UPLOAD_PATH}(?:[/?]|$)`)

/** A terminal shows what comes: one line, unless JSON was asked for. */
function prefersLine(req: Request): boolean {
  if (!directUploads.test(req.originalUrl)) return false
  return !/\bapplication\/json\b/i.test(req.get('accept') ?? '')
}

function sendLine(res: Response, { issues, message }: AppError): void {
  const text = `${issues?.join('; ') ?? message}\n`
  res.type('text/plain')
  if (res.getHeader('Connection') === 'close') sendLast(res, text)
  else res.send(text)
}

/** A sender that only reads the response once its body is sent. */
const LAST_LINGER_MS = 2_000

/** Node closes the connection when such a response ends, so that waits for the body. */
function sendLast(res: Response, text: string): void {
  res.set('Content-Length', String(Buffer.byteLength(text)))
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

/** Not the path, which may hold a capability or an e-mail address; the request id finds its line. */
function routePattern(req: Request): string | undefined {
  const { path } = (req.route ?? {}) as { path?: string }
  return path
}

export function errorHandler(log: ErrorLog): ErrorRequestHandler {
  return (thrown, req, res, next) => {
    const error = toAppError(thrown)
    if (statusOf(error) >= 500 && !expected.has(error.code)) {
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

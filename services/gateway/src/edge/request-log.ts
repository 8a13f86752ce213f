import { REQUEST_ID_HEADER } from '@floe/contracts'
import type { ErrorLog } from '@floe/http'
import type { RequestHandler } from 'express'

/** The part of a pino logger the gateway writes to. */
export interface GatewayLog extends ErrorLog {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
}

/**
 * In these paths the next segment opens something: an upload, an account, a reverse share. The page
 * finds its screens whatever the case.
 */
const secretAfter =
  /^(\/api\/uploads|\/api\/reverseShares(?:\/isReverseShareTokenAvailable)?|\/api\/auth\/resetPassword|\/auth\/(?:resetPassword|totp|verify)|\/upload)\/[^/]+/i

/** The path as the log may show it: no query, no capability, no address. */
export function loggedPath(url: string): string {
  return (url.split('?', 1)[0] ?? '').replace(secretAfter, '$1/[redacted]')
}

/** One line a request, when its connection is done with it. */
export function logRequests(log: GatewayLog, clock: () => Date): RequestHandler {
  return (req, res, next) => {
    const startedAt = clock().getTime()
    res.once('close', () => {
      log.info(
        {
          requestId: String(res.getHeader(REQUEST_ID_HEADER) ?? ''),
          method: req.method,
          path: loggedPath(req.originalUrl),
          status: res.statusCode,
          durationMs: clock().getTime() - startedAt,
          clientAddress: req.ip ?? '',
          ...(res.writableFinished ? {} : { aborted: true }),
        },
        'request',
      )
    })
    next()
  }
}

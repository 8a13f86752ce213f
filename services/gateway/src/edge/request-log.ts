import { findPage, pages, routes, shareIdSchema, SHORT_SHARE_PATH } from '@floe/contracts'
import { type CompletedRequest, createPatternFinder, type ErrorLog, requestIdOf } from '@floe/http'
import { isFilePath } from '../page/file-paths.ts'

/** The part of a pino logger the gateway writes to. */
export interface GatewayLog extends ErrorLog {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
}

const findRoute = createPatternFinder([...Object.values(routes), { path: SHORT_SHARE_PATH }])

/**
 * The pattern of what a path asks for. There are some hundred of them, whatever is asked for: what
 * nobody knows is one, and so are all files of the page.
 */
export function nameRoute(path: string): string {
  const route = findRoute(path)
  if (route !== null) return route
  const page = findPage(path)
  if (page !== null) return pages[page].path
  if (isFilePath(path)) return `/${path.split('/', 2)[1]}/*`
  if (path.startsWith('/api/docs')) return '/api/docs/*'
  return path.startsWith('/api/') ? '/api/*' : '/*'
}

/** The one part of a path that a log needs: everybody who may read the log may list the shares. */
export function namedShare(route: string, path: string): string | null {
  const position = route.split('/').findIndex((part, i, parts) => {
    return part.startsWith(':') && ['shares', 'share', 's'].includes(parts[i - 1] ?? '')
  })
  if (position < 0) return null
  const { success, data } = shareIdSchema.safeParse(path.split('/')[position])
  return success ? data : null
}

/** One line a request, when its connection is done with it. */
export function logRequest(log: GatewayLog, finished: CompletedRequest): void {
  const { req, route, status, durationMs, isAborted } = finished
  const shareId = namedShare(route, req.originalUrl.split('?', 1)[0] ?? '')
  log.info(
    {
      requestId: requestIdOf(req),
      method: req.method,
      route,
      ...(shareId !== null && { shareId }),
      status,
      durationMs,
      clientAddress: req.ip ?? '',
      ...(isAborted && { aborted: true }),
    },
    'request',
  )
}

import { COMMAND_LINE_PATH, DIRECT_UPLOAD_PATH } from '@floe/contracts'
import type { RequestHandler, Response } from 'express'
import helmet from 'helmet'

const YEAR_SECONDS = 31_536_000

/** Where no page is. */
const API_PATHS = ['/api', DIRECT_UPLOAD_PATH, COMMAND_LINE_PATH]

/** Emails show it, inside pages of other sites. */
const LOGO_PATH = '/img/logo.png'

const PAGE_POLICY = [
  "default-src 'self'",
  // WebAssembly computes SHA-256 and Argon2id of encrypted shares: this allows it, and no `eval`.
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self' data:",
  "frame-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'self'",
].join(';')

/** JSON needs nothing; a route that returns content sets its own policy over this one. */
const API_POLICY = "default-src 'none';frame-ancestors 'self'"

/** The documentation reader styles itself inline and shows images it carries in its style sheet. */
const READER_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join(';')

export type ContentKind = 'page' | 'api' | 'reader'

const policies: Record<ContentKind, string> = {
  page: PAGE_POLICY,
  api: API_POLICY,
  reader: READER_POLICY,
}

export function setContentPolicy(res: Response, kind: ContentKind): void {
  res.setHeader('Content-Security-Policy', policies[kind])
}

export function isApiPath(path: string): boolean {
  return API_PATHS.some((api) => path === api || path.startsWith(`${api}/`))
}

/**
 * Headers for every response; a route may replace them. API responses are private and not cached
 * unless their route says so. HSTS is sent over TLS only, so that plain installs stay usable.
 */
export function setSecurityHeaders(): RequestHandler {
  const common = helmet({
    contentSecurityPolicy: false,
    strictTransportSecurity: false,
    // `no-referrer` would turn the Origin of our own form posts into `null`.
    referrerPolicy: { policy: 'same-origin' },
  })
  const hsts = helmet.strictTransportSecurity({ maxAge: YEAR_SECONDS, includeSubDomains: false })
  return (req, res, next) => {
    const isApi = isApiPath(req.path)
    setContentPolicy(res, isApi ? 'api' : 'page')
    if (isApi) res.setHeader('Cache-Control', 'no-store')
    common(req, res, (error?: unknown) => {
      if (req.path === LOGO_PATH) res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
      if (error || !req.secure) next(error)
      else hsts(req, res, next)
    })
  }
}

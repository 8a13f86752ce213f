import { AppError } from '@floe/errors'
import type { RequestHandler } from 'express'

/**
 * Refuses paths that cannot be decoded, or hide a NUL, before anything matches on them, and takes
 * the origin off an absolute-form target (RFC 9112 §3.2.2).
 */
export function checkPath(): RequestHandler {
  return (req, _res, next) => {
    if (!req.url.startsWith('/')) {
      const relative = /^https?:\/\/[^/?#]*(\/[^#]*)?$/i.exec(req.url)
      if (!relative) throw new AppError('invalid_path')
      req.url = req.originalUrl = relative[1] ?? '/'
    }
    const [path = ''] = req.url.split('?', 1)
    if (decode(path).includes('\0')) throw new AppError('invalid_path')
    next()
  }
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch (cause) {
    throw new AppError('invalid_path', { cause })
  }
}

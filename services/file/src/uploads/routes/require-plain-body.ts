import { AppError } from '@floe/errors'
import type { Request } from 'express'

/**
 * What is sent is stored as it is: a body in a coding, or a form around it, would become the file.
 * Fails with unsupported_media_type.
 */
export function requirePlainBody(req: Request): void {
  const isCoded = !/^\s*(identity)?\s*$/i.test(req.get('Content-Encoding') ?? '')
  const isForm = /^\s*multipart\//i.test(req.get('Content-Type') ?? '')
  if (isCoded || isForm) throw new AppError('unsupported_media_type')
}

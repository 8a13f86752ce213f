import { AppError } from '@floe/errors'
import type { Request } from 'express'
import { connectionNames, forwardedHeaders, travels } from '../edge/forwarding.ts'

/** How the request's body travels; exactly one of the two framings is ever forwarded. */
export type RequestBody = 'none' | 'length' | 'chunked'

/**
 * Decides the body's framing (RFC 9112 §6.3) from what the server parsed. Node refuses most
 * contradictions itself; they are refused here again, because two parsers that disagree about the
 * end of a body let one client speak in another's name.
 */
export function requestBody(req: Request): RequestBody {
  const coding = req.headers['transfer-encoding']
  const length = req.headers['content-length']
  if (coding !== undefined && length !== undefined) {
    throw badRequest('both Content-Length and Transfer-Encoding')
  }
  if (coding !== undefined) {
    if (coding.trim().toLowerCase() !== 'chunked') throw badRequest('unknown transfer coding')
    return 'chunked'
  }
  if (length === undefined || length === '0') return 'none'
  if (!/^\d{1,16}$/.test(length)) throw badRequest('bad Content-Length')
  return 'length'
}

/** The request's head as bytes for the service. `target` is the public path with its query. */
export function writeRequestHead(
  req: Request,
  { host, body, expectsContinue }: { host: string; body: RequestBody; expectsContinue: boolean },
): string {
  const target = req.originalUrl
  if (!/^\/[\x21-\x7e\x80-\xff]*$/.test(target)) throw new AppError('invalid_path')
  const privateNames = connectionNames(req)
  const lines = [`${req.method} ${target} HTTP/1.1`, `Host: ${host}`]
  for (let i = 0; i + 1 < req.rawHeaders.length; i += 2) {
    const name = req.rawHeaders[i] as string
    const lowerName = name.toLowerCase()
    if (lowerName === 'content-length' || !travels(lowerName) || privateNames.has(lowerName))
      continue
    lines.push(`${name}: ${req.rawHeaders[i + 1] as string}`)
  }
  for (const [name, value] of forwardedHeaders(req)) lines.push(`${name}: ${value}`)
  const length = req.headers['content-length']
  if (body === 'chunked') lines.push('Transfer-Encoding: chunked')
  else if (length !== undefined) lines.push(`Content-Length: ${length}`)
  if (expectsContinue) lines.push('Expect: 100-continue')
  lines.push('Connection: keep-alive', '', '')
  return lines.join('\r\n')
}

function badRequest(detail: string): AppError {
  return new AppError('validation_failed', { detail, issues: ['The request is not valid'] })
}

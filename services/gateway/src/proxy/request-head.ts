import { AppError } from '@floe/errors'
import type { RequestFraming } from '@floe/http'
import type { Request } from 'express'
import { connectionNames, forwardedHeaders, framingHeaders, travels } from '../edge/forwarding.ts'

/** The request's head as bytes for the service. `target` is the public path with its query. */
export function writeRequestHead(
  req: Request,
  {
    host,
    framing,
    expectsContinue,
  }: { host: string; framing: RequestFraming; expectsContinue: boolean },
): string {
  const target = req.originalUrl
  if (!/^\/[\x21-\x7e\x80-\xff]*$/.test(target)) throw new AppError('invalid_path')
  const privateNames = connectionNames(req)
  const lines = [`${req.method} ${target} HTTP/1.1`, `Host: ${host}`]
  for (let i = 0; i + 1 < req.rawHeaders.length; i += 2) {
    const name = req.rawHeaders[i] as string
    const lowerName = name.toLowerCase()
    if (!travels(lowerName) || privateNames.has(lowerName)) continue
    lines.push(`${name}: ${req.rawHeaders[i + 1] as string}`)
  }
  for (const [name, value] of forwardedHeaders(req)) lines.push(`${name}: ${value}`)
  for (const [name, value] of framingHeaders(framing)) lines.push(`${name}: ${value}`)
  if (expectsContinue) lines.push('Expect: 100-continue')
  lines.push('Connection: keep-alive', '', '')
  return lines.join('\r\n')
}

import { randomUUID } from 'node:crypto'
import { REQUEST_ID_HEADER } from '@floe/contracts'
import type { RequestHandler } from 'express'
import { isFromTrustedProxy } from './forwarding.ts'

const sanePattern = /^[A-Za-z0-9._:-]{8,128}$/

/**
 * Gives each request one id, for the log, the services and the answer. A proxy's own id is kept;
 * anyone else's could forge entries of the log.
 */
export function assignRequestId(): RequestHandler {
  return (req, res, next) => {
    const given = req.get(REQUEST_ID_HEADER) ?? ''
    const id = isFromTrustedProxy(req) && sanePattern.test(given) ? given : randomUUID()
    req.headers[REQUEST_ID_HEADER.toLowerCase()] = id
    res.setHeader(REQUEST_ID_HEADER, id)
    next()
  }
}

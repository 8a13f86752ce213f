import { REQUEST_ID_HEADER } from '@floe/contracts'
import { inRequest, isRequestId } from '@floe/log'
import type { Request, RequestHandler } from 'express'
import { randomUUID } from 'node:crypto'

/**
 * Gives each request one id, for the log, the services and the response: the one it brings where
 * `trusts` says so, otherwise a new one. Everything done for it from here on knows the id.
 */
export function assignRequestId(trusts: (req: Request) => boolean): RequestHandler {
  return (req, res, next) => {
    const given = req.get(REQUEST_ID_HEADER)
    const requestId = trusts(req) && isRequestId(given) ? given : randomUUID()
    req.headers[REQUEST_ID_HEADER.toLowerCase()] = requestId
    res.setHeader(REQUEST_ID_HEADER, requestId)
    inRequest({ requestId }, next)
  }
}

/** The id that `assignRequestId` gave. */
export function requestIdOf(req: Request): string {
  return req.get(REQUEST_ID_HEADER) ?? ''
}

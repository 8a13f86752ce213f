import { AppError } from '@floe/errors'
import type { RequestHandler } from 'express'

/** For bodies that are read whole; uploads have no such end. */
const BODY_DEADLINE_MS = 60_000

/**
 * A body parser with an end: `payload_too_large` by the announced length before anything is read,
 * or as soon as more has come; `request_timeout` when it has not come within a minute. Express's
 * own would first read all that is sent, however much and however slowly.
 */
export function boundedBody(
  parse: RequestHandler,
  limitBytes: number,
  deadlineMs = BODY_DEADLINE_MS,
): RequestHandler {
  return (req, res, next) => {
    if (Number(req.get('content-length') ?? 0) > limitBytes) throw tooLarge()
    let receivedBytes = 0
    let isOver = false
    const finish = (error?: unknown) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      req.off('data', count)
      next(error)
    }
    const timer = setTimeout(() => finish(new AppError('request_timeout')), deadlineMs)
    const count = ({ length }: Buffer) => {
      receivedBytes += length
      if (receivedBytes > limitBytes) finish(tooLarge())
    }
    parse(req, res, finish)
    if (!isOver) req.on('data', count)
  }
}

function tooLarge(): AppError {
  return new AppError('payload_too_large')
}

import { type DestinationStream, pino, type Logger } from 'pino'
import { gatherLines } from './gather-lines.ts'
import { redactFields, redactLine } from './redact.ts'
import { currentRequest } from './request-context.ts'

export type Log = Logger

export interface LogOptions {
  level: string
  /** Standard output unless a test reads along. */
  destination?: DestinationStream
}

/**
 * Structured lines on standard output, by the service that writes them. Each names the request it is
 * about, and no secret reaches them: this is the one place where that is seen to.
 */
export function createLogs({
  level,
  destination = gatherLines(pino.destination(1)),
}: LogOptions): (service: string) => Log {
  const root = pino(
    {
      level,
      base: null,
      mixin: nameRequest,
      formatters: { log: redactFields },
      // Errors are plain by now.
      serializers: { err: (shown: unknown) => shown },
      hooks: { streamWrite: redactLine },
    },
    destination,
  )
  return (service) => root.child({ service })
}

/** A new object each time: pino adds the line's own fields to it. */
function nameRequest(): object {
  const { requestId = null, ...job } = currentRequest() ?? {}
  return { ...(requestId !== null && { requestId }), ...job }
}

/** The log of the one service there is. */
export function createLog({ service, ...options }: LogOptions & { service: string }): Log {
  return createLogs(options)(service)
}

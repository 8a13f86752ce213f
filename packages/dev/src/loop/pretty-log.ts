import type { DestinationStream } from 'pino'
import pretty from 'pino-pretty'

/** Turns the lines of the log into what people read. */
export function createPrettyLog(destination: NodeJS.WritableStream): DestinationStream {
  return pretty({
    destination,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'service,requestId',
    messageFormat: '{service}: {msg}',
    singleLine: true,
    sync: true,
  })
}

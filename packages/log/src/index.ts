import { pino, type Logger } from 'pino'

export type Log = Logger

export interface LogOptions {
  level: string
  service: string
}

/** Structured lines on standard output; secrets never reach them. */
export function createLog({ level, service }: LogOptions): Log {
  return pino({
    level,
    base: { service },
    redact: {
      paths: [
        '*.password',
        '*.token',
        '*.accessToken',
        '*.refreshToken',
        'req.headers.cookie',
        'req.headers.authorization',
      ],
      censor: '[redacted]',
    },
  })
}

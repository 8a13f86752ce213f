import { FloeError } from '@floe/client'
import { formatSeconds } from './progress.ts'

/** What the program ends with; scripts look at nothing else. */
export const exitCodes = {
  ...{ other: 1, usage: 2, notFound: 3, refused: 4, network: 5 },
  /** As shells tell of a program that wrote into a pipe without a reader (128 and SIGPIPE). */
  closedPipe: 141,
} as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Told as it is, in one line. */
export class CliError extends Error {
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = exitCodes.other) {
    super(message)
    this.name = 'CliError'
    this.exitCode = exitCode
  }
}

/** The command line itself is wrong. */
export class UsageError extends CliError {
  constructor(message: string) {
    super(message, exitCodes.usage)
    this.name = 'UsageError'
  }
}

/** Nothing came back, or nothing of Floe's. */
export class NetworkError extends CliError {
  constructor(message: string, options?: { cause: unknown }) {
    super(message, exitCodes.network)
    this.name = 'NetworkError'
    if (options) this.cause = options.cause
  }
}

export function refusedByProxy(): CliError {
  return new CliError('A proxy in front of the server refuses requests, even of 64 kB.')
}

export interface Failure {
  message: string
  /** As the server names it; `null` where it did not. */
  code: string | null
  exitCode: ExitCode
}

export function describeFailure(error: unknown): Failure {
  if (error instanceof CliError) {
    return { message: error.message, code: null, exitCode: error.exitCode }
  }
  if (error instanceof FloeError) {
    const message = isAttemptLimit(error) ? describeLimit(error) : error.message
    return { message, code: error.code, exitCode: exitCodeOf(error) }
  }
  const message = error instanceof Error ? error.message : String(error)
  const cause = error instanceof Error ? error.cause : undefined
  // What `fetch` throws says nothing; its cause does.
  if (cause instanceof Error && error instanceof TypeError) {
    const why = networkMessage(cause)
    return { message: why, code: null, exitCode: exitCodes.network }
  }
  return { message, code: null, exitCode: exitCodes.other }
}

/** Floe's own, of what somebody could guess: it is no load that passes, but a refusal. */
export function isAttemptLimit(error: unknown): boolean {
  return error instanceof FloeError && error.code === 'too_many_requests'
}

/** The files or the terms are what the server does not take, so that nothing but others would help. */
export function isRefusedForGood(error: unknown): boolean {
  if (error instanceof FloeError) return error.status === 400 || error.status === 413
  return error instanceof CliError && error.exitCode === exitCodes.refused
}

function describeLimit({ retryAfterSeconds }: FloeError): string {
  const when = retryAfterSeconds === null ? 'later' : `in ${formatSeconds(retryAfterSeconds)}`
  return `Too many attempts. Try again ${when}.`
}

function exitCodeOf({ status }: FloeError): ExitCode {
  if (status === 404 || status === 410) return exitCodes.notFound
  if (status >= 400 && status < 500) return exitCodes.refused
  return status === 500 || status === 507 ? exitCodes.other : exitCodes.network
}

const networkMessages: Record<string, string> = {
  ECONNREFUSED: 'The server refused the connection',
  ENOTFOUND: 'There is no server of this name',
  EAI_AGAIN: 'The name of the server could not be looked up',
  ETIMEDOUT: 'The server does not response',
  ECONNRESET: 'The connection was lost',
  EPIPE: 'The connection was lost',
}

export function networkMessage(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return networkMessages[code] ?? (error.message || 'The server could not be reached')
}

import { writeSync } from 'node:fs'
import { getSystemErrorMap } from 'node:util'
import { CliError, exitCodes } from './failures.ts'

/** The reader of the output has gone, as in `floe ls | head -1`: nobody wants the rest, or to be told. */
export class ClosedPipe extends CliError {
  constructor() {
    super('Nobody reads the output any more.', exitCodes.closedPipe)
    this.name = 'ClosedPipe'
  }
}

/** All of it before the program may end, also into a pipe. */
export function writeOutput(text: string): void {
  try {
    writeAll(1, text)
  } catch (error) {
    throw outputFailure(error)
  }
}

/** The last words. Nobody hears them where the standard error is closed; the exit code remains. */
export function writeLastError(text: string): void {
  try {
    writeAll(2, text)
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error
  }
}

/** As the user is told, whichever way it was written. */
export function outputFailure(error: unknown): unknown {
  const code = systemCodeOf(error)
  if (code === undefined) return error
  if (code === 'EPIPE') return new ClosedPipe()
  const why = [...getSystemErrorMap().values()].find(([name]) => name === code)?.[1] ?? code
  return new CliError(`The output cannot be written: ${why}.`)
}

function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text)
  let at = 0
  while (at < bytes.length) {
    try {
      at += writeSync(fd, bytes, at)
    } catch (error) {
      // The reader is slow.
      if (systemCodeOf(error) !== 'EAGAIN') throw error
    }
  }
}

function systemCodeOf(error: unknown): string | undefined {
  const isNamed = error instanceof Error && 'code' in error && typeof error.code === 'string'
  return isNamed ? String(error.code) : undefined
}

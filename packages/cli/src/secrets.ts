import { readFile } from 'node:fs/promises'
import { UsageError } from './failures.ts'
import type { Terminal } from './terminal.ts'

export interface SecretSources {
  /** What `--password` was given: only `-`, as every user of a machine sees arguments. */
  argument: string | undefined
  file: string | undefined
  variable: string | undefined
}

/** The password that was asked for, `undefined` for none. */
export async function readPassword(
  { argument, file, variable }: SecretSources,
  terminal: Terminal,
  { isInputTaken = false } = {},
): Promise<string | undefined> {
  if (argument !== undefined && argument !== '-') {
    throw new UsageError(
      'Other users of this machine see arguments: use --password - and type it, or --password-file.',
    )
  }
  if (file !== undefined) return firstLine(await readFile(file, 'utf8'))
  if (argument === undefined) return variable || undefined
  if (process.stdin.isTTY) return terminal.askSecret('Password')
  if (isInputTaken) {
    throw new UsageError('The standard input is the file already: use --password-file.')
  }
  return terminal.readLine()
}

function firstLine(text: string): string {
  const [line = ''] = text.split(/\r?\n/, 1)
  return line
}

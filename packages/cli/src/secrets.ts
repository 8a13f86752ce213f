import { readFile } from 'node:fs/promises'
import type { Call, OptionRows } from './command.ts'
import { UsageError } from './failures.ts'

/** Every user of a machine sees the arguments of programs, so none of them takes a password. */
export const passwordOptions: OptionRows = {
  password: {
    type: 'string',
    short: 'p',
    value: '-',
    help: 'ask for a password, or read a line of the standard input; - is all it takes',
  },
  'password-file': { type: 'string', value: 'FILE', help: 'read the password from a file' },
}

/**
 * The password that was given, `undefined` for none. Throws a `UsageError` for an empty one, which
 * is a file or variable that went wrong: a share that was to have a password would have none.
 */
export async function readPassword(
  call: Pick<Call, 'given' | 'terminal' | 'env'>,
  options: { isInputTaken?: boolean } = {},
): Promise<string | undefined> {
  const password = await findPassword(call, options)
  if (password === '') throw new UsageError('The password is empty.')
  return password
}

async function findPassword(
  { given, terminal, env }: Pick<Call, 'given' | 'terminal' | 'env'>,
  { isInputTaken = false }: { isInputTaken?: boolean },
): Promise<string | undefined> {
  const [argument, file] = [given.text('password'), given.text('password-file')]
  if (argument !== undefined && argument !== '-') {
    throw new UsageError(
      'Other users of this machine see arguments: use --password - and type it, or --password-file.',
    )
  }
  if (file !== undefined) return firstLine(await readFile(file, 'utf8'))
  if (argument === undefined) return env['FLOE_PASSWORD'] || undefined
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

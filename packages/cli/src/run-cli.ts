import { parseArgs } from 'node:util'
import { RELEASE_VERSION } from '@floe/contracts'
import { type Command, commonOptions, type Given, parseOptions } from './command.ts'
import { commands } from './commands/index.ts'
import { describeFailure, UsageError } from './failures.ts'
import { describeCommand, describeProgram } from './help.ts'
import { ClosedPipe, writeLastError, writeOutput } from './output.ts'
import { createStore } from './settings.ts'
import { createTerminal } from './terminal.ts'

/** Runs one command to its end, and returns the exit code. */
export async function runCli(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const isJson = args.includes('--json')
  try {
    await run(args, env)
    return 0
  } catch (error) {
    const { message, code, exitCode } = describeFailure(error)
    const told = isJson
      ? JSON.stringify({ error: { message, code, exitCode } })
      : `floe: ${message}`
    // At once: the program may end before a stream has written it.
    if (!(error instanceof ClosedPipe)) writeLastError(`${told}\n`)
    return exitCode
  }
}

async function run([name, ...rest]: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  if (name === '--version' || name === '-V') return writeOutput(`${RELEASE_VERSION}\n`)
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    return writeOutput(`${describeProgram()}\n`)
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new UsageError(`There is no command ${name}. floe --help lists them.`)
  const { given, positionals } = parse(command, rest)
  if (given.is('help')) return writeOutput(`${describeCommand(command)}\n`)
  refuseSurplus(command, positionals)
  const terminal = createTerminal({ isJson: given.is('json'), isQuiet: given.is('quiet'), env })
  try {
    await command.run({ positionals, given, store: createStore(env), terminal, env })
  } finally {
    terminal.clearProgress()
  }
}

function parse(command: Command, args: string[]): { given: Given; positionals: string[] } {
  const options = parseOptions({ ...command.options, ...commonOptions })
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const found = new Map(Object.entries(values))
    return {
      positionals,
      given: {
        text(option) {
          const value = found.get(option)
          return typeof value === 'string' ? value : undefined
        },
        is: (option) => found.get(option) === true,
      },
    }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** What nobody would read is a mistake: one who names an option without its dashes means something. */
function refuseSurplus({ usage }: Command, positionals: readonly string[]): void {
  const [, ...named] = usage.split(' ')
  const surplus = usage.includes('...') ? undefined : positionals[named.length]
  if (surplus === undefined) return
  throw new UsageError(`${surplus} is one word too many: floe ${usage}`)
}

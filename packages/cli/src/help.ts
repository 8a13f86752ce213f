import { RELEASE_VERSION } from '@floe/contracts'
import { type Command, commonOptions, type OptionRows } from './command.ts'
import { commands } from './commands/index.ts'

export function describeProgram(): string {
  const rows = Object.values(commands).map(({ usage, summary }): [string, string] => [
    usage,
    summary,
  ])
  return `Floe ${RELEASE_VERSION}: send and receive files of any size.

Usage: floe COMMAND [OPTION...]

${columns(rows)}

floe COMMAND --help shows the options of a command.
FLOE_SERVER and FLOE_TOKEN stand in for a sign-in, FLOE_PASSWORD for --password.`
}

export function describeCommand({ usage, summary, options }: Command): string {
  return `Usage: floe ${usage} [OPTION...]

${summary}.

${columns(describeOptions({ ...options, ...commonOptions }))}`
}

function describeOptions(rows: OptionRows): [string, string][] {
  return Object.entries(rows).map(([name, { short, value, help }]) => [
    `${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}`,
    help,
  ])
}

function columns(rows: readonly [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

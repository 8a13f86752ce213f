import type { ParseArgsConfig } from 'node:util'
import type { Store } from './settings.ts'
import type { Terminal } from './terminal.ts'

/** An option: how it is written, and what it means. */
export interface OptionRow {
  type: 'string' | 'boolean'
  short?: string
  /** What stands for its value in the help: `DIR`. */
  value?: string
  help: string
}

export type OptionRows = Record<string, OptionRow>

/** What was given: text for options with a value, `true` for the others. */
export interface Given {
  text(name: string): string | undefined
  is(name: string): boolean
}

export interface Call {
  positionals: string[]
  given: Given
  store: Store
  terminal: Terminal
  env: NodeJS.ProcessEnv
}

export interface Command {
  /** After `floe`: `get LINK`. */
  usage: string
  summary: string
  options: OptionRows
  run(call: Call): Promise<void>
}

/** Every command has them. */
export const commonOptions: OptionRows = {
  json: { type: 'boolean', help: 'print the result as JSON, for scripts' },
  quiet: { type: 'boolean', short: 'q', help: 'print nothing but the result and errors' },
  help: { type: 'boolean', short: 'h', help: 'show this' },
}

export const serverOption: OptionRows = {
  server: { type: 'string', value: 'URL', help: 'the site, instead of the one signed in to last' },
}

export function parseOptions(rows: OptionRows): NonNullable<ParseArgsConfig['options']> {
  return Object.fromEntries(
    Object.entries(rows).map(([name, { type, short }]) => [
      name,
      { type, ...(short && { short }) },
    ]),
  )
}
